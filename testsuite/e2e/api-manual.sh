#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# The example of ccprof(3) compiles, with the plugin and without, and does what is said of it;
# the page tells of each name of the header, and of no other.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/api/datasets.sh"
PAGE=$SRC/doc/ccprof.3

awk '/^\.EX$/ { block++; next } /^\.EE$/ { inside = 0; next } { if (block && /^#include <ccprof/) inside = 1 }
    inside' "$PAGE" | sed 's/\\e/\\/g; s/\\-/-/g' >example.c
[ "$(wc -l <example.c)" -gt 30 ] || fail "the example has $(wc -l <example.c) lines"
for std in gnu11 c17; do
    "$CC" -std=$std -O2 -Wall -Wextra -Werror -I"$SRC/rt" example.c -o plain
done
run 0 ./plain
echo 1 >want
same out want
[ ! -e make.out ] || fail 'a program that is not profiled has written a file'
pcc -O2 -Wall -Wextra -Werror -I"$SRC/rt" example.c -o prog
example() {
    run 0 env CCPROF=rate=1000 ./prog
    same out want
    same err /dev/null
    add_up make.out sort.out mlmon.out
}
decide example
"$MLPROF" -balance false prog make.out >table
has table '  \[fill\]$'
hasnot table '  sort$'
"$MLPROF" -balance false prog sort.out >table
has table '  sort$'
has table '  \[qsort\]$'
hasnot table '  \[fill\]$'
hasnot table '  make$'
# The header itself has no rows.
"$MLPROF" -balance false prog sort.out make.out >table
hasnot table 'ccprof'

echo 'The names.'
echo '#include "ccprof.h"' | "$CC" -E -I"$SRC/rt" -xc - |
    grep -o 'ccprof_[a-z_]*(' | sort -u | sed 's/($//' |
    grep -v 'ccprof_stretch\|ccprof_phase\|ccprof_attach\|ccprof_region_cut\|ccprof_region_block' >declared
sed -n '/^\.SH SYNOPSIS/,/^\.SH DESCRIPTION/p' "$PAGE" | grep -o 'ccprof_[a-z_]*(' |
    sed 's/($//' | sort -u >told
same told declared
# Each has a paragraph of its own.
while read -r name; do
    sed -n '/^\.SH DESCRIPTION/,/^\.SH RETURN/p' "$PAGE" | grep -q "^\\.BR.*$name" ||
        fail "nothing is said of $name"
done <declared

cp example.c example.cc
sed -i 's/strcmp(one, other)/strcmp((const char *)one, (const char *)other)/
    s/text = calloc/text = (char *)calloc/' example.cc
for std in c++98 c++17; do
    "$CXX" -std=$std -O2 -Wall -Wextra -Werror -I"$SRC/rt" example.cc -o plain 2>err ||
        [ $std = c++98 ] || fail "$(cat err)"
done
cat >classes.cc <<'END'
#include <ccprof.h>
#include <cstdio>
#include <stdexcept>
static void thrower(struct ccprof_data *unit)
{
    ccprof::label phase("phase");
    ccprof::with_data stretch(unit);
    if (stretch.error() || phase.error())
        throw 1;
    throw std::runtime_error("away");
}
static void call(void *unit)
{
    thrower((struct ccprof_data *)unit);
}
int main()
{
    struct ccprof_data *outer = ccprof_data_new(), *unit = ccprof_data_new();
    for (int i = 0; i < 3; i++) {
        try {
            if (i == 2)
                ccprof_with_data(outer, call, unit);
            else
                thrower(unit);
        } catch (std::runtime_error &) {
            std::puts("away");
        }
    }
    /* Both are free again, and no phase goes on.  */
    std::printf("%d %d %d\n", ccprof_data_free(unit), ccprof_data_free(outer),
                ccprof_label_end() != 0);
    return 0;
}
END
pcxx -O2 -Wall -Wextra -Werror -I"$SRC/rt" classes.cc -o prog
run 0 ./prog
printf 'away\naway\naway\n0 0 1\n' >want
same out want
