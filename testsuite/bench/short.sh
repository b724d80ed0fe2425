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
"$CC" -O2 -std=gnu11 -D_GNU_SOURCE "$bench/spawn.c" -o "$work/spawn"

# contender NAME FOLDER OPTION...
contender() {
    name=$1 folder=$d/$2
    shift 2
    mkdir -p "$folder"
    "$CC" -O2 "$d/empty.c" "$@" -o "$folder/prog"
    list="$list '$name' '$folder'"
}

# milliseconds: a table of what spawn.c prints.
milliseconds() {
    awk -F '\t' 'BEGIN { printf "%-24s %9s %7s  %s\n", "", "ms", "ratio", "middle half" }
        { printf "%-24s %9.3f %7.3f  %.3f to %.3f\n", $1, $2, $3, $4, $5 }'
}

# table FORM OPTION...: of all kinds, with the options behind.
table() {
    form=$1
    shift
    list=
    contender "plain" "$form/plain" "$@"
    contender "plain, once more" "$form/again" "$@"
    contender "time" "$form/time" "$plugin" "$@"
    contender "count" "$form/count" "$plugin" $k-profile=count "$@"
    contender "count, blocks" "$form/blocks" "$plugin" $k-profile=count $k-blocks "$@"
    contender "count, stack" "$form/stack" "$plugin" $k-profile=count $k-stack "$@"
    contender "alloc" "$form/alloc" "$plugin" $k-profile=alloc "$@"
    contender "time,count" "$form/both" "$plugin" $k-profile=time,count "$@"
    title "short process: $form, $ROUNDS rounds of 50 runs"
    eval "\"$work/spawn\" \"$ROUNDS\" 50 $list" | milliseconds
    for kind in time count blocks stack alloc both; do
        [ -s "$d/$form/$kind/mlmon.out" ] || echo "ccprof: $kind: the program left no mlmon.out"
    done
}

echo "Aim: at most 1.5 times the plain program, which is 1.2 ms where that takes 0.8."
table dynamic
table static -static -L"$O/rt" -lccprof

# A fork and a thread, with each engine and with the heap; each round runs all, one after the other.
"$CC" -O2 -pthread "$bench/starts.c" -o "$d/starts-plain"
"$CC" -O2 -pthread "$plugin" "$bench/starts.c" -o "$d/starts"
title "a fork with the child's end, and a thread's start and end, $ROUNDS rounds"
settings='off engine=task-clock engine=thread-timer clock=wall heap heap=exact'
seq "$ROUNDS" | while read -r _; do
    (cd "$d" && echo "plain $(./starts-plain 100)")
    for setting in $settings; do
        (cd "$d" && echo "$setting $(CCPROF=$setting ./starts 100)")
    done
done >"$d/starts.out"

# middle SETTING COLUMN: the median of all rounds.
middle() {
    awk -v setting="$1" -v column="$2" '$1 == setting { print $column }' "$d/starts.out" | sort -n |
        sed -n "$((ROUNDS / 2 + 1))p"
}
printf '%-24s %9s %9s\n' '' 'fork us' 'thread us'
for setting in plain $settings; do
    printf '%-24s %9s %9s\n' "$setting" "$(middle "$setting" 2)" "$(middle "$setting" 3)"
done
