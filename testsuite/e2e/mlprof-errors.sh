#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bad files: one line that names the file and says what is wrong, exit status 1.

. "$SRC/testsuite/mlprof.sh"
need readelf objcopy

example prog
unprofiled="not profiled: it has no tables of ccprof; compile with gcc -fplugin=ccprof"
data good 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
run 0 "$MLPROF" prog good

# The executable.
mkdir folder
: >empty
echo 'int main(void) { return 0; }' >plain.c
"$CC" plain.c -o plain
"$CC" -c plain.c -o plain.o
objcopy -R '.ccprof.*' prog bare
head -c 3000 prog >cut
for command in "$MLPROF" "$MLPROF -where"; do
    refused 'nowhere: No such file or directory' $command nowhere
    refused 'folder: not a regular file' $command folder
    refused 'empty: not an ELF file' $command empty
    refused 'plain.c: not an ELF file' $command plain.c
    refused 'plain.o: an object file: name the executable or shared object that it is linked into' \
        $command plain.o
    refused "plain: $unprofiled" $command plain
    refused "bare: $unprofiled" $command bare
    refused 'cut: the section headers lie behind the end of the file' $command cut
done
# A name cannot break the line.
: >'a
b'
refused 'a?b: not an ELF file' "$MLPROF" 'a
b'

# Objects of two versions linked together: the second's unit, then its stream.
sed 's/^_start:/_start2:/; s/_start$/_start2/; s/\.byte 1, 2$/.byte 3, 2/' prog.s >other.s
"$CC" -nostdlib prog.s other.s -o versions
run 1 "$MLPROF" versions
has err '^mlprof: versions: section .ccprof.unit, offset 0x[0-9a-f]*: tables of version 3; this mlprof reads version 1$'
sed 's/^_start:/_start2:/; s/_start$/_start2/; s/\.byte 0, 1$/.byte 0, 9/' prog.s >other.s
"$CC" -nostdlib prog.s other.s -o versions
run 1 "$MLPROF" versions
has err '^mlprof: versions: section .ccprof.code, offset 0x[0-9a-f]*: tables of version 9; this mlprof reads version 1$'

# Each section, cut off or full of junk.
for name in str unit code; do
    objcopy -O binary --only-section=.ccprof.$name --set-section-flags .ccprof.$name=alloc prog bytes
    size=$(wc -c <bytes)
    [ "$size" -gt 10 ]
    head -c $((size - 1)) bytes >part
    objcopy --update-section .ccprof.$name=part prog garbled
    run 1 "$MLPROF" garbled
    has err "^mlprof: garbled: section .ccprof.$name, offset 0x[0-9a-f]*: "
    [ "$(wc -l <err)" -eq 1 ]
    tr '\000-\377' '\377' <bytes >part
    objcopy --update-section .ccprof.$name=part prog garbled
    run 1 "$MLPROF" garbled
    has err "^mlprof: garbled: section .ccprof.$name, offset 0x[0-9a-f]*: "
done
for name in str unit; do
    objcopy -R .ccprof.$name prog garbled
    run 1 "$MLPROF" garbled
    has err "^mlprof: garbled: section .ccprof.[a-z]*, offset 0x[0-9a-f]*: "
done

# Data files: one of another build, of another rate, a mixture.
cp prog keep
example prog f g
run 1 "$MLPROF" prog good
has err "^mlprof: good: measured with another build of prog (build-id $(build_id keep), not $(build_id prog))\$"
[ "$(wc -l <err)" -eq 1 ]
sed 's/^\(module 0\) [0-9a-f]*/\1 -/' good >anonymous
run 1 "$MLPROF" keep anonymous
has err "^mlprof: anonymous: measured with another build of keep (build-id none, not $(build_id keep))\$"
example nobody main sq -Wl,--build-id=none
run 0 "$MLPROF" nobody anonymous
run 1 "$MLPROF" nobody good
sed 's/^rate .*/rate 250/' good >fast
refused 'fast: measured with rate 250, the data before it with rate 100' "$MLPROF" keep good fast
run 0 "$MLPROF" keep fast fast
sed 's/^clock .*/clock wall/' good >wall
refused 'wall: measured by time on the clock, the data before it by CPU time' "$MLPROF" keep good wall
sed '/^clock/d; /^stack/d; /^threads/d; /^waits/d' good >old
refused "old: line 4: a data file of an older ccprof, without \`clock': run the program again" \
    "$MLPROF" keep old
sed 's/^kind .*/kind heat/' good >heat
refused 'heat: line 2: a kind of profile that this mlprof does not know' "$MLPROF" keep good heat
sed 's/^samples .*/samples 18446744073709551615/
     s/^\(0 0 0x[0-9a-f]*\) 1$/\1 18446744073709551615/' good >large
run 0 "$MLPROF" keep large
refused 'large: its numbers and those before it add up to more than 64 bits' "$MLPROF" keep good large
refused 'nowhere: No such file or directory' "$MLPROF" keep good nowhere
refused 'folder: Is a directory' "$MLPROF" keep folder
refused 'empty: line 1: the file is empty' "$MLPROF" keep empty
refused 'keep: line 1: not a data file of ccprof' "$MLPROF" keep keep
refused 'nowhere: No such file or directory' "$MLPROF" -mlmon nowhere keep
echo 'good nowhere' >list
refused 'nowhere: No such file or directory' "$MLPROF" -mlmon list keep

# The output.
if [ -w /dev/full ]; then
    for command in "$MLPROF keep good" "$MLPROF -where keep 0" "$MLPROF -help"; do
        got=0
        $command >/dev/full 2>err || got=$?
        [ "$got" -eq 1 ] || fail "$command >/dev/full: exit status $got"
    done
    "$MLPROF" keep good >/dev/full 2>err || :
    has err '^mlprof: standard output: No space left on device$'
fi

# On a terminal a line tells what takes long, and goes away again; in a file it is not.
mkfifo slow
wait_and_write() {
    (
        sleep 2.5
        cat good
    ) >slow &
}
wait_and_write
run 0 "$MLPROF" -balance false keep slow
same err /dev/null
if have script 'progress on a terminal'; then
    cp out table
    wait_and_write
    run 0 script -qec "$MLPROF -balance false keep slow" /dev/null
    tr '\r' '\n' <out | sed 's/^.\[K//' >lines
    has lines '^mlprof: reading slow, file 1$'
    grep -v '^mlprof: \|^$' lines >got
    same got table
fi
