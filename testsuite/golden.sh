# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the tests that compare views to the last character: . "$SRC/testsuite/golden.sh"
# The expected output is in testsuite/views/NAME.expected. The test writes NAME.out into its folder.

. "$SRC/testsuite/lib.sh"
need script
unset NO_COLOR COLUMNS

if ! pcc -x c /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi
# The position of a loop's test, and the form of template arguments, depend on the version of GCC.
case $("$CC" -dumpversion) in
    12|12.*) ;;
    *) skip "the expected lines are GCC 12's" ;;
esac

# on COLUMNS ARGUMENT...: prints the output of mlprof on a terminal with COLUMNS columns. 0: in a file.
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

# golden NAME PROGRAM DATA VIEW...: compares the output of mlprof for ./PROGRAM and the file DATA with
# NAME.expected. For each view, NAME.expected has a line `$ VIEW', the text in a file and, after
# `80 columns:', the lines that differ on a terminal of this width. A view is one or several options.
# A view with -sort is only printed to a file, because the order on a terminal is the same.
golden() {
    golden_name=$1 golden_program=$2 golden_data=$3
    shift 3
    for golden_view; do
        echo "$ $golden_view"
        case $golden_view in
        *-sort*) golden_widths=0 ;;
        *) golden_widths='0 80' ;;
        esac
        for golden_columns in $golden_widths; do
            # Patterns have no blanks. The shell must not expand them.
            set -f
            # shellcheck disable=SC2086
            on $golden_columns "$golden_program" "$golden_data" $golden_view >"view.$golden_columns" 2>err
            set +f
            same err /dev/null
            awk -v most="$golden_columns" 'most && length > most' "view.$golden_columns" >long
            same long /dev/null
            ! grep ' $' "view.$golden_columns" || fail "$golden_view: blanks at the end of a line"
        done
        cat view.0
        if [ "$golden_widths" != 0 ] && ! cmp -s view.0 view.80; then
            echo '80 columns:'
            diff --unchanged-group-format='' --changed-group-format='%>' --new-group-format='%>' \
                --old-group-format='left out: %<' view.0 view.80 || :
        fi
        echo
    done >"$golden_name.out"
    # No empty line at the end.
    sed -i '$d' "$golden_name.out"
    same "$golden_name.out" "$SRC/testsuite/views/$golden_name.expected"
}

# samples NAME FILE SAMPLES AFTER: writes the data file of a run of ./NAME with the given samples
# instead of its own; 2 of them are lost.
samples() {
    objdump -d --no-show-raw-insn "$1" >"$1.code"
    sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' "$1.code" | "$MLPROF" -where "$1" | sed '/: ?$/d' >"$1.where"
    awk -v after="$4" -f "$SRC/testsuite/views/points.awk" "$1.code" "$1.where" \
        "$3" >points
    rm -f mlmon.out
    "./$1"
    awk -v lost=2 '
        FNR == 1 { file++ }
        file == 1 { points = points $0 "\n"; count++; total += $4; next }
        $1 == "engine" { $2 = "task-clock" }
        $1 == "rate" { $2 = 1000 }
        $1 == "cpu" { $2 = (total + lost) * 1000000 + 4000000 }
        $1 == "wall" { $2 = (total + lost) * 1000000 + 9000000 }
        $1 == "threads" { $2 = 1 }
        $1 == "waits" { $2 = 0 }
        $1 == "samples" { $2 = total + lost }
        $1 == "lost" { $2 = lost }
        ($1 == "module" && $2 > 0) || $1 == "own" { next }
        /^0 0x/ && !counters { next }
        $1 == "counters" { counters = 1 }
        $1 == "counts" { own = $2; print $1, count; printf "%s", points; next }
        own > 0 { own--; next }
        { print }' points mlmon.out >"$2"
}
