#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What profiling costs a program that does nothing: to load the runtime, to start it, and to
# write a profile over that of the run before.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

k=-fplugin-arg-ccprof
d=$work/short
rm -rf "$d"
mkdir -p "$d"
echo 'int main(void) { return 0; }' >"$d/empty.c"
options=-O2 sources=$d/empty.c libraries=
runs=200
# The least that a profiler in a shared object costs: to map one that is empty.
"$CC" -shared -o "$d/empty.so" -x c /dev/null
cat >"$d/maps.c" <<END
#include <dlfcn.h>
__attribute__((constructor)) static void map(void)
{
    dlopen("$d/empty.so", RTLD_NOW);
}
END

# short NAME FOLDER OPTION...: a contender whose runs follow each other; with the settings in $settings.
settings=
short() {
    name=$1 folder=$2
    shift 2
    build "$folder" "$@"
    list="$list '$name' 'cd $d/$folder && seq $runs | CCPROF=$settings xargs -n 1 ./prog'"
}

# table FORM OPTION...: of all kinds, with the options behind.
table() {
    form=$1
    shift
    list=
    short "plain" "$form-plain" "$@"
    short "plain, once more" "$form-again" "$@"
    if [ "$form" = dynamic ]; then
        short "maps an empty object" "$form-maps" "$d/maps.c"
        settings=off
        short "CCPROF=off" "$form-off" "$plugin"
        settings=
        short "dormant" "$form-dormant" "$plugin" $k-dormant
    fi
    short "time" "$form-time" "$plugin" "$@"
    short "count" "$form-count" "$plugin" $k-profile=count "$@"
    short "count, blocks" "$form-blocks" "$plugin" $k-profile=count $k-blocks "$@"
    short "count, stack" "$form-stack" "$plugin" $k-profile=count $k-stack "$@"
    short "alloc" "$form-alloc" "$plugin" $k-profile=alloc "$@"
    title "short process: $form, $ROUNDS rounds of $runs runs, ms of CPU time of a run"
    eval "\"$bench/ratio.py\" \"$ROUNDS\" $list" |
        awk -F '\t' -v runs=$runs '{ printf "%-24s %9.3f %7.3f  %.3f to %.3f\n", $1, $2 / runs * 1000, $3, $4, $5 }'
    for kind in time count blocks stack alloc; do
        [ -s "$d/$form-$kind/mlmon.out" ] || echo "ccprof: $kind: the program left no mlmon.out"
    done
}

echo "Aim: at most 1.5 times the plain program."
table dynamic
table static -static -L"$O/rt" -lccprof
