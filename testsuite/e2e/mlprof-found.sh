#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What mlprof reads if not all is named: the data of a program, the program of the data.

. "$SRC/testsuite/mlprof.sh"
need readelf

example prog
data good 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
run 0 mlprof_short prog good
cp out table
run 0 mlprof_short prog good good
cp out twice
example other f g
data others 3 0 "$PWD/other" -- "0 0 $(at other 0) 3"
top=$PWD

# found TABLE LINE COMMAND...: it prints that table, and `mlprof: LINE' on stderr if there is one.
found() {
    found_table=$1
    : >want
    [ -z "$2" ] || echo "mlprof: $2" >want
    shift 2
    run 0 "$@"
    same out "$top/$found_table"
    same err want
}

# in_folder NAME: makes an empty folder and goes there.
in_folder() {
    echo "$1"
    mkdir "$top/$1"
    cd "$top/$1"
}

in_folder nothing
absent='mlmon.out: No such file or directory'
refused "$absent: run the program in this folder first, or name it and its data: mlprof PROGRAM FILE" "$MLPROF"
refused "$absent: run ../prog in this folder first, or name its data: mlprof ../prog FILE" "$MLPROF" ../prog
refused '../none: No such file or directory' "$MLPROF" ../none
echo 'int main(void) { return 0; }' >plain.c
"$CC" plain.c -o plain
refused 'plain: not profiled: it has no tables of ccprof; compile with gcc -fplugin=ccprof' "$MLPROF" plain
# What there is in the program is shown all the same.
run 0 mlprof_short -call-graph g ../prog
same err /dev/null
has g sq
run 1 "$MLPROF" -where
has err '^mlprof: no executable is named$'
: >empty
refused 'empty: lists no data file' "$MLPROF" -mlmon empty

in_folder usual
cp ../good mlmon.out
found table '' mlprof_short
found table '' mlprof_short ../prog
found table '' mlprof_short "$top/prog"
found table '' mlprof_short mlmon.out
found table '' mlprof_short ../good
found twice '' mlprof_short mlmon.out ../good
# A pipe tells what it has but once.
mkfifo pipe
piped() {
    cat "$1" >pipe &
    shift
    found "$@"
    wait
}
piped ../good table '' mlprof_short ../prog pipe
piped ../good twice '' mlprof_short mlmon.out pipe
echo mlmon.out >list
piped list table '' mlprof_short ../prog -mlmon pipe
refused 'pipe: it can be read but once: name the program before it' timeout 300 "$MLPROF" pipe
refused 'pipe: it can be read but once: name the program before it' timeout 300 "$MLPROF" -mlmon=pipe
rm pipe
echo mlmon.out ../good >list
found twice '' mlprof_short -mlmon list
found twice '' mlprof_short -mlmon=list ../prog
run 0 mlprof_short -call-graph g
has g '100\.0%'
# The address of no data is asked for.
run 0 "$MLPROF" -where ../prog "$(at ../prog 4)"
# Nothing is looked for where data are named.
sed 1s/1/9/ mlmon.out >wrong
mv wrong mlmon.out
found table '' mlprof_short ../prog ../good
refused 'mlmon.out: line 1: a data file of version 9; this mlprof reads versions 1 to 5' "$MLPROF"
refused 'mlmon.out: line 1: a data file of version 9; this mlprof reads versions 1 to 5' "$MLPROF" ../prog

in_folder several
cp ../good mlmon.out
cp ../good mlmon.out.12
cp ../others mlmon.out.13
echo of something else >mlmon.out.old
found table 'mlmon.out: read alone; of ../prog there is also mlmon.out.12: name all that are to be added' \
    mlprof_short ../prog
found table "mlmon.out: read alone; of $top/prog there is also mlmon.out.12: name all that are to be added" mlprof_short
cp ../good mlmon.out.100
cp ../prog .
found table 'mlmon.out: read alone; of prog there is also mlmon.out.100 and 1 more: name all that are to be added' \
    mlprof_short prog
found twice '' mlprof_short prog mlmon.out mlmon.out.12
rm mlmon.out.100

# The usual one is another program's, which has given ours another name.
cp ../others mlmon.out
rm mlmon.out.13
found table "mlmon.out: measured with $top/other; mlmon.out.12 is read instead, which is of prog" mlprof_short prog
cp ../good mlmon.out.14
refused "mlmon.out: measured with $top/other; of prog there is mlmon.out.12 and 1 more: name those that are to be read" \
    "$MLPROF" prog
rm mlmon.out
refused "$absent; of prog there is mlmon.out.12 and 1 more: name those that are to be read" "$MLPROF" prog
refused "$absent, but mlmon.out.12 and 2 more: name those that are to be read: mlprof mlmon.out.12" "$MLPROF"
rm mlmon.out.14
found table "$absent; mlmon.out.12 is read instead, which is of prog" mlprof_short prog

in_folder foreign
cp ../others mlmon.out
refused "mlmon.out: measured with $top/other, not with ../prog: run ../prog in this folder first, or name its data: mlprof ../prog FILE" \
    "$MLPROF" ../prog

# The program was compiled again.
in_folder stale
example prog first second
data mlmon.out 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
before=$(build_id prog)
example prog second first
for command in "$MLPROF" "$MLPROF prog" "$MLPROF mlmon.out"; do
    # shellcheck disable=SC2086
    run 1 $command
    same out /dev/null
    sed "s|$PWD/||" err >got
    echo "mlprof: mlmon.out: measured with another build of prog (build-id $before, not $(build_id prog)): run it again" |
        holds got
done
# While it ran: the kernel says so behind the path.
sed 's|/prog$|/prog (deleted)|' mlmon.out >data
run 1 "$MLPROF" data
has err "^mlprof: data: measured with another build of $PWD/prog (build-id"

# The program was moved: here, or with its data, or away.
in_folder moved
sed 's|^\(module 0 .*\) /.*|\1 /nowhere/prog|' ../good >mlmon.out
gone='measured with /nowhere/prog, which is not there: name the program where it is now: mlprof PROGRAM'
refused "mlmon.out: $gone mlmon.out" "$MLPROF"
found table '' mlprof_short ../prog
cp ../prog .
found table '' mlprof_short
cd ..
found table '' mlprof_short moved/mlmon.out
mv moved/prog moved/program
mv prog away
refused "moved/mlmon.out: $gone moved/mlmon.out" "$MLPROF" moved/mlmon.out
# One of another build is not it.
cp other moved/prog
refused "moved/mlmon.out: $gone moved/mlmon.out" "$MLPROF" moved/mlmon.out
mv away prog

# Without build-ids the path says which program it is.
in_folder anonymous
example bare main sq -Wl,--build-id=none
data mlmon.out 1 0 "$PWD/bare" -- "0 0 $(at bare 0) 1"
found table '' mlprof_short
found table '' mlprof_short ./bare
mkdir sub
cp bare sub
run 1 "$MLPROF" sub/bare
has err "^mlprof: mlmon.out: measured with $PWD/bare, not with sub/bare: run sub/bare in"

# A program has run: nothing needs a name.
in_folder real
cat >work.c <<'END'
volatile unsigned sum;
int main(void)
{
    for (unsigned i = 0; i < 200000000; i++)
        sum += i;
    return 0;
}
END
pcc -O2 work.c -o work
./work
run 0 "$MLPROF"
has out '^100\.0%  .*  main$'
cp out all
run 0 "$MLPROF" work
same out all
run 0 "$MLPROF" work mlmon.out
same out all
