# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the tables of mlprof, for lib.sh. table.awk knows their layout.

# table_of ARGUMENT...: prints mlprof's table with all measures, and names in the compiler's form.
table_of() {
    "$MLPROF" -raw true -names plain -top 0 "$@"
}

# table_rows HEAD...: reads tables on standard input and prints a line `NAME CELL...' for each row,
# with the numbers in the columns of these headings. `stack HEAD' is the second column HEAD, after
# `stack'.
table_rows() {
    table_heads=$1
    shift
    for table_head; do
        table_heads="$table_heads|$table_head"
    done
    awk -v heads="$table_heads" -f "$SRC/testsuite/table.awk"
}

# table_cell NAME HEAD: reads tables on standard input and prints the cells of the rows NAME in the
# column HEAD; 0 if there is no such row.
table_cell() {
    table_name=$(printf '%s\n' "$1" | sed 's/\\/\\\\/g')
    awk -v of="$table_name" -v heads="$2" -f "$SRC/testsuite/table.awk"
}
