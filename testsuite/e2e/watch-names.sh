#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# own processor
# stopwatch=: samples stand in the region of each of 100 functions whose long names differ at their
# end, by the names that the table of regions has, in all views; -names plain shows them whole.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/shares/rows.sh"

tabulate() {
    "$MLPROF" -names readable -raw true -by phase "$@" mlmon.out >table || fail "mlprof: exit status $?"
}

export CCPROF=rate=4000
pcxx -O2 -std=c++17 -fplugin-arg-ccprof-stopwatch='work<.*run' "$SRC/testsuite/watch/many.cc" -o prog
name='work<std::map<std::string, std::vector<...>>'
# Of 398 parts.
profile prog
near "[$name, 98>::run]" 50.25
near "[$name, 99>::run]" 25.13
[ "$(grep -c "^label " mlmon.out)" -gt 64 ] || fail "$(grep -c "^label " mlmon.out) labels"
# Each that was sampled has the whole name of its region.
sed -n 's/^label [0-9]* //p' mlmon.out | sort >labels
sed -n 's/^region [0-9]* [0-9]* 0x[0-9a-f]* //p' mlmon.out | sort >regions
[ -z "$(comm -23 labels regions)" ] || fail "no regions: $(comm -23 labels regions)"

"$MLPROF" -names readable -regions prog mlmon.out >of-regions
has of-regions "  $name, 98>::run\$"
"$MLPROF" -names readable prog mlmon.out >functions
has functions "  \[$name, 98>::run\]\$"
"$MLPROF" -names readable -folded folded prog mlmon.out >/dev/null
has folded "^\[$name, 98>::run\];main;"
"$MLPROF" -by phase -names plain prog mlmon.out >whole
has whole '  \[work<std::map<std::__cxx11::basic_string<char, .*, 98>::run\]$'
# What a file says is what a pattern means, too.
"$MLPROF" -names readable -focus 'run\]$' prog mlmon.out >focused
has focused "  \[$name, 99>::run\]\$"
"$MLPROF" -names readable -pprof prog.pb.gz prog mlmon.out >/dev/null
gzip -dc prog.pb.gz | tr -c '[:print:]' '\n' >texts
has texts "$name, 98>::run"
hasnot texts 'char_traits<'

# Functions that share name and line have rows of their own, whatever names are shown.
pcxx -O2 -std=c++17 -fplugin-arg-ccprof-stopwatch='timed|S::f' "$SRC/testsuite/watch/alike.cc" -o alike
CCPROF=output=alike.out ./alike
for options in '' '-names plain' '-names readable' '-names full' '-by copy' '-names readable -paths true'; do
    # shellcheck disable=SC2086
    "$MLPROF" $options -regions alike alike.out >rows
    has rows '^14 calls of 4 regions'
    has rows '^ *3  .*S::f(int)'
    has rows '^ *4  .*S::f(double)'
    has rows '^ *3  .*lambda()#1})'
    has rows '^ *4  .*lambda()#2})'
done
"$MLPROF" -histogram 'S::f' alike alike.out >histograms
has histograms '^S::f(int): 3 calls'
has histograms '^S::f(double): 4 calls'
"$MLPROF" -regions alike alike.out -compare alike.out >compared
[ "$(grep -c 'S::f(' compared)" = 2 ] || fail "$(cat compared)"
