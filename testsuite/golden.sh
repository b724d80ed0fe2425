# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests that hold views to the last character: . "$SRC/testsuite/golden.sh"
# What a view shall be is in testsuite/views/NAME.expected; what it is, in NAME.out in the test's
# folder.

. "$SRC/testsuite/lib.sh"
need script
unset NO_COLOR COLUMNS

if ! pcc -x c /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi
# Where GCC's parsers see a loop's test, and how they write a template's arguments.
case $("$CC" -dumpversion) in
    12|12.*) ;;
    *) skip "the expected lines are GCC 12's" ;;
esac

# on COLUMNS ARGUMENT...: what mlprof prints on a terminal of so many columns; 0: into a file.
on() {
    on_columns=$1
    shift
    if [ "$on_columns" = 0 ]; then
        "$MLPROF" "$@"
        return
    fi
    on_words="'$MLPROF'"
    for on_word; do
        on_words="$on_words '$on_word'"
    done
    TERM=dumb script -qec "stty cols $on_columns; exec $on_words" /dev/null </dev/null | tr -d '\r'
}

# show COLUMNS PROGRAM DATA VIEW...: what mlprof prints of ./PROGRAM and the file DATA, each view behind
# a line `COLUMNS: VIEW'.  A view is an option, or several of them; the pattern that the last one takes
# stands behind a colon.
show() {
    show_columns=$1 show_program=$2 show_data=$3
    shift 3
    for show_view; do
        # shellcheck disable=SC2086
        case $show_view in
            -*:*) set -- ${show_view%%:*} "${show_view#*:}" ;;
            *) set -- $show_view ;;
        esac
        echo
        echo "$show_columns: $*"
        on "$show_columns" "$show_program" "$show_data" "$@"
    done
}

# golden NAME PROGRAM DATA VIEW...: these views, on terminals of 80 and 120 columns and in a file, are
# those in NAME.expected.
golden() {
    golden_name=$1
    shift
    trap 'cat err >&2' EXIT
    for golden_columns in 0 80 120; do
        show $golden_columns "$@"
    done >"$golden_name.out" 2>err
    trap - EXIT
    same err /dev/null
    awk -F: '/^[0-9]+: / { most = $1 } most && length > most { print }' "$golden_name.out" >long
    same long /dev/null
    ! grep ' $' "$golden_name.out" || fail 'blanks at the end of a line'
    same "$golden_name.out" "$SRC/testsuite/views/$golden_name.expected"
}
