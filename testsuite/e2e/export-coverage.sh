#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage in the formats of others is that of programs built for gcov: LCOV's is what lcov
# captures, Cobertura's what gcovr writes; in C, C++ and Fortran.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/flow/flow.sh"
need python3 lcov

LCOV="lcov -q --rc lcov_branch_coverage=1"

# both COMPILER SOURCE...: builds and runs the program in ./build, for gcov, then with blocks; from
# that come theirs.info and ours.
both() {
    compiler=$1
    shift
    rm -rf build theirs.* ours.*
    mkdir build
    for source; do
        cp "$source" build
    done
    (
        cd build || exit
        "$compiler" -O0 --coverage -fprofile-update=atomic ./*.[cf]* -o theirs -lm
        ./theirs 20 2 >output
        $LCOV --gcov-tool "$(gcov_tool)" -c -d . -o ../theirs.info 2>/dev/null
        # shellcheck disable=SC2086
        "$compiler" -O0 -fplugin="$PLUGIN" $BLOCKS ./*.[cf]* -o ours -lm
        ./ours 20 2 >output.ours
        same output.ours output
        cd .. || exit
        run 0 "$MLPROF" -lcov ours.info -cobertura ours.xml -gcov ours.json build/ours build/mlmon.out*
        run 0 "$MLPROF" -gcov-version 2 -gcov second.json build/ours build/mlmon.out*
    )
    python3 "$SRC/testsuite/export/gcov-versions.py" ours.json second.json || fail 'gcov: version 2'
    if have xmllint 'shape of XML'; then
        xmllint --noout --nonet --nowarning --relaxng "$SRC/testsuite/export/cobertura.rng" ours.xml 2>err ||
            fail "cobertura: $(cat err)"
    fi
}

# equal [NAME...]: what lcov captured is ours.
equal() {
    python3 "$SRC/testsuite/export/lcov-equal.py" ours.info theirs.info "$@" || fail 'not what lcov captured'
}

echo 'C.'
both "$CC" "$SRC"/testsuite/demo/*.[ch]
equal
# Totals: ours, lcov's and genhtml's.
LF=$(awk -F : '/^LF:/ { sum += $2 } END { print sum }' ours.info)
LH=$(awk -F : '/^LH:/ { sum += $2 } END { print sum }' ours.info)
lcov --rc lcov_branch_coverage=1 --summary ours.info >summary 2>&1
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

echo 'C++: of headers gcov knows only the functions that there is code of.'
if have "$CXX" 'C++'; then
    both "$CXX" "$SRC/testsuite/export/templates.cc"
    equal templates.cc stl_vector.h vector.tcc stl_algo.h
fi

echo 'Fortran.'
if have "$FC" 'Fortran'; then
    both "$FC" "$SRC/testsuite/count/fortran.f90"
    equal
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
