#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# testsuite/tested.sh runs a verification, ends as that ends, and writes one row for each target and what it
# was run with into the table of doc/tested.md; the targets that verify for long use it, unless they are
# narrowed. limits.md, a user's page, stays short.
. "$SRC/testsuite/lib.sh"

cp "$SRC/doc/tested.md" before
# The table has no row yet.
sed '/^## Long/,/^The tables below/{/^| [a-z]/d}' before >page
cp page empty
export TESTED="$PWD/page"
run 0 "$SRC/testsuite/tested.sh" truth 'GCC 12' echo '3 right'
run 0 "$SRC/testsuite/tested.sh" fresh 'GCC 13' printf '%s\n' 'more' '7 passed, 0 failed' 'words'
run 0 "$SRC/testsuite/tested.sh" fresh 'GCC 12' echo none
run 3 "$SRC/testsuite/tested.sh" truth 'GCC 12' sh -c 'echo "4 right"; exit 3'
echo '4 right' >want
same out want
diff empty page >changed || :
sed -n 's/^> //p' changed | sed 's/^\(| [^|]*| [^|]*|\) [^|]* |/\1/' >rows
cat >want <<'END'
| fresh | GCC 12 | none |
| fresh | GCC 13 | 7 passed, 0 failed |
| truth | GCC 12 | failed: 4 right |
END
same rows want
hasnot changed '^<'

# The make that runs this one has handed on what it was given.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES TESTS JOBS SAMPLE SETS LEVELS SEEDS STEPS PACKAGES
for target in deb-check fresh compilers run-same-code run-truth; do
    "${MAKE:-make}" -n -C "$SRC" O="$O" "$target" >commands 2>&1 || :
    has commands 'testsuite/tested.sh'
done
for narrowed in 'deb-check STEPS=rpm' 'fresh TESTS=x' 'compilers TESTS=x' 'run-same-code SAMPLE=10' 'run-truth SEEDS=1'; do
    # shellcheck disable=SC2086
    "${MAKE:-make}" -n -C "$SRC" O="$O" $narrowed >commands 2>&1 || :
    hasnot commands 'testsuite/tested.sh'
done

[ "$(wc -l <"$SRC/doc/limits.md")" -le 250 ] || fail 'doc/limits.md is longer than 250 lines'
