#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# assembly.sh BUILD SET NAME FORM KINDS: the assembly that BUILD/ccprof.so makes of a program, in
# a form, for each of the kinds.  Prints a line `KIND STATUS HASH' for each: the compiler's exit
# status, and a hash of the assembly and the messages.  With the variable KEEP, a folder, the last
# kind's assembly and messages are left there.
#
# SET/NAME is a file below a set's folder, or all C files in a folder of it.  What it is compiled
# in is this folder, and must be the same for two plugins, because its name is in the tables; the
# runtime's path in the stub is set aside.  FORM and KINDS are of testsuite/kinds/programs.sh, or
# `trace', `mark', `line' and `exclude' of below.
#
# Environment: SRC, CC, CXX, FC as for all tests; BEFORE, the checkout whose programs these are;
# REALWORLD, the folder of the sources of Lua and zstd.

# From programs.sh: compiler, defines, options and more.
# shellcheck disable=SC2154
set -u
export LC_ALL=C
. "$SRC/testsuite/kinds/programs.sh"

# also_arguments KIND: of arguments that are no kinds.
also_arguments() {
    case $1 in
    trace) arguments="profile=count stack trace" ;;
    mark) arguments="profile=count mark=block" ;;
    line) arguments="profile=time-field,count position=line" ;;
    exclude) arguments="profile=time exclude=ma.*" ;;
    *) kind_arguments "$1" ;;
    esac
}

# compiler_of FILE
compiler_of() {
    case $1 in
    *.cc) echo "$CXX -std=c++20 -fopenmp" ;;
    *.f90) echo "$FC -fopenmp" ;;
    *.adb) echo "$CC -gnat2012" ;;
    *) echo "$CC -fopenmp -D_GNU_SOURCE" ;;
    esac
}

# set_of SET NAME: into `top', the set's folder, and `given', the compiler's further options.
set_of() {
    case $1 in
    testsuite)
        top=$BEFORE/testsuite
        given="-I$BEFORE -I$BEFORE/rt -I$top/rt -I$top/shares -DSIZE=8"
        [ "${2%.f90}" = "$2" ] || "$FC" -fsyntax-only "$BEFORE/rt/ccprof.f90"
        ;;
    *)
        package=$(source_of "$([ "$1" = lua ] && echo lua5.4 || echo libzstd)")
        top=$package
        program_sources "$1"
        given=$defines
        ;;
    esac
}

# assemble OPTION...: into the file it.s.
assemble() {
    case " $* " in
    *' -flto '*)
        # What a linker would get of it.
        "$@" -r -flinker-output=nolto-rel -save-temps -o it.o
        status=$?
        cat it.o*.ltrans.s >it.s 2>/dev/null
        return $status
        ;;
    *) "$@" -S -o it.s ;;
    esac
}

build=$1 set=$2 name=$3 form=$4 kinds=$5
rm -f ccprof.so
ln -s "$build/ccprof.so" ccprof.so || exit
set_of "$set" "$name"
form_options "$form" || exit
[ ! -d "$top/$name" ] || name="$name/*.c"
for kind in $kinds; do
    also_arguments "$kind" || exit
    # Lists and names with an asterisk, to be split.
    # shellcheck disable=SC2046,SC2086
    set -- $(compiler_of "$name") $options $given -fplugin=./ccprof.so \
        $(printf -- '-fplugin-arg-ccprof-%s ' $arguments) "$top/"$name
    rm -f it.*
    status=0
    assemble "$@" 2>messages || status=$?
    sed -i "s|$build|BUILD|g" messages
    [ ! -f it.s ] || sed -i "s|\"$build/rt/libccprof|\"libccprof|" it.s
    echo "$kind $status $(cat it.s messages 2>/dev/null | sha256sum | cut -c 1-24)"
    if [ -n "${KEEP-}" ]; then
        mkdir -p "$KEEP" && cat messages it.s >"$KEEP/$kind" 2>/dev/null
    fi
done
rm -f it.* it-* messages
