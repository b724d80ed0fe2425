#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What -help says of the views that each option has an effect on is true: on these it changes
# what is shown, with all others it is an error.

. "$SRC/testsuite/lib.sh"
# Many calls, without a shell around each.

if ! pcxx -x c++ /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi

mkdir here there
cat >here/code.cc <<'END'
#include <ccprof.h>
#include <cstdlib>
#include <cstring>
volatile unsigned sink;
void *volatile kept;
char text[1 << 16];
/* Far more than work takes and, by name, behind it: what is sorted by name differs.  */
static inline unsigned turn(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
namespace deep {
static inline __attribute__((always_inline, artificial)) void fresh(unsigned size)
{
    for (unsigned i = 0; i < 60; i++)
        sink += size >> i % 8;
    kept = malloc(size);
}
static inline __attribute__((always_inline)) unsigned work(unsigned x)
{
    fresh(24);
    sink += turn(x, 900);
    free(kept);
    return x % 2 ? x : turn(x, 20);
}
__attribute__((noipa)) unsigned other(unsigned x)
{
    kept = malloc(5);
    free(kept);
    memset(text, x, sizeof text);
    return turn(x, 40);
}
__attribute__((noipa)) unsigned both(unsigned x)
{
    sink += work(x);
    sink += other(x);
    return work(x + 1);
}
}
int main()
{
    for (int i = 0; i < 40000; i++) {
        CCPROF_STOPWATCH("loop");
        {
            CCPROF_STOPWATCH("function");
            sink += deep::both(i);
        }
        CCPROF_STOPWATCH("addition");
        sink += i;
    }
}
END
cd here
pcxx -O1 -I"$SRC/rt" -fplugin-arg-ccprof-profile=time,count,alloc -fplugin-arg-ccprof-blocks code.cc -o ../code
pcxx -O1 -I"$SRC/rt" -fplugin-arg-ccprof-profile=alloc code.cc -o ../bytes
# OpenMP's constructs.
cat >team.cc <<'END'
volatile unsigned total;
namespace deep {
__attribute__((noipa)) void zeal(unsigned rounds)
{
#pragma omp parallel num_threads(2)
    {
        for (unsigned i = 0; i < rounds; i++)
            total += i;
        total += 1;
    }
}
__attribute__((noipa)) void able(unsigned rounds)
{
#pragma omp parallel num_threads(2)
    {
        for (unsigned i = 0; i < rounds; i++)
            total += i;
        total += 1;
    }
}
}
int main()
{
    deep::zeal(60000000);
    deep::able(20000000);
}
END
if pcxx -O1 -fopenmp team.cc -o ../team 2>err; then
    CCPROF=rate=2000,threads=yes,output=../team.out ../team
    CCPROF=rate=2000,threads=yes,output=../team.two.out ../team
    echo team.two.out >../list.team
else
    leave_out "-parallel: $(head -n 1 err)"
fi
cd ..
mv here/code.cc there
CCPROF=rate=5000,output=code.out ./code
CCPROF=rate=5000,output=two.out ./code
CCPROF=output=bytes.out ./bytes
# As if the function had a stopwatch of its own.
function=$(nm code | awk '/ _ZN4deep4bothEj$/ { print $1 }')
sed "s/^\(region [0-9]*\) - 0x0 function\$/\1 0 0x${function#"${function%%[!0]*}"} function/" code.out >changed
# And as if a launcher had started it.
sed '1s/.*/ccprof mlmon 5/; /^command /a\
rank 0 2' changed >code.out
echo two.out >list
mkdir folder
cp code.out two.out bytes.out folder
"$MLPROF" -gate-write baseline code code.out
sed 's/^\([0-9]*\)\(.*both.*\)/\11\2/; s/^\([0-9]*\)\(.*fresh.*\)/\11\2/' baseline >changed
cmp -s baseline changed && fail 'nothing was counted'
mv changed baseline

# views OPTION: what -help says of it, `on' or `not', and names; or `on all'.
views() {
    "$MLPROF" -help="$1" | awk '/^    [^ ]/ { on = /^    has / }
        on { sub(/ has an effect on:/, "on"); sub(/ has no effect on:/, "not"); print }' | tr -s '\n ' '  ' | sed 's/^ //'
}

# effects VIEW: the option has one there, by what -help says, the word told.
effects() {
    case $told in
    'on all '* | on*" $1 "*) ;;
    on*) return 1 ;;
    not*" $1 "*) return 1 ;;
    not*) ;;
    *) fail "-$tried_option -help says nothing of its effect" ;;
    esac
}

