#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions declared artificial belong to those that call them, unless -artificial asks for them.
. "$SRC/testsuite/lib.sh"
cp "$SRC/testsuite/names/artificial.c" .

# cur NAME: its percentage in the file out, 0 if it has no row.
cur() {
    table_cell "$1" cur <out
}

# all_of_user: nothing else takes time, but for two samples where the process begins and ends; half of that is mix's.
all_of_user() {
    ./prog >/dev/null
    run 0 "$MLPROF" prog mlmon.out
    hasnot out '  mix$'
    hasnot out '  twist$'
    samples=$(sed -n 's/^samples //p' mlmon.out)
    lies "$(awk "BEGIN { print 99 - 200 / $samples }")" "$(cur user)" 100 "user, of $samples samples" || return
    run 0 "$MLPROF" -artificial true prog mlmon.out
    has out '  mix$'
    lies 20 "$(cur mix)" 100 mix
}

for options in -O0 -O2 '-O2 -flto' '-O2 -g -fPIC'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options artificial.c -o prog
    decide all_of_user
    line=$(grep -n 'x = mix(x)' artificial.c | cut -d: -f1)
    run 0 "$MLPROF" -balance false -list user prog mlmon.out
    has out "[0-9.]*%.* $line .*x = mix(x)"
    run 0 "$MLPROF" -artificial false prog mlmon.out
    hasnot out '  mix$'
    "$MLPROF" -where prog </dev/null
    # Its calls are no rows either.
    # shellcheck disable=SC2086
    pcc $options -fplugin-arg-ccprof-profile=count artificial.c -o prog
    ./prog >/dev/null
    run 0 "$MLPROF" prog mlmon.out
    hasnot out '  mix$'
    run 0 "$MLPROF" -artificial true prog mlmon.out
    has out ' 100,000,000  mix$'
    # Inclusive counts hold them, so that they are part of all that was counted.
    # shellcheck disable=SC2086
    pcc $options -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-stack artificial.c -o prog
    ./prog >/dev/null
    run 0 "$MLPROF" prog mlmon.out
    hasnot out '  mix$'
    has out '^ *0\.0% .* 100\.0%  .*  user$'
    has out '^200,100,001 ticks$'
done
