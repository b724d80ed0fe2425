#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slice=SECONDS: a run in files of a folder, of which each holds what was measured since the one before.
# Together they are what one file would have been, to the last count, whatever threads do meanwhile.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

SLICES=$SRC/testsuite/slices

# whole: each file in data is whole, and nothing else is there.
whole() {
    find data -mindepth 1 >all
    grep '^data/[a-z]*\.[0-9]*\.[0-9]*\.mlmon$' all >named || :
    same all named
    for line in '^ccprof mlmon [1-5]$' '^end$'; do
        xargs grep -L "$line" <all >without || :
        same without /dev/null
    done
}

# files LEAST MOST: so many slices.
files() {
    whole
    between "$1" "$(wc -l <all)" "$2" 'the number of slices'
}

# counted FILE...: each counter, and each target of a call, with its sum over the files.
counted() {
    awk 'FNR == 1 { on = 0 }
        $1 == "end" || $1 == "regions" { on = 0 }
        on && NF > 1 {
            count = $NF
            sub(/ [0-9]*$/, "")
            sum[on " " $0] += count
        }
        $1 == "counters" || $1 == "targets" { on = $1 }
        END { for (i in sum) print i, sum[i] }' "$@" | sort
}

# sum WORD FILE...: what stands behind the word, added up.
sum() {
    word=$1
    shift
    awk -v word="$word" '$1 == word { sum += $2 } END { printf "%d\n", sum }' "$@"
}

