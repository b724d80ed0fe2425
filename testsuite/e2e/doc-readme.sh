#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README's example does what it says, from the program there, which is a file, to the table.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"

# The block that starts with `$ cat doc/prog.c`.
awk '/^    \$ cat doc\/prog\.c$/ { inside = 1 } inside && /^$/ { exit } inside' "$SRC/README" |
    sed 's/^    //' >example
ln -s "$SRC/doc" doc
[ "$(wc -l <doc/prog.c)" -eq 10 ] || fail "README's program has $(wc -l <doc/prog.c) lines"

# What it shows behind `$ COMMAND`, and what the command prints.
shown() {
    awk -v want="\$ $1" '/^\$/ { inside = $0 == want; next } inside' example
}
ln -s "$O" build
sed -n 's/^\$ //p' example >commands
[ "$(wc -l <commands)" -eq 4 ] || fail "README has $(wc -l <commands) commands"
while read -r command; do
    echo "$command"
    sh -c "$command" >printed 2>&1 || fail "$command: exit status $?: $(cat printed)"
    shown "$command" >want
    case $command in
    build/mlprof*) cp printed table ;;
    *) same printed want ;;
    esac
done <commands

# The table: the same but for the numbers, and these as far as chance goes.  At 0.5 s or
# more, 27 % is met within five standard deviations (5 * sqrt(0.2 / 50) is 0.32).
numbers() {
    sed 's/[0-9][0-9.]*/N/g; s/  */ /g; s/ $//' "$1" | grep -v '^-'
}
# The balance below the table depends on the engine that works here.
sed '/^$/,$d' want >want.table
numbers want.table >want.rows
numbers table | head -n "$(wc -l <want.rows)" >table.rows
same table.rows want.rows
want_heavy=$(awk '$1 == "heavy" { print $2 + 0 }' want)
true_of "$(share heavy) - $want_heavy < 32 && $want_heavy - $(share heavy) < 32" ||
    fail "heavy: $(share heavy)% here, $want_heavy% in README"
sums 90 heavy light

# What else it measures: each command shows what the line before it promises.
sed -n '/^What else it measures/,/^What a program can say/s/^    \$ //p' "$SRC/README" >commands
[ "$(wc -l <commands)" -eq 10 ] || fail "README measures $(wc -l <commands) things"
ln -s "$SRC/testsuite" testsuite
variables=$(sed -n 1p commands)
sed 1d commands >rest
# shows WORD PATTERN...: the next command, which has the word in it.
shows() {
    word=$1
    shift
    command=$(sed -n 1p rest)
    sed -i 1d rest
    echo "$command"
    case $command in
    *[-=]"$word "*) ;;
    *) fail "README has another command for $word" ;;
    esac
    # The last one ends as timeout does.
    sh -c "$variables; $command" >printed 2>&1 || [ "$word" = call ] || fail "$(cat printed)"
    for pattern; do
        has printed "$pattern"
    done
}
# 20,000,000 calls of both, and main. A line of 30 rounds is entered once and gone round 30 times.
shows time-field ' seconds of CPU time ' '^heavy  *[0-9.]*%$'
shows time,count ' seconds of CPU time ' '^heavy .* 20,000,000 '
shows count '^40,000,001 ticks$' '^heavy  *50.0%$'
shows blocks '^ *620,000,000  *2  static unsigned heavy'
shows branch '^heavy.<case true>  *[0-9.]*%$'
shows targets '^20  *f  *5  *5  *5  *100%$' '^20  *g  *5  *5  *5  *100%$'
shows alloc ' bytes allocated ' '^image_make  .* unsigned char  *calloc .* 1$'
shows stack ' bytes allocated ' '^main  *0.0%  *100.0%'
shows call '^ccprof: SIGABRT, at these calls' '^main  doc/prog.c: 8[.]13$'

# Its first two commands are targets.
for target in demo check; do
    sed -n 1,2p "$SRC/README" >first
    has first "^ *make $target "
    run 0 "${MAKE:-make}" -s -C "$SRC" help
    has out "^make $target "
done
