#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kinds.sh FOLDER PROGRAM/FORMS/KINDS...: builds each of the programs, in FOLDER, in each of
# the forms and for each of the kinds, runs it, and compares what it prints and how it ends
# with the plain program's in the same form.  FORMS and KINDS are names from below with
# commas between, or `all'.  Prints what differs, and how many runs were compared; exit
# status 1 if any differs or there were none.
#
# Environment: SRC (top of the source), O (build folder), CC, CXX, FC, JOBS; for lua and
# zstd REALWORLD, the folder that holds their sources.

set -u
export LC_ALL=C
# The runs are short.
export CCPROF=rate=1000
: "${SRC:?}" "${O:?}" "${CC:?}" "${CXX:?}" "${FC:?}" "${JOBS:=1}" "${REALWORLD:=}"

programs="demo words grid lua zstd"
forms="O2 O3 fPIC fPIE static-pie flto g shared O3-fPIC-g O3-flto-fPIC O3-static-pie-g"
kinds="drop call time time-stack count blocks branch targets count-stack alloc alloc-stack"
kinds="$kinds field field-stack time-count field-count field-alloc field-all"

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
    grid) ./prog ;;
    lua)
        s=$(source_of lua5.4)
        ./prog -e 'scale = 0.05' "$SRC/testsuite/realworld/words.lua" "$s"/src/*.c
        ;;
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

# run PROGRAM: into `out'.
run() {
    rm -f mlmon.out
    # shellcheck disable=SC3045
    (ulimit -c 0 && program_run "$1") >out 2>&1
    echo "status $?" >>out
}

# differs PROGRAM FORM KIND: prints how, in this folder, where ../plain is the plain one.
differs() {
    kind_arguments "$3"
    set -- "$@" "-fplugin=$O/ccprof.so"
    for argument in $arguments; do
        set -- "$@" "-fplugin-arg-ccprof-$argument"
    done
    program=$1 form=$2 kind=$3
    shift 3
    if ! build "$program" "$form" "$@"; then
        echo "is not compiled: $(grep -m 1 -i error log)"
        return
    fi
    run "$program"
    if ! cmp -s ../plain/out out; then
        echo "prints something else: $(diff ../plain/out out | sed -n 's/^> //p' | head -n 3)"
        return
    fi
    case $kind in
    drop | call) [ ! -e mlmon.out ] || echo "writes a data file" ;;
    *)
        if [ ! -s mlmon.out ]; then
            echo "writes no data file"
        elif ! "$O/mlprof" -raw true prog mlmon.out >table 2>log || [ ! -s table ]; then
            echo "cannot be reported: $(head -n 1 log)"
        fi
        ;;
    esac
}

# all_of PROGRAM FORM KINDS: in this folder.  A line for each run, in `results'.
all_of() {
    mkdir plain
    if ! (cd plain && build "$1" "$2" && run "$1"); then
        echo "FAIL $1, $2: the plain program is not compiled: $(grep -m 1 -i error plain/log)"
        return
    fi
    case $(tail -n 1 plain/out) in
    "status 0") ;;
    *) echo "FAIL $1, $2: the plain program: $(cat plain/out)" ;;
    esac
    for kind in $3; do
        mkdir "$kind"
        how=$(cd "$kind" && differs "$1" "$2" "$kind")
        if [ -n "$how" ]; then
            echo "FAIL $1, $2, $kind: $how"
        else
            echo "same $1, $2, $kind"
            rm -r "$kind"
        fi
    done
}

if [ "$1" = --one ]; then
    rm -rf "${2:?}"
    mkdir -p "$2"
    cd "$2" || exit 1
    all_of "$3" "$4" "$5" >results
    grep '^FAIL' results
    exit 0
fi

# chosen WHAT NAMES ALL: NAMES, which have commas between, as words of the list ALL.
chosen() {
    if [ "$2" = all ]; then
        echo "$3"
        return
    fi
    echo "$2" | tr , '\n' | while read -r name; do
        case " $3 " in
        *" $name "*) printf '%s ' "$name" ;;
        *)
            echo "kinds.sh: there is no $1 $name" >&2
            exit 1
            ;;
        esac
    done
}

# jobs PROGRAM/FORMS/KINDS...: what --one is called with, with zeros between.
jobs() {
    number=0
    for job; do
        number=$((number + 1))
        IFS=/ read -r program some_forms some_kinds <<END
$job
END
        program=$(chosen program "$program" "$programs") &&
            some_forms=$(chosen form "$some_forms" "$forms") &&
            some_kinds=$(chosen kind "$some_kinds" "$kinds") || exit 1
        program=${program% }
        for form in $some_forms; do
            printf '%s\0' "$folder/$number-$program-$form" "$program" "$form" "$some_kinds"
        done
    done
}

folder=$1
shift
rm -rf "${folder:?}"
mkdir -p "$folder"
jobs "$@" >"$folder/jobs" || exit 1
xargs -0 -n 4 -P "$JOBS" "$0" --one <"$folder/jobs"
same=$(cat "$folder"/*/results | grep -c '^same')
failed=$(cat "$folder"/*/results | grep -c '^FAIL')
echo "$((same + failed)) runs compared, $failed differ"
[ "$failed" -eq 0 ] && [ "$same" -gt 0 ]
