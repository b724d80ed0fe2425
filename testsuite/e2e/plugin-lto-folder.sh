#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Objects that were compiled in another folder than the one they are linked in: GCC then
# puts a folder before the markers' file name too, and they must be known all the same.
. "$SRC/testsuite/lib.sh"

mkdir -p src/sub
echo 'int sq(int x) { return x * x + 77777; }' >src/sub/a.c
echo 'int sq(int); int main(int argc, char **argv) { return sq(argc) * !argv; }' >src/sub/m.c
for unit in a m; do
    (cd src/sub && "$CC" -O2 -flto -fplugin="$PLUGIN" -c $unit.c -o ../../$unit.o)
done

"$CC" -O2 -flto -fplugin="$PLUGIN" -fplugin-arg-ccprof-check a.o m.o -o prog 2>checked
cat checked
markers=$(sed -n 's/.*lto1: .* \([0-9]*\) markers, .*/\1/p' checked | sort -n | tail -n 1)
[ "${markers:-0}" -gt 0 ] || { echo "FAIL: no markers at link time"; exit 1; }

# With debug information they are taken out.
"$CC" -O2 -g -flto -fplugin="$PLUGIN" a.o m.o -o debug
if readelf --debug-dump=decodedline debug | grep ccprof; then
    echo "FAIL: markers in the line table"
    exit 1
fi
