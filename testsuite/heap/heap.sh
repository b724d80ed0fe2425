# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the heap. Sourced after testsuite/lib.sh.

# The tests use it.
# shellcheck disable=SC2034
HEAP=$SRC/testsuite/heap

# ends_well SETTINGS COMMAND...: checks that with CCPROF=SETTINGS the command succeeds and reports
# no errors, and that each data file, mlmon.out or those in the folder made, has all blocks. The
# output of the command is in the file out.
ends_well() {
    heap_settings=$1
    shift
    rm -rf mlmon.out made
    run 0 env CCPROF="$heap_settings" "$@"
    same err /dev/null
    heap_files=mlmon.out
    [ ! -d made ] || heap_files=$(echo made/*)
    for heap_file in $heap_files; do
        has "$heap_file" '^unkept 0$'
    done
}

# amounts FILE: prints the blocks and bytes of a data file that were allocated, freed and in use,
# and the unknown and unkept calls.
amounts() {
    sed -n '/^heap /,/^stacks /{/^allocated\|^freed\|^alive\|^unknown\|^unkept/p}' "$1"
}

# has_amounts FILE LINE...: these are lines of amounts FILE.
has_amounts() {
    amounts "$1" >got
    shift
    for heap_line; do
        has got "^$heap_line\$"
    done
}

# has_cells TABLE: checks cells of a table written by -csv. Standard input has lines `NAME
# COLUMN=NUMBER...'. After COLUMN~ the number may be a thousandth more or less.
has_cells() {
    python3 "$HEAP/cells.py" "$1" || fail "$1 has other cells"
}
