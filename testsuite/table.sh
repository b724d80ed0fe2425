# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How tests read the tables of mlprof, which lib.sh has; table.awk knows how they are laid out.

# table_of ARGUMENT...: mlprof's table, with all that was measured, and names as the compiler says them.
table_of() {
    "$MLPROF" -raw true -names plain -top 0 "$@"
}

# table_rows HEAD...: of the tables on standard input a line `NAME CELL...' for each row, with the numbers
# under these heads. `stack HEAD' is the second column of that head, behind `stack'.
table_rows() {
    table_heads=$1
    shift
    for table_head; do
        table_heads="$table_heads|$table_head"
    done
    awk -v heads="$table_heads" -f "$SRC/testsuite/table.awk"
}

# table_cell NAME HEAD: what the rows of that name have there, on standard input; 0 if there is none.
table_cell() {
    table_name=$(printf '%s\n' "$1" | sed 's/\\/\\\\/g')
    awk -v of="$table_name" -v heads="$2" -f "$SRC/testsuite/table.awk"
}
