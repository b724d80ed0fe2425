#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stopwatch=: each call of the matching functions begins and ends once, on all exits and in
# inlined copies, and tail calls stay; all other functions keep their code.
. "$SRC/testsuite/plugin/plugin.sh"
need readelf

WATCH=$SRC/testsuite/watch
ARGUMENT=-fplugin-arg-ccprof-stopwatch

# watched SOURCE REGEXP OPTIONS...
watched() {
    compiler=$CC
    case $1 in
    *.cc) compiler=$CXX ;;
    esac
    # shellcheck disable=SC2086
    "$compiler" -fplugin="$PLUGIN" $ARGUMENT="$2" $3 -Wall -Wextra -Werror -I"$SRC/rt" -I"$WATCH" "$WATCH/$1" -o prog
    run 0 env CCPROF=off ./prog
    same out /dev/null
    same err /dev/null
}

in_c='^(quiet|copy|around|recurses|returns|jumps|goes_on)$'
in_cc='^(copy|guarded|outer|catches|catching|user|base::get)$'
for options in -O0 -O2 '-O3 -fPIC' '-Og -g' '-O2 -flto'; do
    echo "$options"
    watched functions.c "$in_c" "$options"
    watched functions.cc "$in_cc" "$options"
done
# With a kind that has no markers by itself.
watched functions.c "$in_c" '-O2 -fplugin-arg-ccprof-profile=count'
if understood -masm=intel; then
    watched functions.c "$in_c" '-O2 -g -masm=intel'
fi
watched functions.cc "$in_cc" '-O3 -fplugin-arg-ccprof-profile=alloc'

echo 'Tail calls are jumps.'
pcc -O2 $ARGUMENT='^(odd|even|self)$' "$SRC/testsuite/forms/tail.c" -o tail
# shellcheck disable=SC3045
(ulimit -s 64 && CCPROF=off ./tail 3000000) >got || fail "the stack was not enough"
"$CC" -O2 "$SRC/testsuite/forms/tail.c" -o plain
./plain 3000000 >want
same got want

echo 'What is in vectors stays there, also where the runtime has to make room.'
# vectors BYTES OPTIONS...
vectors() {
    bytes=$1
    shift
    "$CC" -O2 "$@" -w -DWIDE="$bytes" "$WATCH/vectors.c" -o plain
    pcc -O2 "$@" -w -DWIDE="$bytes" $ARGUMENT='^(first|second|third)$' "$WATCH/vectors.c" -o prog
    ./plain >want
    for setting in regions=yes regions=no; do
        rm -f mlmon.out
        run 0 env CCPROF=$setting ./prog
        same out want
    done
    run 0 ./prog
    [ "$(awk '/^path/ { print $4 }' mlmon.out | sort -n | xargs)" = '100 500 1000' ] || fail "$(grep '^path' mlmon.out)"
}
vectors 16
if understood -mavx2 && grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
    vectors 32 -mavx2
fi

echo 'Inlined copies are called as often as the source says: in a loop that would be one of vectors,'
echo 'one that begins with a loop, and one of which GCC has split a part off.'
cat >loop.c <<'END'
#include <math.h>
static inline int step(int x) { return x * 3 + 1; }
static unsigned state = 1;
static unsigned draw(void)
{
    for (;;) {
        state = state * 1103515245 + 12345;
        if ((state >> 16) % 3 == 0)
            return state;
    }
}
static unsigned char level(double light)
{
    if (light <= 0)
        return 0;
    if (light >= 1)
        return 255;
    return (unsigned char)(sqrt(light) * 255 + 0.5);
}
__attribute__((noipa)) static void set(unsigned char *to, double a, double b, double c)
{
    to[0] = level(a);
    to[1] = level(b);
    to[2] = level(c);
}
int main(int count, char **all)
{
    unsigned char to[3];
    unsigned sum = 0;
    (void)all;
    for (int i = 0; i < 1000; i++)
        sum += (unsigned)(step(i + count) + step(i - count));
    for (int i = 0; i < 900; i++)
        sum += draw();
    for (int i = 0; i < 100; i++)
        set(to, i * 0.02, i * 0.005, i * -0.1), sum += to[0] + to[1] + to[2];
    return sum == 42;
}
END
for level in -O1 -O2 -O3 '-O3 -flto' '-O2 -g'; do
    rm -f mlmon.out
    # shellcheck disable=SC2086
    pcc $level $ARGUMENT='^(step|draw|level)$' loop.c -o loop -lm
    run 0 ./loop
    awk '/^region / { name[$2] = $5 } /^path/ { calls[name[$3]] += $4 }
        END { for (n in calls) print n, calls[n] }' mlmon.out | sort >got
    printf '%s\n' 'draw 900' 'level 300' 'step 2000' >want
    same got want
