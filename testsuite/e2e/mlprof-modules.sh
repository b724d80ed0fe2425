#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared objects: profiled ones, others, ones that are gone or of another build.

. "$SRC/testsuite/mlprof.sh"
need readelf objcopy

mkdir 'a b'
example prog
example lib g sq -shared
mv lib 'a b/lib\so'
echo 'int f(void) { return 0; }' >plain.c
"$CC" -shared -fPIC plain.c -o plain.so
example quiet h i -shared
# A source of the same name, file and line in two modules is one source.
sed 's/lib\.c/prog.c/' lib.s >lib2.s
"$CC" -nostdlib -shared -Wl,--build-id=sha1 lib2.s -o twin

data raw 100 0 "$PWD/prog" "$PWD/a b/lib\\so" "$PWD/plain.so" '[vdso]' "$PWD/quiet" \
    "$PWD/twin" -- "0 0 $(at prog 0) 10" "0 0 $(at prog 4) 5" \
    "0 1 $(at 'a b/lib\so' 0) 20" "0 1 $(at 'a b/lib\so' 4) 12" "0 2 0x1000 23" \
    "0 3 0x10 11" "0 - 0x10 4" "0 5 $(at twin 4) 15"
sed '/^module/s/\\/\\\\/g' raw >good
cat >want <<'END'
1.00 seconds of CPU time
   cur  95% range  function
 38.0%  29.1-47.8  <unprofiled>
 20.0%  13.3-28.9  g  lib.c: 7
~20.0%  13.3-28.9  sq  prog.c: 3
~12.0%   7.0-19.8  sq  lib.c: 3
~10.0%   5.5-17.4  main  prog.c: 7
END
run 0 mlprof_short -show-line true prog good
same out want
same err /dev/null
# Two rows have one name: they are two sources.
run 0 mlprof_short prog good
[ "$(grep -c '  sq ' out)" -eq 2 ]
run 0 mlprof_short -show-line true prog good good
cat >twice <<'END'
2.00 seconds of CPU time
   cur  95% range  function
 38.0%  31.6-44.9  <unprofiled>
 20.0%  15.0-26.1  g  lib.c: 7
~20.0%  15.0-26.1  sq  prog.c: 3
 12.0%   8.2-17.2  sq  lib.c: 3
~10.0%   6.6-14.9  main  prog.c: 7
END
same out twice

# A module that nothing was measured in is not looked at.
rm quiet
run 0 mlprof_short -show-line true prog good
same out want
# A run without samples is not said to be of a program that is not profiled.
echo 'int main(void) { return 0; }' >bare.c
"$CC" -Wl,--build-id=sha1 bare.c -o bare
data none 0 0 "$PWD/bare" "$PWD/plain.so" "$PWD/twin" --
run 0 mlprof_short bare none
hasnot err 'not profiled'
data none 0 0 "$PWD/bare" "$PWD/plain.so" --
run 1 mlprof_short bare none
has err '^mlprof: bare: not profiled'
# One that is gone is told of, and its samples are outside.
mv twin away
run 0 mlprof_short prog good
has err "^mlprof: $PWD/twin: No such file or directory; its code counts as unprofiled\$"
[ "$(wc -l <err)" -eq 1 ]
has out '^ *53.0%  [0-9.-]*  <unprofiled>$'
# One of another build is refused if it has tables, else it does not matter.
example twin f g -shared
run 1 mlprof_short prog good
has err "^mlprof: $PWD/twin: not the build that was measured (build-id $(build_id twin), not $(build_id away))\$"
mv away twin
echo 'int f(void) { return 1; }' >plain.c
"$CC" -shared -fPIC plain.c -o plain.so
run 0 mlprof_short -show-line true prog good
same out want
# A damaged one is refused.
mv twin whole
head -c 1000 whole >twin
run 1 mlprof_short prog good
has err "^mlprof: $PWD/twin: the section headers lie behind the end of the file\$"
mv whole twin

# Two data files with two builds of one module.
id=$(build_id 'a b/lib\so')
sed "s/^\\(module 1\\) [0-9a-f]*/\\1 00/" good >another
run 1 mlprof_short prog good another
has err "^mlprof: $PWD/a b/lib.so: not the build that was measured (build-id $id, not 00)\$"
run 0 mlprof_short -tolerant true prog good another
has err "^mlprof: $PWD/a b/lib.so: not the build that was measured (build-id $id, not 00); its code counts as unprofiled\$"
# By hand: in 200 samples 32 of the other build are outside, too.
has out '^ *54.0%  [0-9.-]*  <unprofiled>$'
has out "10.0%  *[0-9.-]*  g (lib.c:7)\$"
# What is not profiled, and what nothing was measured in, may be of any build: the kernel's and
# libc's differ from machine to machine.
for module in 2 3 4; do
    sed "s/^\\(module $module\\) [^ ]*/\\1 00/" good >another
    run 0 mlprof_short -show-line true prog good another
    same out twice
    same err /dev/null
done

# Tables that are damaged: of blocks alone, and all of them in a debug file elsewhere.
lib="$PWD/a b/lib\\so"
cp "$lib" sound
printf '\1' >junk
objcopy --add-section .ccprof.flow=junk sound "$lib"
run 1 mlprof_short prog good
has err '^mlprof: .*/a b/lib.so: section \.ccprof\.flow, offset 0x1: '
run 0 mlprof_short -show-line true -tolerant true prog good
same out want
has err '^mlprof: .*/a b/lib.so: section \.ccprof\.flow, offset 0x1: .*; its blocks are left out$'
[ "$(wc -l <err)" -eq 1 ]
mkdir 'a b/.debug'
objcopy --only-keep-debug sound 'a b/.debug/lib.debug'
printf '\0\1\2' >junk
objcopy --update-section .ccprof.code=junk 'a b/.debug/lib.debug'
objcopy -R '.ccprof.*' sound "$lib"
(cd 'a b/.debug' && objcopy --add-gnu-debuglink=lib.debug "$lib")
run 1 mlprof_short prog good
has err '^mlprof: .*/a b/\.debug/lib\.debug: section \.ccprof\.code, offset 0x[0-9a-f]*: '
run 0 mlprof_short -tolerant true prog good
has err '^mlprof: .*/a b/\.debug/lib\.debug: section \.ccprof\.code, offset 0x[0-9a-f]*: .*; its code counts as unprofiled$'
has out '^ *70.0%  [0-9.-]*  <unprofiled>$'
