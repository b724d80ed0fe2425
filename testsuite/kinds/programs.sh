# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The kinds, the forms that code is compiled in, and the programs that are tried in them, for
# the scripts that source it.
#
# Environment: SRC (top of the source), O (build folder), CC, CXX, FC; for lua and zstd
# REALWORLD, the folder that holds their sources.

# The scripts that source it read these.
# shellcheck disable=SC2034
programs="demo words grid early atomic empty lua zstd"
forms="O2 O3 fPIC fPIE static-pie flto g shared O3-fPIC-g O3-flto-fPIC O3-static-pie-g"
kinds="drop call time time-stack count blocks branch targets count-stack alloc alloc-stack"
kinds="$kinds field field-stack time-count field-count field-alloc field-all time-branch stopwatch"

# form_options FORM: into `options' for the compiler and the linker, and `shared'.
form_options() {
    shared=
    case $1 in
    O2) options="-O2" ;;
    O3) options="-O3" ;;
    fPIC) options="-O2 -fPIC" ;;
    fPIE) options="-O2 -fPIE -pie" ;;
    static-pie) options="-O2 -fPIE -static-pie" ;;
    flto) options="-O2 -flto" ;;
    g) options="-O2 -g" ;;
    shared) options="-O2 -fPIC" shared=yes ;;
    O3-fPIC-g) options="-O3 -fPIC -g" ;;
    O3-flto-fPIC) options="-O3 -flto -fPIC" ;;
    O3-static-pie-g) options="-O3 -fPIE -static-pie -g" ;;
    *) return 1 ;;
    esac
}

# kind_arguments KIND: the plugin's arguments, into `arguments'.
kind_arguments() {
    case $1 in
    drop | call | time | count | alloc) arguments="profile=$1" ;;
    field) arguments="profile=time-field" ;;
    time-stack | count-stack | alloc-stack) arguments="profile=${1%-stack} stack" ;;
    field-stack) arguments="profile=time-field stack" ;;
    blocks | branch | targets) arguments="profile=count $1" ;;
    stopwatch) arguments="stopwatch=." ;;
    time-branch) arguments="profile=time branch" ;;
    time-count) arguments="profile=time,count" ;;
    field-count) arguments="profile=time-field,count" ;;
    field-alloc) arguments="profile=time-field,alloc" ;;
    field-all) arguments="profile=time-field,count,alloc stack blocks targets" ;;
    *) return 1 ;;
    esac
}

# source_of PACKAGE: the folder of its source.
source_of() {
    set -- "$REALWORLD/$1"/*/
    echo "${1%/}"
}

# program_sources PROGRAM: into `compiler', `defines', `sources' and `libraries'.
program_sources() {
    compiler=$CC defines='' libraries=''
    case $1 in
    demo) sources=$(echo "$SRC"/testsuite/demo/*.c) libraries=-lm ;;
    words) compiler="$CXX -std=c++17" sources=$SRC/testsuite/kinds/words.cc libraries=-pthread ;;
    grid) compiler=$FC sources=$SRC/testsuite/kinds/grid.f90 ;;
    empty) echo 'int main(void) { return 0; }' >empty.c && sources=empty.c ;;
    early) sources=$SRC/testsuite/kinds/early.c ;;
    atomic)
        sources=$SRC/testsuite/kinds/atomic.c defines=-fgnu-tm libraries=-fgnu-tm
        case $options in *-flto*) ;; *) defines="$defines -DPOINTER" ;; esac
        ;;
    lua)
        s=$(source_of lua5.4)/src
        mkdir -p include
        # Debian's luaconf.h takes this from Debian's build.
        echo "#define DEB_HOST_MULTIARCH \"$("$CC" -print-multiarch)\"" \
            >include/lua5.4-deb-multiarch.h
        defines="-DLUA_USE_LINUX -DLUA_COMPAT_5_3 -Iinclude"
        # The compiler has a main of its own.
        sources=$(find "$s" -name 'l*.c' ! -name luac.c | sort)
        libraries="-ldl -lm"
        ;;
    zstd)
        s=$(source_of libzstd)
        defines="-DZSTD_DISABLE_ASM -DZSTD_MULTITHREAD -DZSTD_LEGACY_SUPPORT=0
            -I$s/lib -I$s/lib/common -I$s/lib/dictBuilder"
        sources=$(echo "$s"/lib/common/*.c "$s"/lib/compress/*.c "$s"/lib/decompress/*.c \
            "$s"/lib/dictBuilder/*.c "$s"/programs/*.c)
        libraries=-pthread
        ;;
    *) return 1 ;;
    esac
}

# program_run PROGRAM: runs ./prog.
program_run() {
    case $1 in
    demo) ./prog 100 1 ;;
    words) ./prog 200 ;;
    grid | early | atomic | empty) ./prog ;;
    lua) ./prog -e 'scale = 0.05' "$SRC/testsuite/bench/lua.lua" ;;
    zstd)
        s=$(source_of lua5.4)
        cat "$s"/src/*.c "$s"/doc/*.html >input
        # Each process writes a data file; the last one's is left.
        ./prog -q -f -15 --single-thread input -o packed && cksum <packed && rm -f mlmon.out &&
            ./prog -q -f -6 -T2 input -o packed && cksum <packed && rm -f mlmon.out &&
            ./prog -q -d -f packed -o output && cmp output input && echo equal
        ;;
    esac
}

# build PROGRAM FORM OPTION...: in this folder.
build() {
    form_options "$2"
    program_sources "$1"
    shift 2
    runtime=
    case "$options $*" in
    *-static-pie*-fplugin=*) runtime=$O/rt/libccprof.a ;;
    esac
    # Lists, to be split.
    # shellcheck disable=SC2086
    if [ -n "$shared" ]; then
        # main, too, is in the library.
        $compiler $options $defines "$@" -shared $sources -o libprog.so $libraries &&
            $compiler -Wl,--no-as-needed -L. -lprog -Wl,-rpath,. -o prog $libraries
    else
        $compiler $options $defines "$@" $sources -o prog $libraries $runtime
    fi >log 2>&1
}
