#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A function that GCC split is one frame with what it split off, and a destructor that also frees with the
# one that it calls: neither stands on itself in any view.  What does call itself still does.
. "$SRC/testsuite/lib.sh"
cp "$SRC/testsuite/names/activation.c" "$SRC/testsuite/names/activation.cc" \
    "$SRC/testsuite/names/again.c" .

# callers FUNCTION NAME...: whether these and no others called it.
callers() {
    run 0 "$MLPROF" -balance false -callers "$1" prog mlmon.out
    shift
    table_rows stack <out | sed 's/ [^ ]*$//' | sort >got
    printf '%s\n' "$@" | sort >want
    diff want got
}

# Each of these makes a run in which all of them were sampled.
itself() {
    CCPROF=rate=2000 ./prog >/dev/null
    callers look first second third && callers 'work' look count && callers count count main
}
by_frames() {
    CCPROF=stack=yes,rate=2000 ./prog >/dev/null
    callers look first second third && callers count count main
}
inlined_again() {
    CCPROF=rate=1000 ./prog >/dev/null
    callers greater sort
}
destroyed() {
    CCPROF=stack=yes,rate=2000 ./prog >/dev/null
    callers base::~base drop && callers work base::~base
}

# With the second look itself calls its part, and is on the stack.
for options in -O2 '-O2 -fno-optimize-sibling-calls' '-O2 -fPIC' '-O2 -flto' '-O2 -g'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options -fplugin-arg-ccprof-stack activation.c -o prog
    nm prog | grep -q 'look\.part' || fail "GCC does not split look with $options"
    decide itself
    run 0 "$MLPROF" -balance false -callees look prog mlmon.out
    hasnot out '  look$'
    run 0 "$MLPROF" -flame prog.svg -call-graph prog.dot prog mlmon.out
    # No frame of look is right upon another one, in either picture.
    id=$(sed -n 's/^ *"*\(n*[0-9]*\)"* \[.*look.*/\1/p' prog.dot | head -n 1)
    [ -n "$id" ]
    hasnot prog.dot "^ *\"*$id\"* -> \"*$id\"* "
    # The lines of look are where its part is, and nothing is counted twice.
    run 0 "$MLPROF" -balance false -list look prog mlmon.out
    has out 'work(&table\[k % 50\])'
    # Without the switch stacks come from the program's own frames.
    # shellcheck disable=SC2086
    pcc $options activation.c -o prog
    decide by_frames
done

# A part that is inlined in its function again.
for options in -O2 '-O2 -fPIC' '-O2 -g'; do
    echo "$options"
    # shellcheck disable=SC2086
    pcc $options -fplugin-arg-ccprof-stack again.c -o prog
    decide inlined_again
done

# A destructor that is inlined where it is called is not known for the one that frees: the
# first of these options keeps GCC from it.
for options in -O0 -O2 '-O2 -flto' -Os; do
    options="-fno-devirtualize-speculatively $options"
    echo "$options"
    # shellcheck disable=SC2086
    pcxx $options activation.cc -o prog
    decide destroyed
    # shellcheck disable=SC2086
    pcxx $options -fplugin-arg-ccprof-profile=count activation.cc -o prog
    ./prog >/dev/null
    run 0 "$MLPROF" prog mlmon.out
    has out ' 50,000  base::~base$'
done
