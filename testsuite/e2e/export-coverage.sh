#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage in the formats of others is that of programs built for gcov: LCOV's is what lcov
# captures, Cobertura's what gcovr writes; in C, C++ and Fortran, with and without optimisation and
# -flto, with exceptions and threads.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"
need python3 lcov

# lcov 2 stops where a branch is an exception in one instance of a template and not in another.
case $(lcov --version) in
*' 1.'*) LCOV='lcov --rc lcov_branch_coverage=1' ;;
*) LCOV='lcov --rc branch_coverage=1 --ignore-errors mismatch' ;;
esac

# gcov counts behind the optimisers' first passes, which inline and fold; without these two, each
# with all that it does, it counts what the program's text says at any level.
WHOLE='-fno-early-inlining -fdisable-tree-early_optimizations'

# both OPTIONS ARGUMENTS COMPILER SOURCE...: builds and runs the program in ./build, for gcov, then
# with blocks; from that come theirs.info and ours.
both() {
    options=$1 arguments=$2 compiler=$3
    shift 3
    rm -rf build theirs.* ours.*
    mkdir build
    for source; do
        cp "$source" build
    done
    (
        cd build || exit
        # shellcheck disable=SC2046,SC2086
        "$compiler" $options $(whole $options) --coverage ./*.[cf]* -o theirs -lm 2>../err || fail "$(cat ../err)"
        # shellcheck disable=SC2086
        ./theirs $arguments >output
        $LCOV -q --gcov-tool "$(gcov_tool)" -c -d . -o ../theirs.info 2>/dev/null
        # shellcheck disable=SC2086
        "$compiler" $options -fplugin="$PLUGIN" $BLOCKS ./*.[cf]* -o ours -lm
        # shellcheck disable=SC2086
        ./ours $arguments >output.ours
        same output.ours output
    )
    run 0 "$MLPROF" -lcov ours.info build/ours build/mlmon.out
}

# whole OPTION...: what gcov needs with them.
whole() {
    case $* in
    *-O0*) ;;
    *) echo "$WHOLE" ;;
    esac
}

# equal [OPTION...]: what lcov captured is ours (lcov-equal.py).
equal() {
    python3 "$SRC/testsuite/export/lcov-equal.py" "$@" ours.info theirs.info ||
        fail "not what lcov captured of $compiler $options"
}

# others: Cobertura's and gcov's files have the right form.
others() {
    run 0 "$MLPROF" -cobertura ours.xml -gcov ours.json build/ours build/mlmon.out
    run 0 "$MLPROF" -gcov-version 2 -gcov second.json build/ours build/mlmon.out
    python3 "$SRC/testsuite/export/gcov-versions.py" ours.json second.json || fail 'gcov: version 2'
    if have xmllint 'shape of XML'; then
        xmllint --noout --nonet --nowarning --relaxng "$SRC/testsuite/export/cobertura.rng" ours.xml 2>err ||
            fail "cobertura: $(cat err)"
    fi
}

echo 'C.'
both -O2 '' "$CC" "$SRC/testsuite/flow/ways.c"
equal
for level in '-O2 -flto' -O0; do
    both "$level" '20 2' "$CC" "$SRC"/testsuite/demo/*.[ch]
    equal
done
others
# Totals: ours, lcov's and genhtml's.
LF=$(awk -F : '/^LF:/ { sum += $2 } END { print sum }' ours.info)
LH=$(awk -F : '/^LH:/ { sum += $2 } END { print sum }' ours.info)
$LCOV --summary ours.info >summary 2>&1
has summary "lines.*($LH of $LF lines)"
genhtml -q --branch-coverage -o html ours.info
has html/index.html ">$LF<"
has html/index.html ">$LH<"
if have gcovr 'gcovr'; then
    (cd build && gcovr --gcov-executable "$(gcov_tool)" -r . -x ../theirs.xml)
    python3 "$SRC/testsuite/export/cobertura-equal.py" ours.xml theirs.xml || fail 'not what gcovr wrote'
fi
run 0 "$MLPROF" -lcov - build/ours build/mlmon.out
same out ours.info

if have "$CXX" 'C++'; then
    echo 'C++: exceptions, and templates of the library.'
    for level in -O0 '-O2 -flto'; do
        both "$level -pthread -fprofile-update=atomic" '' "$CXX" "$SRC/testsuite/blocks/paths.cc"
        equal --only paths.cc
    done
    # Of inline functions whose code is in a library gcov tells nothing.
    for name in libstdc++.so libc.so.6; do
        nm -D --defined-only "$("$CXX" -print-file-name="$name")"
    done | sed 's/^.* //; s/@.*//' >symbols
    # Nor of those that are always inlined, which is before it counts: they are made like others, but
    # for those of C++20's allocators, which the library does not have.
    for level in -O0 -O2; do
        both "$level -D__always_inline__=__unused__ -std=gnu++17" 1000 "$CXX" "$SRC/testsuite/export/templates.cc"
        equal --library symbols
    done
    others
fi

if have "$FC" 'Fortran'; then
    echo 'Fortran.'
    for level in -O0 '-O2 -flto'; do
        both "$level" '' "$FC" "$SRC/testsuite/count/fortran.f90"
        equal
    done
    for level in -O2 '-O0 -flto'; do
        both "$level" '' "$FC" "$SRC/testsuite/by/loops.f90"
        equal
    done
    others
fi

echo 'Names.'
mkdir "a&b\"
c"
echo 'int main(void) { return 0; }' >"a&b\"
c/x.c"
# shellcheck disable=SC2086
(cd "a&b\"
c" && pcc $BLOCKS x.c -o ../odd)
./odd
run 0 "$MLPROF" -lcov ours.info -cobertura ours.xml odd mlmon.out
has ours.info '^SF:.*/a&b"\\x0ac/x.c$'
has ours.xml '<source>.*/a&amp;b&quot;$'

echo 'What has no blocks.'
pcc -fplugin-arg-ccprof-profile=time -x c - -o plain <<'END'
int main(void) { return 0; }
END
./plain
for format in lcov cobertura; do
    run 1 "$MLPROF" -$format refused plain mlmon.out
    has err '^mlprof: plain: its blocks are not counted; compile with'
    [ ! -e refused ]
done
