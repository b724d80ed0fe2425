#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -unprofile of time-field's data: what was inlined goes to the function around it; who called a function
# that is machine code of its own the data do not tell, and no row may say that nobody did.
. "$SRC/testsuite/mlprof.sh"
KIND=-fplugin-arg-ccprof-profile=time-field
export CCPROF=rate=1000

cat >prog.c <<'EOF'
static inline unsigned inlined(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
__attribute__((noipa)) unsigned apart(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        x = (x ^ x >> 13) * 0x3ade68b;
    return inlined(x);
}
__attribute__((noipa)) unsigned caller(unsigned x)
{
    return apart(x + 1) + 1;
}
int main(void)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 300000; i++)
        x = caller(x);
    return x == 3;
}
EOF
# shares FILE: each row's name and the tenths of percent that it has.
shares() {
    table_rows cur <"$1" | awk '{ print $1, int(10 * $2 + 0.5) }' | sort
}

pcc "$KIND" -O2 prog.c -o whole
./whole
run 0 "$MLPROF" whole mlmon.out
shares out >all
run 0 "$MLPROF" -unprofile inlined whole mlmon.out
shares out >got
awk '{ share[FILENAME, $1] = $2 }
    END {
        off = share["got", "apart"] - share["all", "apart"] - share["all", "inlined"]
        exit !(share["all", "apart"] > 100 && share["all", "inlined"] > 100 && off <= 1 && off >= -1 &&
            !(("got", "inlined") in share))
    }' all got || fail "apart has not what inlined cost: $(cat all got)"

# Its caller, which has all of that if it is excluded by the compiler.
WHY='exclude it when it is compiled, with -fplugin-arg-ccprof-exclude-function'
refused "-unprofile apart|inlined: time-field does not tell who called apart, which would have its time: $WHY" \
    "$MLPROF" -unprofile 'apart|inlined' whole mlmon.out
pcc "$KIND" -O2 -fplugin-arg-ccprof-exclude-function='apart|inlined' prog.c -o part
./part
run 0 "$MLPROF" part mlmon.out
shares out | awk '$1 == "caller" { has = $2 } END { exit !(has > 900) }' || fail "excluded: $(cat out)"

# Nobody calls main; and a function without samples can be taken out.
CCPROF=rate=1000,output=main.out ./whole
run 0 "$MLPROF" -unprofile main whole main.out
pcc "$KIND" -O2 -Dmain=unused -c prog.c -o unused.o
cat >other.c <<'EOF'
__attribute__((noipa)) unsigned busy(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        x = (x ^ x >> 13) * 0x3ade68b;
    return x;
}
int main(void)
{
    unsigned x = 1;
    for (unsigned i = 0; i < 300000; i++)
        x = busy(x);
    return x == 3;
}
EOF
pcc "$KIND" -O2 other.c unused.o -o other
CCPROF=rate=1000,output=other.out ./other
run 0 "$MLPROF" -unprofile apart other other.out
has out '  busy$'
