#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# alone
# ccprof.f90 with libccprof_api: the same as ccprof.h, with the plugin and without.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/api/datasets.sh"
need "$FC"

FLAGS="-std=f2008 -Wall -Wextra -Werror -Wno-unused-dummy-argument"
# shellcheck disable=SC2086
pfc -O1 $FLAGS "$SRC/rt/ccprof.f90" "$API/fortran.f90" -L"$O/rt" -lccprof_api -o prog
# shellcheck disable=SC2086
"$FC" -O1 $FLAGS "$SRC/rt/ccprof.f90" "$API/fortran.f90" -L"$O/rt" -lccprof_api -o plain

cat >said <<'END'
ccprof: ccprof_label_end: no phase has begun
ccprof: nowhere/first.out: No such file or directory
ccprof: ccprof_data_free: the data set is in use, or was freed already
ccprof: ccprof_with_data: there is no such data set
END
echo T >want
units() {
    run 0 ./prog
    same out want
    same err said
    for file in unit.out copy.out mlmon.out; do
        valid $file
    done
    none work.green unit.out
    none work.red mlmon.out
    none work.blue mlmon.out
    about work.red 0.2 unit.out && about '[a phase]' 0.2 mlmon.out && about work.green 0.2 mlmon.out &&
        about work.red 0.2 copy.out && add_up unit.out mlmon.out
}
decide units

rm -f ./*.out
run 0 ./plain
echo F >want
same out want
same err /dev/null
for file in ./*.out; do
    [ ! -e "$file" ] || fail "a program that is not profiled has written $file"
done

echo 'Other forms of linking.'
mkdir -p objects
(cd objects && pfc -O2 -flto -c "$SRC/rt/ccprof.f90" "$API/fortran.f90")
pfc -O2 -flto objects/*.o -L"$O/rt" -lccprof_api -o prog
with_lto() {
    run 0 ./prog
    about '[a phase]' 0.2 mlmon.out
}
decide with_lto
pfc -O2 "$SRC/rt/ccprof.f90" "$API/fortran.f90" -static -L"$O/rt" -lccprof_api -lccprof -o prog
run 0 ./prog
valid mlmon.out
has mlmon.out '^label 0 a phase$'
