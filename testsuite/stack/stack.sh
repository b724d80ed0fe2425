# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the switch stack. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
STACK_PROGRAMS=$SRC/testsuite/stack
# shellcheck disable=SC2034
SWITCH=-fplugin-arg-ccprof-stack

# table PROGRAM FILE...: a line `NAME CUR STACK' for each function, of calls or bytes, sorted.
table() {
    table_of "$@" >counts.table
    measure=calls
    ! grep -q ' allocated$' counts.table || measure=bytes
    table_rows $measure "total $measure" <counts.table | sort
}

# model: what the model says of walks.cc, with outside.o, which is not profiled: of its calls into the file `want', a
# line for each function as `table' has it; of what is entered and left into `want.tree', until the program ends itself.
model() {
    "$CXX" -O1 -DOUTSIDE -c "$STACK_PROGRAMS/walks.cc" -o outside.o
    "$CXX" -O0 -no-pie -finstrument-functions -finstrument-functions-exclude-file-list=/usr/,model.cc \
        "$STACK_PROGRAMS/walks.cc" "$STACK_PROGRAMS/model.cc" outside.o -o model
    nm -C model | awk '{ address = $1; $1 = $2 = ""; sub(/^ +/, ""); sub(/\(.*/, ""); print address, $0 }' >names
    ./model >numbers 2>tree
    awk 'NR == FNR { address = $1; $1 = ""; name[address] = $0; next } { print name[$1], $2, $3 }' names numbers |
        sed 's/^ //' | sort >want
    awk 'NR == FNR { address = $1; $1 = ""; name[address] = $0; next }
        { address = $NF; sub(/ [^ ]*$/, ""); print $0 name[address] }' names tree | sed '/enter ends/,$d' >want.tree
}
