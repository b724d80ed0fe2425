#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables that were moved to a separate debug file, or compressed.

. "$SRC/testsuite/mlprof.sh"
need readelf objcopy strip

example prog
data good 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
run 0 mlprof_short -show-line true prog good
cp out table
has table '  sq  prog.c: 3$'
cp prog whole

# strip leaves them where they are.
strip prog
run 0 mlprof_short -show-line true prog good
same out table

objcopy --only-keep-debug whole prog.debug
objcopy -R '.ccprof.*' whole prog
run 1 mlprof_short prog good
has err '^mlprof: prog: not profiled'
objcopy --add-gnu-debuglink=prog.debug prog
run 0 mlprof_short -show-line true prog good
same out table
mkdir .debug
mv prog.debug .debug
run 0 mlprof_short -show-line true ./prog good
same out table
(cd / && mlprof_short -show-line true "$OLDPWD/prog" "$OLDPWD/good") >out
same out table
run 0 "$MLPROF" -where prog "$(at whole 4)"
has out ': sq prog.c:3:10 < main prog.c:9:12$'

# One of another build is not believed.
example other f g
objcopy --only-keep-debug other .debug/prog.debug
refused 'prog: has no tables of ccprof; .debug/prog.debug: not the debug file of prog: its build-id differs' \
    mlprof_short prog good
objcopy --only-keep-debug whole prog.debug
run 0 mlprof_short -show-line true prog good
same out table

# By build-id below /usr/lib/debug, where a test may write there (in a container).
id=$(build_id whole)
folder=/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
if [ -w /usr/lib/debug/.build-id ] && [ ! -e "$folder" ]; then
    rm prog.debug
    mkdir "$folder"
    trap 'rm -r "$folder"' EXIT
    objcopy --only-keep-debug whole "$folder/$(echo "$id" | cut -c 3-).debug"
    run 0 mlprof_short -show-line true prog good
    same out table
else
    leave_out 'debug files below /usr/lib/debug: no test may write there'
fi

# Compressed sections.
if have eu-elfcompress 'compressed sections'; then
    eu-elfcompress -q --force --name='.ccprof.*' -o small whole
    readelf -SW small | grep -q '\.ccprof\.code .* L*C ' || fail "eu-elfcompress did nothing"
    run 0 mlprof_short -show-line true small good
    same out table
fi
