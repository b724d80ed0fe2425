#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# profile=count with stack: the inclusive counts of a program that is full of exceptions and
# jumps are those of a model that walks its stack at each call.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/stack/stack.sh"

"$CXX" -O1 -c "$STACK_PROGRAMS/outside.cc" -o outside.o
"$CXX" -O0 -no-pie -finstrument-functions \
    -finstrument-functions-exclude-file-list=/usr/,model.cc \
    "$STACK_PROGRAMS/walks.cc" "$STACK_PROGRAMS/model.cc" outside.o -o model
nm -C model >symbols
./model >numbers
awk 'NR == FNR { address = $1; $1 = $2 = ""; sub(/^ +/, ""); sub(/\(.*/, ""); name[address] = $0; next }
    { print name[$1], $2, $3 }' symbols numbers | sort >want
# By hand: recursive counts itself and leaf twice; Cleanup's destructor itself and leaf.
has want '^Cleanup::~Cleanup 18 36$'
has want '^ends 4 4$'

# A tail call leaves the stack, as it does in the machine; the model knows none.  With -Os
# everything is done by steps.
for level in -O0 -O2 "-O3 -fno-plt" "-O2 -g" "-O2 -fPIC -shared" "-O2 -flto" -Os \
    "-Os -masm=intel" "-Os -fPIC -shared"; do
    understood "$level" || continue
    set -- "-fplugin-arg-ccprof-profile=count" "$SWITCH" -fplugin-arg-ccprof-exclude=/usr/ \
        -fno-optimize-sibling-calls
    case $level in
    *-shared)
        # shellcheck disable=SC2086
        pcxx $level "$@" -Dmain=shared_main "$STACK_PROGRAMS/walks.cc" outside.o -o libwalks.so
        echo 'int shared_main(int, char **);
            int main(int c, char **v) { return shared_main(c, v); }' >main.cc
        pcxx -O2 "$@" main.cc ./libwalks.so -o walks
        sed 's/^main 1 \([0-9]*\)$/shared_main 1 \1/' want >want.shared
        awk '$1 == "main" { print "main 1", $3 + 1 }' want >>want.shared
        sort want.shared >want.now
        ;;
    *)
        # shellcheck disable=SC2086
        pcxx $level "$@" "$STACK_PROGRAMS/walks.cc" outside.o -o walks
        cp want want.now
        ;;
    esac
    ./walks
    table walks mlmon.out >got
    same got want.now
done