done

echo 'So are those of which little is left, and those from other units.'
echo 'int part(int x); int turn(int x) { return part(x) + part(x + 1); }' >turn.c
echo 'int part(int x) { return x & 1 ? x * 3 : x - 7; }' >part.c
printf '%s\n' 'both_of 1400' 'choice 700' 'count_one 200' 'draw 2100' 'heavy 500' 'in_ball 700' 'index_of 200' 'light 500' \
    'make 2100' 'number 700' 'part 800' 'scaled 700' 'side 600' 'sky 100' 'slope 700' 'turn 400' >want
for level in -O1 -O3 '-O2 -g' '-O2 -flto' '-O3 -flto -flto-partition=none -g'; do
    rm -f mlmon.out
    # shellcheck disable=SC2086
    pcc $level -Wall -Wextra -Werror \
        $ARGUMENT='^(both_of|choice|count_one|draw|heavy|in_ball|index_of|light|make|number|part|scaled|side|sky|slope|turn)$' \
        "$WATCH/copies.c" turn.c part.c -o copies
    run 0 ./copies
    awk '/^region / { name[$2] = $5 } /^path/ { calls[name[$3]] += $4 }
        END { for (n in calls) print n, calls[n] }' mlmon.out | sort >got
    same got want
done

echo 'A jump back into the function with the copy ends that copy once, whether or not the runtime'
echo 'has seen it, and no call around it.'
# Calls by their path, copies of one function inside of each other as one.
cat >jumps.awk <<'AWK'
BEGIN { paths = 0 }
$1 == "region" { name[$2] = $5 }
$1 == "path" {
    around = $2 == "-" ? "" : path[$2]
    path[paths] = around ~ "(^|/)" name[$3] "$" ? around : around (around == "" ? "" : "/") name[$3]
    calls[path[paths++]] += $4
}
END { for (p in calls) if (calls[p]) print p, calls[p] }
AWK
# For each of three kinds of jump, ten times: a call of `inner' alone, one around another, and one around
# two more with `apart' in each; then `deep', six calls, alone and in `inner'.
printf '%s\n' 'after 70' 'deep 60' 'inner 190' 'inner/after 140' 'inner/apart 60' 'inner/deep 60' >want
for link in '' -static; do
    for level in -O0 -O2 '-O3 -g' '-O2 -flto'; do
        echo "$level $link"
        rm -f mlmon.out
        # shellcheck disable=SC2086
        pcc $level -U_FORTIFY_SOURCE -Wall -Wextra -Werror $ARGUMENT='^(inner|apart|deep|after)$' "$WATCH/jumps.c" ${link:+-static -L"$O/rt" -lccprof} -o jumps
        run 0 ./jumps
        same err /dev/null
        awk -f jumps.awk mlmon.out | sort >got
        same got want
    done
done

# By file; excluded functions have none; several patterns add up.
cat >files.c <<'END'
#include "header.h"
int g(int x) { return __builtin_abs(x) + in_header(x); }
__attribute__((ccprof_exclude)) int hidden(int x) { return x + 1; }
END
echo '__attribute__((noinline)) static int in_header(int x) { __asm__(""); return x * 3; }' >header.h
# names SOURCE OPTIONS...: the functions with watches.
names() {
    pcc -O2 -c "$@" -o it.o
    readelf -p .rodata.ccprof_watched it.o 2>/dev/null | sed -n 's/^ *\[ *[0-9a-f]*\]  //p' | sort | xargs
}
[ "$(names files.c $ARGUMENT-file='header[.]h$')" = in_header ] || fail "by file: $(names files.c $ARGUMENT-file='header[.]h$')"
[ "$(names files.c $ARGUMENT=^g $ARGUMENT-file=header)" = 'g in_header' ] || fail 'two patterns'
[ "$(names files.c $ARGUMENT=.)" = 'g in_header' ] || fail 'an excluded function'
[ "$(names files.c $ARGUMENT=nothing)" = '' ] || fail 'nothing matches'

