#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=alloc with stack: bytes, by hand; recursion that is too deep to be remembered; the
# child of a fork; the table; and where the switch does not fit.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

# get 3 + 5 + (5 + 100) + (3 + 100) + 11, of which deep 5, down 8, jump 208, child 11.
cat >want <<'END'
child 0 11
deep 0 5
down 0 8
get 227 227
jump 0 208
main 0 227
END
cat >want.child <<'END'
child 0 7
get 7 7
main 0 7
END
for level in -O0 -O2 -Os; do
    pcc "$level" -fno-optimize-sibling-calls "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" \
        "$STACK_PROGRAMS/deep.c" -o deep
    rm -f mlmon.out.*
    ./deep
    table deep mlmon.out >got
    same got want
    table deep mlmon.out.* >got
    same got want.child
    # More than 2^20 entries.
    prlimit --stack=1000000000:unlimited ./deep 1500000
    table deep mlmon.out >got
    same got want
done

# The table.
cat >want <<'END'
227 bytes allocated
   cur  bytes   stack  bytes  blocks  function
100.0%    227  100.0%    227      13  get
  0.0%      0  100.0%    227       0  main
  0.0%      0   91.6%    208       0  jump
  0.0%      0    4.8%     11       0  child
  0.0%      0    3.5%      8       0  down
  0.0%      0    2.2%      5       0  deep
END
./deep
"$MLPROF" deep mlmon.out >got
same got want

# With time samples are whole stacks, and the switch says nothing new.
pcc -O2 -c "-fplugin-arg-ccprof-profile=time,alloc" "$SWITCH" "$STACK_PROGRAMS/deep.c" -o timed.o
nm timed.o >symbols
hasnot symbols ccprof_pair
pcc -O2 -c "$SWITCH" "$STACK_PROGRAMS/deep.c" -o timed.o
for kind in no drop call; do
    run 1 pcc -O2 -c "-fplugin-arg-ccprof-profile=$kind" "$SWITCH" "$STACK_PROGRAMS/deep.c"
    has err 'error: ccprof: .stack. needs .profile=count.'
done

# Without the runtime the program runs as it would.
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" "$STACK_PROGRAMS/deep.c" -o deep
rm -f mlmon.out*
CCPROF=off ./deep 1000
[ ! -e mlmon.out ] || fail "CCPROF=off wrote a profile"

# A file compiled without the switch: of its functions the local stacks are known, and every
# view has them. Of copies (-split) it is the same.
cat >inlined.c <<'END'
#include <stdlib.h>
static inline __attribute__((always_inline)) char *inner(int n) { return malloc(n); }
static inline __attribute__((always_inline)) char *outer(int n) { return inner(n + 1); }
char *lib(int n) { return outer(n); }
END
cat >mixed.c <<'END'
char *lib(int);
int main(void)
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += lib(99) != 0;
    return s != 10;
}
END
# views [OPTION RE]: all that goes by stacks.
views() {
    run 0 "$MLPROF" "$@" -folded - mixed mlmon.out
    has out '^lib;outer;inner 1000$'
    for format in speedscope pprof firefox callgrind flame call-graph; do
        run 0 "$MLPROF" "$@" "-$format" file mixed mlmon.out
    done
}
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" -c inlined.c
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" mixed.c inlined.o -o mixed
./mixed
cat >want <<'END'
inner 1000 1000
lib 0 1000
outer 0 1000
END
table mixed mlmon.out >got
same got want
views
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" mixed.c inlined.c -o mixed
./mixed
views
views -split outer

# Around calls that come to no allocation nothing is entered, and what may, by whatever
# way, is.  get gets 1 byte twice, in odd, and 100.
cat >replaces.c <<'END'
#include <stdlib.h>
int replaceable(int n)
{
    char *block = malloc(1000);
    n += block != NULL;
    free(block);
    return n;
}
END
for how in -O0 -O2 -Os "-O2 -fPIC" "-O2 -flto"; do
    # shellcheck disable=SC2086
    pcc $how "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" "$STACK_PROGRAMS/reaches.c" -o reaches
    ./reaches
    cat >want <<'END'
calls_back 0 100
even 0 2
get 102 102
gets_one 0 100
main 0 102
odd 0 2
END
    table reaches mlmon.out >got
    same got want
done
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" -fPIC -shared -Dmain=reaches \
    "$STACK_PROGRAMS/reaches.c" -o libreaches.so
echo 'int reaches(void); int main(void) { return reaches() != 0; }' >main.c
pcc -O2 "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" main.c replaces.c ./libreaches.so -o reaches
./reaches
sed -e 's/^main.*/main 0 1102/' -e '1i calls_replaceable 0 1000' want >want.shared
printf 'reaches 0 1102\nreplaceable 1000 1000\n' >>want.shared
sort want.shared >want
table reaches mlmon.out >got
same got want
if [ "$cpu" = x86_64 ]; then
    pcc -O2 -c "-fplugin-arg-ccprof-profile=alloc" "$SWITCH" "$STACK_PROGRAMS/reaches.c" -o reaches.o
    objdump -dr --no-show-raw-insn reaches.o >code
    for function in quiet only_quiet calls_replaceable; do
        sed -n "/<$function>:/,/^\$/p" code >code.one
        has code.one "call.*"
        hasnot code.one ccprof
    done
fi
