# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For the tests of the kind call. Sourced after testsuite/lib.sh.

# The tests use both.
# shellcheck disable=SC2034
CALL=$SRC/testsuite/call
KIND=-fplugin-arg-ccprof-profile=call

# source FILE: the frames of profiled code in a chain that was printed.
source_of() {
    sed -n '/^[^ ]*  [^(]/p' "$1"
}

# line FILE WORD: the number of the line that ends in the comment `// WORD'.
line() {
    awk -v word="// $2" 'index($0, word) && substr($0, length($0) - length(word) + 1) == word {
        print NR; n++ } END { exit n != 1 }' "$1" ||
        fail "not one line of $1 ends in // $2"
}

# frames FILE WORD...: what is printed of frames at these marks, columns left out. A word is
# that of a mark, behind the function's name and a colon.
frames() {
    file=$1
    shift
    for frame; do
        echo "${frame%:*}  $file: $(line "$file" "${frame##*:}")"
    done
}

# without_columns
without_columns() {
    sed 's/\(: [0-9]*\)\.[0-9]*$/\1/'
}

# printed FILE WANT: the profiled frames in the file, columns left out, are those.
printed() {
    source_of "$1" | without_columns >printed.got
    cmp -s printed.got "$2" || {
        diff -u "$2" printed.got >&2 || :
        cat "$1" >&2
        fail "another chain"
    }
}
