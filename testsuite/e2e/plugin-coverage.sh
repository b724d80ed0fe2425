#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Beside --coverage gcov's notes name the source files, lines and blocks that they name without the
# plugin, but for what counters change; and gcov finds no file of ours in them, in any kind.
. "$SRC/testsuite/plugin/plugin.sh"
need "$CXX" gcov gcov-dump

cat >c.c <<'END'
#include <stdio.h>
static inline int square(int n) { return n * n; }
int work(int k)
{
    int sum = 0;
    for (int i = 0; i < k; i++)
        if (i % 3)
            sum += square(i);
        else
            sum -= i;
    return sum;
}
int main(void)
{
    printf("%d\n", work(100));
    return 0;
}
END
cat >cc.cc <<'END'
#include <algorithm>
#include <cstdio>
#include <vector>
template <class T> struct total {
    T value{};
    void add(T x) { value += x; }
};
int main()
{
    std::vector<int> all;
    for (int i = 0; i < 50; i++)
        all.push_back(2 * i ^ 3);
    std::sort(all.begin(), all.end());
    total<long> sum;
    for (int x : all)
        if (x % 2)
            sum.add(x);
    try {
        if (sum.value > 5)
            throw 3;
    } catch (int e) {
        sum.add(e);
    }
    std::printf("%ld\n", sum.value);
}
END

# notes FILE: what they say, but for the time and a checksum of names that hold one.
notes() {
    gcov-dump -l "$1" | sed 's/^[^:]*://; s/stamp [0-9]*//; s/checksum[^,]*//'
}

# covered COMPILER SOURCE KIND OPTION...
covered() {
    compiler=$1 source=$2 kind=$3
    shift 3
    base=${source%.*}
    rm -f ./*.gc*
    "$compiler" "$@" --coverage -c "$source" -o "$base.o"
    notes "$base.gcno" >want
    rm -f ./*.gc*
    "$compiler" "$@" --coverage "-fplugin=$O/ccprof.so" "-fplugin-arg-ccprof-profile=$kind" -c "$source" \
        -o "$base.o"
    notes "$base.gcno" >got
    hasnot got '<ccprof>'
    [ "$kind" = count ] || same got want
    "$compiler" "$@" --coverage "$base.o" -o prog
    CCPROF=off ./prog >/dev/null
    gcov "$base.gcda" >out 2>err
    [ ! -s err ] || fail "gcov says: $(cat err)"
    [ -z "$(find . -name '*ccprof*')" ] || fail "a file of ours: $(find . -name '*ccprof*')"
}

for kind in time time-field count; do
    for options in -O0 -O1 -O2 '-O3 -flto' '-O2 -g'; do
        echo "$kind $options"
        # shellcheck disable=SC2086
        covered "$CC" c.c $kind $options
        # shellcheck disable=SC2086
        covered "$CXX" cc.cc $kind $options
    done
done
