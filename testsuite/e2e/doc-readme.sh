#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README's example, from the command to the table, and each of its other commands, word for word, do what it
# says; its lines fit into 80 columns.
. "$SRC/testsuite/lib.sh"
need nm
. "$SRC/testsuite/shares/rows.sh"

# The block that starts with the plugin's command.
awk '/^    \$ gcc .*fplugin=build/ { inside = 1 } inside && /^$/ { exit } inside' "$SRC/README" |
    sed 's/^    //' >example
awk 'length > 80' "$SRC/README" >long
same long /dev/null
# The compiler of the commands is the one under test.
mkdir bin
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$CC")" >bin/gcc
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$CXX")" >bin/g++
chmod +x bin/*
PATH=$PWD/bin:$PATH
ln -s "$SRC/testsuite" testsuite
ln -s "$SRC/doc" doc
ln -s "$O" build
sed -n 's/^\$ //p' example >commands
[ "$(wc -l <commands)" -eq 3 ] || fail "README has $(wc -l <commands) commands"
while read -r command; do
    echo "$command"
    sh -c "$command" >printed 2>&1 || fail "$command: exit status $?: $(cat printed)"
done <commands
sed 's/ *$//' printed >table
sed '/^\$/d' example >want

# The table: the same heads; the rows there are functions of the program.
[ "$(wc -l <want)" -ge 6 ] || fail "README shows no table: $(cat want)"
sed 's/[0-9][0-9.]*/N/g' table | sed -n 1p >got
sed 's/[0-9][0-9.]*/N/g' want | sed -n 1p >first
same got first
for file in table want; do
    [ "$(sed -n 2p $file | tr -s ' ')" = ' cur 95% range stack function' ] || fail "$file: $(sed -n 2p $file)"
done
tabulate rays
sed 1,2d want | while read -r cur range stack name; do
    grep -q "  $name\$" table || fail "no row of $name ($cur $range $stack) here: $(cat table)"
done
# testsuite/demo/main.c tells why the tests of boxes have a good half: with GCC 14 51 to 55 % of
# 6,000 samples. Four standard deviations of the 250 here are 13 points. As in README: no machine code of
# their own is left.
boxes() {
    lies 40 "$(together box_hit box_slab)" 100 'box_hit and box_slab'
}
boxes_again() {
    sh -c "$(sed -n 2p commands)" >printed 2>&1 || fail "$(cat printed)"
    tabulate rays
    boxes
}
boxes || decided_after boxes_again || fail "$(cat table)"
awk '/  box_(hit|slab)$/ { sub(/~/, ""); sum += $1 } END { exit sum < 45 }' want || fail "README's table: $(cat want)"
nm rays >symbols
hasnot symbols 'box_hit\|box_slab'
has symbols ' blocked_below'

# Every other command shows what the line before it promises: those between the example and what a
# program can say.  A command may go on in the next line.
sed -n '/^WHICH LINE/,/^What a program can say/p' "$SRC/README" |
    sed -e ':a' -e '/\\$/{N' -e 's/\\\n */ /' -e 'ba' -e '}' | sed -n 's/^    \$ //p' >commands
[ "$(wc -l <commands)" -eq 30 ] || fail "README has $(wc -l <commands) commands more"
cp commands rest
variables=:
# shows WORD PATTERN...: the next command, which has the word in it, shows the patterns.
shows() {
    word=$1
    shift
    command=$(sed -n 1p rest)
    sed -i 1d rest
    echo "$command"
    case " $command " in
    *[\ =-]"$word"[\ =]*) ;;
    *) fail "README has another command for $word" ;;
    esac
    # One ends as timeout does.
    sh -c "$variables; $command" >printed 2>&1 || [ "$word" = call ] || fail "$(cat printed)"
    for pattern; do
        has printed "$pattern"
    done
}
shows -list '^blocked_below  testsuite/demo/tree.c: ' '%  *[0-9]*      return blocked_below('
shows -peek '^ *[0-9.]*%  from  from_light$' '^ *[0-9.]*%  to    box_hit$'
shows -html ' seconds of CPU time'
has rays.html '^<!DOCTYPE html>'
# Without optimisation each vector is a call, and the time is several times as much.
shows slow
shows CCPROF
shows CCPROF
shows -compare '^before  rays, 1 run, ' '^after   slow, 1 run, ' '^change  +' '  <0.001\*  box_slab$'
shows for
shows -growth "^seconds grow with the input's size n" '^exponent .*  n=160000  function$' '  box_slab$'
shows CCPROF
shows run ' in 2 data files of 2 programs$' "  1  $PWD/rays\$" "  1  $PWD/slow\$"
shows waits
shows CCPROF
# Each of the threads sleeps as long as the others, and main waits for the last.
shows -show-extern ' seconds on the clock$' '^ *[89][0-9].* <clock_nanosleep>$' ' sleeps$'
shows teams
shows CCPROF
shows -parallel ' work *inside *at end .* construct$' '  uneven.omp  testsuite/parallel/measured.c'
shows thread '  thread$' '  \[thread 4 teams\]$'
variables=$(sed -n 1p rest)
sed -i 1d rest
# 20,000,000 calls of both, and main. A line of 30 rounds is entered once and gone round 30 times.
shows count '^40,000,001 ticks$' '^ *50.0%  20,000,000  heavy$'
shows blocks '^ *620,000,000  *5      for (int i = 0; i < 30; i++)$'
shows time,count ' seconds of CPU time' ' 20,000,000 .*  heavy$'
# Once for each pixel, of 80 times 60.
shows stopwatch=average '^4,800 calls of 1 region, ' '^4,800  .*  average$' '^average: 4,800 calls, mean '
shows alloc ' bytes allocated$' ' 1  calloc  *unsigned char  *image_make  '
shows -gate '^3 functions as in base: calls$'
shows call '^ccprof: SIGABRT, at these calls' '^main  doc/prog.c: 21[.]13$'
shows time-field ' seconds of CPU time' '%.*  heavy$'
shows branch '^[ ~]*[1-9][0-9]*\.[0-9]%.* 600,000,000 .* heavy.<case true>$'
shows targets '^ *5  *5  *5  *100%  *20  *f$' '^ *5  *5  *5  *100%  *20  *g$'
shows stack ' bytes allocated$' '^ *0.0% .* 100.0% .* main$'
[ ! -s rest ] || fail "not tried: $(cat rest)"

# What it says of make are targets.
for target in demo check; do
    has "$SRC/README" "^    make $target "
    run 0 "${MAKE:-make}" -s -C "$SRC" help
    has out "^make $target "
done
