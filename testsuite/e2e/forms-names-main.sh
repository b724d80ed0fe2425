#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The top level of all files of C++ is one row <main>, without a line: calls, counted, and who
# is called from there.
. "$SRC/testsuite/lib.sh"

for unit in one two; do
    [ $unit = one ] && shift=3 || shift=5
    cat >$unit.cc <<END
extern int compute_$unit(int);
__attribute__((noinline)) int compute_$unit(int n)
{
    unsigned s = 1;
    for (int i = 0; i < n; i++)
        s = (s ^ s >> $shift) * 1664525;
    return (int)s;
}
struct kept_$unit {
    int value;
    kept_$unit() : value(compute_$unit(30000000)) {}
    ~kept_$unit() { value = 0; }
};
kept_$unit global_$unit;
END
done
echo 'int main() { return 0; }' >main.cc
# initializes: nearly all of a run is in what main is called behind: of some 100 samples a few may be of the program's
# start.
initializes() {
    run 0 env CCPROF=rate=1000 ./prog
    run 0 "$MLPROF" -balance false -show-line true -callees '<main>' prog mlmon.out
    [ "$(grep -c ': callees of ' out)" -eq 1 ] || fail "$options: not one row: $(cat out)"
    grep '^cur [0-9.]*%, stack \(100.0\|9[5-9].[0-9]\)%: callees of <main>$' out || return
    for unit in one two; do
        grep "%  \\(kept_$unit::kept_$unit\\|compute_$unit\\)  " out || return
    done
}
for options in -O0 -O2 '-O2 -flto' '-O2 -fPIC'; do
    # shellcheck disable=SC2086
    pcxx $options one.cc two.cc main.cc -o prog
    decide initializes
    run 0 "$MLPROF" -balance false prog mlmon.out
    hasnot out '_GLOBAL__\|__static_init'
done
