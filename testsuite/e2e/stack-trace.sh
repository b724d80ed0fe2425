#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# CCPROF=trace prints each call of a program, as worked out by hand, as many of each function as
# are counted; its limit; and programs without any traced function.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

TRACE=-fplugin-arg-ccprof-trace
COUNT=-fplugin-arg-ccprof-profile=count
TAILS=-fplugin-arg-ccprof-tail-calls=never

# tree: from a line for each call, its blanks its depth, to what a trace of it is.
tree() {
    awk '{ match($0, /^ */)
           while (open > RLENGTH / 2)
               close_one()
           name[open++] = $1
           printf "%" RLENGTH "senter %s\n", "", $1 }
         END { while (open)
                   close_one() }
         function close_one() { open--; printf "%" 2 * open "sleave %s\n", "", name[open] }'
}

# What testsuite/stack/trace.cc does where no call is a jump.
tree >want.main <<'END'
main
  rec
    rec
      rec
        small
      small
    small
  middle
    small
    small
    leaf
  middle
    small
    small
    leaf
  last
    leaf
  catcher
    between
      thrower
        thrower
      guard::~guard
        leaf
    leaf
  lander
    jumper
      jumper
    leaf
END
tree >want.worker <<'END'
worker
  middle
    small
    small
    leaf
END

# And where the last call of a function is one: `last' is left first.
awk '/enter last/ { print; print "  leave last"; last = 1; next }
     last && /leave last/ { last = 0; next }
     last { sub(/^  /, "") }
     { print }' want.main >want.jumps

# calls FILE: a line `COUNT NAME' for each function that a trace enters; counted PROGRAM: the
# same of the profile.
calls() {
    sed -n 's/^\(\[[0-9]*\] \)\{0,1\} *enter //p' "$1" | sort | uniq -c |
        awk '{ count = $1; sub(/^ *[0-9]+ /, ""); print count, $0 }' | sort
}

counted() {
    table_of "$1" mlmon.out | table_rows calls | sed '/ 0$/d; s/^\(.*\) \([^ ]*\)$/\2 \1/' | sort
}

# traced: of the program `traced', its trace in `got'.
traced() {
    rm -f mlmon.out
    CCPROF=trace=1000000 ./traced 2>got >/dev/null || fail "exit status $?"
    calls got >calls.got
    counted traced >calls.want
    same calls.got calls.want
    # Each that is entered is left.
    [ "$(grep -c '^\(\[[0-9]*\] \)\{0,1\} *enter ' got)" -eq \
        "$(grep -c '^\(\[[0-9]*\] \)\{0,1\} *leave ' got)" ] || fail "not all are left"
}

for flags in -O0 "-O1 $TAILS" "-O2 $TAILS" "-O3 $TAILS" "-O2 -g $TAILS" "-O2 -flto $TAILS" \
    "-O3 -fPIC $TAILS" -O2 "-O3 -g"; do
    # shellcheck disable=SC2086
    pcxx $flags "$COUNT" "$SWITCH" "$TRACE" "$STACK_PROGRAMS/trace.cc" -pthread -o traced
    traced
    grep -v '^\[' got >got.main
    sed -n 's/^\[[0-9]*\] //p' got >got.worker
    case $flags in
    -O2 | -O3\ -g) same got.main want.jumps ;;
    *) same got.main want.main ;;
    esac
    same got.worker want.worker
done

# Others: counts alone.
for flags in -O1 -O2 "-O3 -g"; do
    # shellcheck disable=SC2086
    pcc $flags -w "$COUNT" "$SWITCH" "$TRACE" "$SRC"/testsuite/count/calls.c -o traced
    traced
done

# The limit.
CCPROF=trace=3 ./traced 2>got >/dev/null
[ "$(grep -c '^ *enter \|^ *leave ' got)" -eq 3 ] || fail "trace=3 told another number of lines"
has got '^ccprof: CCPROF: the trace ends here, at its limit'
run 0 env CCPROF=trace=0 ./traced
has err 'trace=0 is not understood; right is: trace, or trace=LINES'

# Nothing was compiled for it.
pcc -O2 -w "$COUNT" "$SWITCH" "$SRC/testsuite/count/calls.c" -o plain
run 0 env CCPROF=trace ./plain
has err '^ccprof: CCPROF: there is no trace: nothing that ran was compiled with -fplugin-arg-ccprof-trace$'
hasnot err 'enter'

# It needs both.
for arguments in "$COUNT" "$SWITCH" "$SWITCH -fplugin-arg-ccprof-profile=alloc" \
    "$SWITCH -fplugin-arg-ccprof-profile=count,alloc"; do
    # shellcheck disable=SC2086
    run 1 pcc -c $arguments "$TRACE" "$SRC/testsuite/count/calls.c" -o traced.o
    has err 'error: ccprof: .trace. needs .stack. and .profile=count.'
done