# alike PROG ARGUMENT...: the slices of a run have counted what a run without slices has, in the files and in the table.
alike() {
    prog=$1
    rm -rf data mlmon.out
    run 0 env CCPROF=samples=no,write=USR1 "$@"
    run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 "$@"
    [ ! -s err ] || fail "$(cat err)"
    files 3 1000
    counted mlmon.out >want
    [ -s want ] || fail 'nothing was counted'
    counted data/* >got
    same got want
    for view in '-balance false' '-sort name -balance false' "-list ${LIST-main} -balance false"; do
        # shellcheck disable=SC2086
        run 0 "$MLPROF" "$prog" mlmon.out $view
        mv out want
        # shellcheck disable=SC2086
        run 0 "$MLPROF" "$prog" data $view
        same out want
    done
    [ "$(sum threads data/*)" = "$(sum threads mlmon.out)" ] ||
        fail "$(sum threads data/*) threads, not $(sum threads mlmon.out)"
}

F=-fplugin-arg-ccprof-profile
echo 'C: calls, blocks, targets'
pcc -O2 $F=count -fplugin-arg-ccprof-blocks -fplugin-arg-ccprof-targets "$SLICES/steps.c" -o steps
alike ./steps 20
[ "$(wc -l <all)" = 21 ] || fail "$(wc -l <all) slices, not 21"
counted data/* | grep -q '^targets ' || fail 'no targets'
echo 'C: bytes and blocks'
pcc -O2 $F=alloc "$SLICES/steps.c" -o bytes
LIST=deep
alike ./bytes 20
LIST=main
echo 'C: inclusive counts'
pcc -O1 $F=count -fplugin-arg-ccprof-stack "$SLICES/steps.c" -o stack
alike ./stack 20
echo 'C++'
pcxx -O2 $F=count -fplugin-arg-ccprof-blocks "$SLICES/shapes.cc" -o shapes
alike ./shapes 15
echo 'Threads, which count at that very moment, and come and go; a library'
pcc -O1 $F=count -fplugin-arg-ccprof-blocks -pthread "$SLICES/threads.c" -o threads
alike ./threads 4 30
pcc -O1 $F=count -shared -fPIC "$SLICES/library.c" -o library.so
pcc -O1 $F=count -pthread -DLIBRARY "$SLICES/threads.c" ./library.so -o linked
alike ./linked 4 30

echo 'Time, every second'
pcc -O2 $F=time,count -pthread "$SLICES/burn.c" -o burn
# every_second: in a run of 3.5 s of two threads.
every_second() {
    rm -rf data
    run 0 env CCPROF=output=data/,slice=1 ./burn 3.5 2
    read -r used steps <out
    whole
    [ "$(counted data/* | awk '{ sum += $NF } END { print sum }')" -ge "$steps" ] || fail 'counts are missing'
    # Each thread is told once.
    [ "$(sum threads data/*)" = 2 ] || fail "$(sum threads data/*) threads"
    # Due after 1, 2, 3 seconds, each with the next sample, which may come late, and at the end.
    lies 3 "$(wc -l <all)" 4 'the number of slices' || return
    # All of the CPU time but what is used before and behind.
    lies "$(awk -v used="$used" 'BEGIN { print used - 0.1 }')" "$(sum cpu data/* | awk '{ print $1 / 1e9 }')" \
        "$used" 'CPU time' || return
    lies 0 "$(sum lost data/*)" 8 'samples lost' || return
    # A sample in each 10 ms, in each thread with one more or less by its beginning.
    lies "$(awk -v used="$used" 'BEGIN { print used * 95 - 3 }')" "$(sum samples data/*)" \
        "$(awk -v used="$used" 'BEGIN { print used * 105 + 3 }')" samples || return
    # Each slice is of its own second.
    for file in $(sort -t. -k3 all | head -n 3); do
        lies 0.1 "$(value "$file" wall | awk '{ print $1 / 1e9 }')" 2.5 "the time of $file" || return
    done
    # Two thirds of the work are in one function, by 3.5 s x 2 threads: at 700 samples a standard error of 1.8 points.
    run 0 "$MLPROF" -balance false burn data
    lies 57 "$(table_cell two cur <out)" 76 'two'
}
decide every_second
run 0 "$MLPROF" burn data
has out ' 2 threads, [34] data files$'
# Part of it: no threads were made there.
run 0 "$MLPROF" burn "$(sort -t. -k3 all | tail -n 1)"
hasnot out 'thread'

echo 'Nothing is used, and nothing written'
rm -rf data
run 0 env CCPROF=output=data/,slice=1 ./burn 0 1 3
files 1 1
rm -rf data
run 0 env CCPROF=output=data/,slice=1,start=no ./burn 2.5 1
files 1 1

echo 'SIGKILL: the last slice alone is missing'
by_kill() {
    rm -rf data
    run 137 sh -c 'CCPROF=output=data/,slice=1 ./burn 2.6 1 kill'
    whole
    lies 1 "$(wc -l <all)" 2 'the number of slices' &&
        lies 0.9 "$(sum wall data/* | awk '{ print $1 / 1e9 }')" 2.6 'what is there'
}
decide by_kill

echo 'Children, and what becomes of them'
rm -rf data
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 ./steps 5 fork
whole
sed 's/.*\.\([0-9]*\)\.[0-9]*\.mlmon/\1/' all | sort | uniq -c | awk '{ print $1 }' >got
# The parent writes five, the child the last three of them, and each one at the end.
sort -n got >sorted
printf '4\n6\n' >want
same sorted want
counted data/* >both
[ "$(sum threads data/*)" = 2 ] || fail "$(sum threads data/*) threads in two processes"
rm -rf data mlmon.out*
run 0 env CCPROF=samples=no,write=USR1 ./steps 5 fork
counted mlmon.out* >want
same both want
rm -rf data
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 ./steps 3 exec
# Three slices, what was left, and the new program's three and one.
files 8 8
[ "$(sed 's/.*\.\([0-9]*\)\.[0-9]*\.mlmon/\1/' all | sort -u | wc -l)" = 1 ] || fail 'two processes'

echo 'Data sets: what is in no slice'
pcc -O1 $F=count -I"$SRC/rt" -DDATA "$SLICES/steps.c" -o sets
rm -rf data set.out
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 ./sets 5 data
counted data/* set.out >got
rm -rf data mlmon.out
run 0 env CCPROF=samples=no,write=USR1 ./sets 5 data
counted mlmon.out set.out >want
same got want

echo 'Times: each slice has its own'
own_times() {
    rm -rf data
    run 0 env CCPROF=output=data/,slice=1,times=yes ./burn 2.5 1
    whole
    lies 2 "$(wc -l <all)" 3 'the number of slices' &&
        lies 2.4 "$(awk '$1 == "times" { sum += $3 } END { print sum / 1e9 }' data/*)" 3.5 'the spans of the slices'
}
decide own_times

echo 'Regions'
pcc -O1 -I"$SRC/rt" "$SLICES/watches.c" -o watches
printf 'around 0 1\nbrief 30 0\n' >want
# watched: ten calls in each of three slices, one of 50 ms in the second; one that is open all the time.
watched() {
    rm -rf data mlmon.out
    run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 ./watches
    files 4 4
    run 0 "$MLPROF" -regions watches data
    sort -t. -k3 all >sorted
    while read -r file; do
        awk '$1 == "region" { name[$2] = $5 }
            $1 == "path" { print name[$3], $4, $16, $13 }' "$file"
    done <sorted | sort >got
    awk '{ count[$1] += $2; open[$1] += $3; if ($4 > most[$1]) most[$1] = $4 }
        END { for (i in count) print i, count[i], open[i] }' got | sort >sums
    same sums want
    # The longest of a slice without the long one is a brief one, though the run's longest was before it.
    lies 1 "$(awk -v hz="$(awk '$1 == "regions" { print $3; exit }' data/*)" '
        $1 == "brief" && $2 > 0 && $4 > 0.05 * hz { long++ } END { print long + 0 }' got)" 1 'slices with a long call'
}
decide watched

echo 'The bound: the oldest files go, and nothing else'
# taken: by the files that are listed, in bytes; a short one takes a page.
taken() {
    xargs stat -c '%s %b' | awk '{ sum += $2 * 512 > $1 ? $2 * 512 : $1 } END { print sum + 0 }'
}
# size: of all data files.
size() {
    find data -name '*.mlmon' | taken
}
rm -rf data
mkdir data data/folder.1.1000000000000000000.mlmon
echo mine >data/prog.1.1000000000000000000.mlmon
echo mine >data/notes
echo mine >data/x.mlmon
echo 'ccprof mlmon 1' >data/prog.mlmon
echo 'ccprof mlmon 1' >data/prog.1.100.mlmon
echo 'ccprof mlmon 1' >elsewhere
ln -s ../elsewhere data/link.1.1000000000000000000.mlmon
find data -mindepth 1 | sort >foreign
{ echo 'ccprof mlmon 1'; head -c 9000 /dev/zero; } >data/old.77.1100000000000000000.mlmon
{ echo 'ccprof mlmon 1'; head -c 9000 /dev/zero; } >data/old.77.1100000000000000000.mlmon.77.tmp
cp data/old.77.1100000000000000000.mlmon.77.tmp data/new.77.1100000000000000000.mlmon.77.tmp
touch -d '3 hours ago' data/old*
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=48K ./steps 200
[ ! -s err ] || fail "$(cat err)"
[ ! -e data/old.77.1100000000000000000.mlmon ] || fail 'the oldest file is there'
[ ! -e data/old.77.1100000000000000000.mlmon.77.tmp ] || fail 'the oldest unfinished file is there'
[ -e data/new.77.1100000000000000000.mlmon.77.tmp ] || fail 'a file that is being written is gone'
rm data/new.*
find data -name 'steps.*' | sort -t. -k3 >left
find data -mindepth 1 | sort | grep -vxFf left >got
same got foreign
[ "$(wc -l <left)" -ge 2 ] || fail "$(wc -l <left) slices are left"
between 24000 "$(taken <left)" 49152 'bytes that are left'
[ "$(cat elsewhere)" = 'ccprof mlmon 1' ] || fail 'a file elsewhere was touched'
rm -rf data
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=no ./steps 200
files 201 201
[ "$(size)" -gt 49152 ] || fail 'the bound above was none'
# Several processes at once.
rm -rf data
for i in 1 2 3 4; do
    CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=48K ./steps 200 2>err.$i &
done
wait
cat err.* >err
[ ! -s err ] || fail "$(cat err)"
whole
between 24000 "$(size)" 100000 'bytes of four processes'
# By the time of a clock that was never set, too.
rm -rf data
mkdir data
{ echo 'ccprof mlmon 1'; head -c 60000 /dev/zero; } >data/old.77.0000000000077000000.mlmon
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=48K ./steps 2
files 3 3
# A disk that is full has room again when the oldest have gone.
rm -rf data
mkdir data
# For the inner shell.
# shellcheck disable=SC2016
if unshare --mount sh -ec 'mount -t tmpfs -o size=64k tmpfs data
    { echo "ccprof mlmon 1"; head -c 40000 /dev/zero; } >data/old.77.1100000000000000000.mlmon
    head -c 100000 /dev/zero >data/rest 2>/dev/null || :
    ! echo x >data/x 2>/dev/null || exit 1
    CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=32K "$1" 2 2>err
    ls data >names' sh ./steps; then
    [ ! -s err ] || fail "$(cat err)"
    grep -q '^old' names && fail 'the oldest file is there'
    [ "$(grep -c '^steps.*mlmon$' names)" = 3 ] || fail "$(cat names)"
else
    leave_out 'a full disk: nothing can be mounted'
fi
# One that is larger than the bound stays.
rm -rf data
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1,keep=1K ./watches
files 1 2

echo 'What cannot be'
rm -rf data mlmon.out
run 0 env CCPROF=samples=no,write=USR1 ./steps 5
counted mlmon.out >all
run 0 env CCPROF=samples=no,slice=1,write=USR1 ./steps 5
echo 'ccprof: CCPROF: slice=SECONDS needs a folder, output=FOLDER/: there is one file' >want
same err want
counted mlmon.out >got
same got all
: >file
run 0 env CCPROF=samples=no,output=file/,slice=86400,write=USR1 ./steps 5
sed 's/steps\.[0-9]*\.[0-9]*\./steps.N./' err >got
echo "ccprof: $PWD/file/steps.N.mlmon: Not a directory" >want
same got want
# What could not be written comes with what can be.
rm -rf data
run 0 env CCPROF=samples=no,output=data/,slice=86400,write=USR1 ./steps 5 late
grep -c . err >got
echo 1 >want
same got want
files 4 4
counted data/* >got
rm -rf data mlmon.out
run 0 env CCPROF=samples=no,write=USR1 ./steps 5 late
counted mlmon.out >want
same got want
run 0 env CCPROF=samples=no,output=data/,slice=1,events=9,write=USR1 ./watches
echo 'ccprof: CCPROF: events=N is of no use with slice=SECONDS: there are none' >want
same err want
refused_setting() {
    run 0 env CCPROF="samples=no,write=USR1,$1" ./steps 1
    echo "ccprof: CCPROF: $1 is not understood; right is: $2" >want
    same err want
}
for bad in slice=0 slice slice=86401 slice=1m slice=-1; do
    refused_setting "$bad" 'slice=no, or slice=SECONDS with SECONDS from 1 to 86400'
done
for bad in keep=0 keep keep=64 keep=K keep=1T keep=0M keep=1000001G keep=99999999999999999999M keep=-1M; do
    refused_setting "$bad" 'keep=no, or keep=SIZE with K, M or G behind a number from 1 to 1000000'
done