echo 'Other functions keep their code.'
# A watched function that calls nothing changes registers there, but on x86-64, and its callers, which
# would know, do as they must (doc/tested.md).
any_register=
[ "$cpu" = x86_64 ] || any_register=-fno-ipa-ra
# others REGEXP COMPILER OPTIONS...: what differs is in functions that call the stub for their
# watches, or in what is addressed: tables of jumps, constants and their numbers.
others() {
    pattern=$1
    shift
    # shellcheck disable=SC2086
    set -- "$@" $any_register -w -ffunction-sections -fdata-sections -gno-record-gcc-switches -frandom-seed=1
    # shellcheck disable=SC2086
    {
        "$@" $form -o plain.o
        "$@" $form -fplugin="$PLUGIN" $ARGUMENT="$pattern" -o it.o
    }
    "$OBJDIFF" plain.o it.o >differences || :
    readelf -rW it.o | awk '
        /^Relocation section/ { gsub(/\047|[.]rela/, "", $3); section = $3 }
        /ccprof_attach_region|ccprof_watch_/ { print section }' | sort -u >have
    # A function's cold part, which GCC 14 and later make of less, is the same function.
    sed 's/^\.text\./.text.unlikely./' have | sort -u - have >theirs
    sed -n 's/^\(\.[^:]*\): .*/\1/p' differences | grep -v '^\.eh_frame\|^\.gcc_except_table\|^\.rodata\|^\.data\.rel\.ro\.local\|^\.debug\|[.]ccprof_watch' |
        sort -u >differ || :
    comm -23 differ theirs >wrong
    [ ! -s wrong ] || fail "$*: $(cat wrong differences)"
    # Most have none.
    checked=$((checked + $(readelf -SW plain.o | grep -c ' \.text\..*PROGBITS') - $(wc -l <have)))
    had=$((had + $(wc -l <have)))
}
checked=0 had=0 form=-c
# Where a landing pad is a part of its own, the labels of all constants behind it have other numbers.
one_part=-fno-reorder-blocks-and-partition
# Where a copy with a watch is no longer made one of vectors its constants are others, and those of
# the functions behind it have other numbers.
no_vectors=-fno-tree-vectorize
for level in -O2 '-O3 -fPIC' '-O2 -g' -O0; do
    # shellcheck disable=SC2086
    {
        others '[ae]$' "$CC" $level "$SRC/testsuite/demo/tree.c"
        others '[ae]$' "$CC" $level $no_vectors "$SRC/testsuite/demo/scene.c"
        others '^(quiet|copy)$' "$CC" $level -DWITHOUT_API -U__CCPROF__ -I"$SRC/rt" -I"$WATCH" "$WATCH/functions.c"
        others '^(quiet|copy)$' "$CXX" $level $one_part -DWITHOUT_API -U__CCPROF__ -I"$SRC/rt" -I"$WATCH" "$WATCH/functions.cc"
        others '[aei]$' "$CXX" $level -std=c++17 -I"$SRC/testsuite/shares" "$SRC/testsuite/forms/names.cc"
        for file in base/buf base/intern elf/insns tables/function view/rows-table; do
            others '[aeiou][a-z]$' "$CC" $level -I"$SRC" -DCCPROF_VERSION='""' "$SRC/mlprof/$file.c"
        done
    }
done
form='-r -flinker-output=nolto-rel'
# With GCC 13 scene_hit has a value in a register that a function with a copy leaves alone.
case $("$CC" -dumpversion) in
13*) any_register=-fno-ipa-ra ;;
esac
others '[ae]$' "$CC" -O2 $no_vectors -flto "$SRC/testsuite/demo/"*.c
[ "$cpu" != x86_64 ] || any_register=
others '^(quiet|copy)$' "$CXX" -O3 -flto $one_part -DWITHOUT_API -U__CCPROF__ -I"$SRC/rt" -I"$WATCH" "$WATCH/functions.cc"
echo "$checked functions without a watch, $had with one"
if [ "$checked" -lt 200 ] || [ "$had" -lt 100 ]; then
    fail 'too few'
fi
