#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=time,count: the cost of counting is charged to the function that is counted, also
# where it was inlined, at the position of what is counted.
. "$SRC/testsuite/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "the additions are looked for in x86-64 code"

cat >place.c <<'END'
volatile int sink;
static inline __attribute__((always_inline))
void inner(int i)
{
    sink = i;
    if (i > 5)
        sink = 5;
    sink = 6;
}
__attribute__((noipa)) void outer(int n)
{
    sink = 1;
    if (n & 1)
        inner(n);
    sink = 2;
}
int main(void)
{
    outer(7);
}
END

# additions: a line `LOCAL STACK' for each addition to a counter in outer, sorted.
additions() {
    objdump -d --disassemble=outer place >code
    sed -n 's/^ *\([0-9a-f]*\):.*addq  *[^,]*0x1,.*/\1/p' code |
        "$MLPROF" -where place | sed 's/^[^ ]* //' | sort
}

cat >want <<'END'
inner place.c:3:6 < outer place.c:14:9
outer place.c:10:29
END
for level in -O1 -O2 "-O2 -g" "-O2 -flto"; do
    # shellcheck disable=SC2086
    pcc $level -fplugin-arg-ccprof-profile=time,count place.c -o place
    additions >got
    same got want
done

# The counter of an edge is at the condition, or at the statement that leads on.
pcc -O1 -fplugin-arg-ccprof-profile=time,count -fplugin-arg-ccprof-blocks place.c -o place
additions >got
has got '^inner place.c:[67]:[0-9]* < outer place.c:14:9$'
sed 's/:[67]:[0-9]*/:3:6/' got | sort -u >functions
same functions want

# What is executed as often as something else is not counted once more.
sed 's/if (n & 1)/if (n | 1)/' place.c >often.c
mv often.c place.c
pcc -O2 -fplugin-arg-ccprof-profile=time,count place.c -o place
additions >got
echo "outer place.c:10:29" >want
same got want
rm -f mlmon.out
./place
"$MLPROF" -raw true place mlmon.out >calls
has calls '  1  *-  inner$'
has calls '  1  *-  outer$'

# The plugin tells so.
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-verbose -c place.c -o place.o 2>told
has told '^ccprof: outer: marks 2, counters 1$'
has told '^ccprof: main: marks 1, counters 1$'

# What a call always returns to is executed as often as the call; not so if it may end.
cat >calls.c <<'END'
#include <stdlib.h>
volatile int sink;
static __attribute__((noinline)) void returns(void) { sink = 1; }
__attribute__((noipa)) void may_end(void) { if (sink == 2) exit(0); }
static inline void behind(void) { sink = 3; }
__attribute__((noipa)) void sure(void) { returns(); behind(); }
__attribute__((noipa)) void unsure(void) { may_end(); behind(); }
int main(void)
{
    sure();
    unsure();
    sink = 2;
    unsure();
}
END
pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-verbose calls.c -o calls 2>told
has told '^ccprof: sure: marks 2, counters 1$'
has told '^ccprof: unsure: marks 2, counters 2$'
rm -f mlmon.out
./calls
"$MLPROF" -raw true calls mlmon.out >table
has table '  2  behind$'
has table '  2  unsure$'
has table '  2  may_end$'
