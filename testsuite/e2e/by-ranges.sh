#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where blocks are all that was measured: from which character to which an expression is, as the
# source text has it, and how often it was executed, as the program's loops say; its lines as gcov
# counts them; and the same in JSON and where several units have one inline function.

. "$SRC/testsuite/mlprof.sh"
. "$SRC/testsuite/flow/flow.sh"

cat >c.c <<'END'
#include "inline.h"
int g;
static int __attribute__((noinline)) f(int x)
{
    return x + g;
}
static int __attribute__((noinline)) h(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 2 + (f(i) > 4 ? f(i + 1) : f(0) + f(1));
    while (n > 0 && f(n) > 2)
        n--;
    return f(sum) +
           f(n);
}
int main(void)
{
    return h(10) + half(7) + other() == 0;
}
END
cat >other.c <<'END'
#include "inline.h"
int other(void)
{
    return half(half(9));
}
END
cat >inline.h <<'END'
int other(void);
static inline int half(int x)
{
    return x / 2;
}
END

# at LINE TEXT [LINE TEXT]: where the first TEXT in that line of c.c begins and (in the second line,
# if there is one) the last character of it, as mlprof tells it.
at() {
    awk -v line="$1" -v text="$2" -v last="${3:-$1}" -v end="${4:-$2}" '
        FNR == line { start = index($0, text) }
        FNR == last { stop = index($0, end) + length(end) - 1 }
        END {
            if (!start || stop < length(end)) exit 1
            printf "c.c: %d:%d-%d:%d", line, start, last, stop
        }' c.c ||
        fail "not in line $1 of c.c: $2"
}

pcc -O2 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks c.c other.c -o c
./c || fail "the program's sum is 0"
run 0 mlprof_short -by expression c
same err /dev/null
executions >got

# f is called for each of i = 0 to 9, whose half is above 4; n goes from 10 to 2.
{
    echo "$(at 5 'x + g') 36"
    echo "$(at 10 'i < n') 11"
    echo "$(at 10 'i++') 10"
    echo "$(at 11 '(f(i) > 4 ? f(i + 1) : f(0) + f(1))') 10"
    echo "$(at 11 'f(i)') 10"
    echo "$(at 11 'f(i + 1)') 5"
    echo "$(at 11 'f(0)') 5"
    echo "$(at 11 'f(1)') 5"
    echo "$(at 12 'n > 0 && f(n) > 2') 9"
    echo "$(at 12 'f(n)') 9"
    echo "$(at 13 'n--') 8"
    echo "$(at 14 'f(sum)') 1"
    echo "$(at 15 'f(n)') 1"
    echo "$(at 14 'f(sum)' 15 'f(n)') 1"
    echo "inline.h: 4:12-4:16 3"
} >want
while read -r line; do
    grep -qxF "$line" got || fail "not: $line; $(cat got)"
done <want
sort got | uniq -d >twice
same twice /dev/null

# JSON has what the table has.
run 0 "$MLPROF" -json data.json -by expression c
tr '{' '\n' <data.json >json
while read -r file range count; do
    grep -F "\"$file $range\"" json | grep -qE "\"executions\": $count," || fail "not in JSON: $file $range $count; $(cat json)"
done <want

# Lines that gcov counts have its counts; it has none for what is a constant in a register later.
"$CC" -O2 --coverage c.c other.c -o plain
./plain
"$(gcov_tool)" plain-c.gcda >/dev/null
sed -n 's/^ *\([0-9]*\)\*\{0,1\}: *\([0-9]*\):.*/c.c: \2 \1/p' c.c.gcov | sort >lines
run 0 mlprof_short -by line c
executions | grep '^c\.c' | sort >got
[ -s lines ] || fail 'gcov counts nothing'
grep -vxFf got lines >others || true
same others /dev/null