# show VIEW OPTION...: prints the view.
# Points are words.
# shellcheck disable=SC2086
show() {
    show_view=$1
    shift
    [ "$show_view" = folder ] || set -- "$@" "$program"
    case $show_view in
    table) "$MLPROF" "$@" "$program.out" ;;
    folder) "$MLPROF" "$@" folder ;;
    by) "$MLPROF" -by line "$@" "$program.out" ;;
    allocs:path) "$MLPROF" -allocs path "$@" "$program.out" ;;
    allocs) "$MLPROF" -allocs site "$@" "$program.out" ;;
    parallel) "$MLPROF" -parallel "$@" "$program.out" ;;
    prof | hot-path) "$MLPROF" "-$show_view" "$@" "$program.out" ;;
    imbalance) "$MLPROF" -imbalance rank "$@" "$program.out" ;;
    regions) "$MLPROF" -regions "$@" "$program.out" ;;
    arcs | callees | callers | histogram | list | peek) "$MLPROF" "-$show_view" . "$@" "$program.out" ;;
    compare) "$MLPROF" "$@" "$program.out" -compare two.out ;;
    growth) "$MLPROF" -growth -size 1 "$@" "$program.out" -size 2 two.out ;;
    gate) "$MLPROF" -gate baseline "$@" "$program.out" ;;
    where) "$MLPROF" -where "$@" $points ;;
    *) "$MLPROF" "-$show_view" - "$@" "$program.out" ;;
    esac
}

# tried OPTION ARGUMENT [VIEW...]: on every view; on these alone what it does can be seen.
tried() {
    tried_option=$1 tried_word=$2
    told=$(views "$1")
    # What -open shows is the page of -html.
    case $told in
    *' html open '* | *' html '*' open '*) ;;
    *' html '* | *' open '*) fail "-$1 -help tells -html from -open" ;;
    esac
    shift 2
    sed "/^$tried_option\$/d" untried >left
    mv left untried
    for view in $views; do
        program=code
        case $tried_option,$view in
        # Allocations that were measured beside time have no stacks to go by.
        focus,allocs | hide,allocs | ignore,allocs | focus,dhat | hide,dhat | ignore,dhat) program=bytes ;;
        library,allocs) view=allocs:path ;;
        *,parallel) program=team ;;
        esac
        tried_status=0 tried_now=$tried_word
        case $tried_option,$view in
        by,regions | by,histogram) tried_now=copy ;;
        mlmon,parallel) tried_now=list.team ;;
        esac
        show "$view" "-$tried_option" "$tried_now" >out 2>err || tried_status=$?
        if ! effects "${view%:path}"; then
            read -r line <err || :
            case $tried_status,$line in
            1,"mlprof: option -$tried_option needs "* | 1,"mlprof: option -$tried_option has no effect with "*) ;;
            *) fail "-$tried_option with $view: exit status $tried_status, $line" ;;
            esac
            [ ! -s out ] || fail "-$tried_option with $view is an error and prints"
            continue
        fi
        case $tried_status,$view in
        0,* | 3,gate) ;;
        *) fail "-$tried_option $tried_word with $view: exit status $tried_status, $(cat err)" ;;
        esac
        [ -f "without.$view.$program" ] || show "$view" >"without.$view.$program" 2>err || [ "$view" = gate ] ||
            fail "$view: $(cat err)"
        # Changes of so few functions may be in the order of their names: mlprof-golden-samples
        # has that order.
        [ "$tried_option,$view" != sort,compare ] || continue
        case " $* " in
        '  ' | *" $view "*)
            ! cmp -s out "without.$view.$program" || fail "-$tried_option $tried_word changes nothing of $view"
            ;;
        esac
    done
}

# All options, and those that are views.
"$MLPROF" -help | sed -n 's/^  -\([a-z-]*\).*/\1/p' >options
views='table by folder'
: >untried
while read -r option; do
    "$MLPROF" -help="$option" >one
    if [ "$option" = open ]; then
        continue
    elif [ "$option" = parallel ] && [ ! -f team ]; then
        continue
    elif grep -q '^    goes by: ' one; then
        views="$views $option"
    elif grep -q '^    has .* effect on: ' one; then
        echo "$option" >>untried
    fi
done <options
[ "$(echo "$views" | wc -w)" -gt 25 ]
# Of deep::both.
start=$(nm code | awk '/ _ZN4deep4bothEj$/ { print $1 }')
points=
for at in $(seq 0 3 200); do
    points="$points $(printf %x $((0x$start + at)))"
done

tried artificial true
tried balance false table by folder callers callees peek list parallel prof regions histogram
tried branch true
tried by file
tried change share
tried focus other
tried formula 'b - a'
tried gate-threshold 1e6
tried gcov-version 2
tried graph-title name
tried gray true
tried hide other
tried ignore other
tried keep '"deep::both"'
tried layout mlton table by folder allocs arcs callees callers peek regions
tried library code.cc
tried long-name false
tried measure stack
tried merge-builds true none
tried mlmon list
tried names full
tried paths true regions histogram json
tried raw true table by call-graph callees callers list peek
tried show-extern true
tried show-line true
tried size 7 none
tried skid false table
tried sort name
tried source-dir there
tried source-map "$PWD/here=$PWD/there"
tried source-text any none
tried split deep::work
tried subtract false regions histogram json
tried thresh 70
tried tolerant true none
tried top 1
tried unprofile deep::work
same untried /dev/null
