#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What it costs to count calls and blocks on threads and in shared objects, next to what else counts.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# contender NAME FOLDER OPTION...: builds the program with the options, as an executable, and
# if $shared is set, as a shared object with a main around it.
contender() {
    name=$1 folder=$2
    shift 2
    mkdir -p "$d/$folder"
    if [ "$shared" ]; then
        # shellcheck disable=SC2086
        "$CC" -O2 -fPIC -shared -Dmain=program "$@" $sources -o "$d/$folder/libprog.so" -lm
        "$CC" -O2 "$work/main.c" -o "$d/$folder/prog" -L"$d/$folder" -lprog \
            -Wl,-rpath,"$d/$folder"
    else
        # shellcheck disable=SC2086
        "$CC" -O2 "$@" $sources -o "$d/$folder/prog" -lm
    fi
    list="$list '$name' 'cd $d/$folder && exec ./prog $arguments'"
}

# one TITLE ARGUMENTS SOURCE...
one() {
    title=$1 arguments=$2
    shift 2
    sources=$*
    d=$work/count/$(echo "$title" | tr -c 'a-z\n' -)
    list=
    contender "plain" plain
    contender "plain, once more" plain
    contender "ccprof count" count "$plugin" -fplugin-arg-ccprof-profile=count
    contender "ccprof count, blocks" blocks "$plugin" -fplugin-arg-ccprof-profile=count \
        -fplugin-arg-ccprof-blocks
    contender "ccprof time,count" both "$plugin" -fplugin-arg-ccprof-profile=time,count
    [ "$shared" ] || contender "-pg" pg -pg
    contender "gcov" gcov -fprofile-arcs
    contender "gcov atomic" atomic -fprofile-arcs -fprofile-update=atomic
    title "counting calls: $title, $ROUNDS rounds"
    eval "\"$work/ratio\" \"$ROUNDS\" $list" | ratios
    [ -s "$d/count/mlmon.out" ] || echo "ccprof: the program left no mlmon.out"
}

cat >"$work/main.c" <<'END'
int program(int argc, char **argv);
int main(int argc, char **argv)
{
    program(argc, argv);
    return 0;
}
END

echo "Aim of count and of blocks: not more than gcov."
shared=
one "eight threads" "" "$bench/count-threads.c"
shared=yes
one "recursive calls in a shared object" "" "$bench/calls.c"
one "inlined helpers in a shared object" "" "$bench/helpers.c"
