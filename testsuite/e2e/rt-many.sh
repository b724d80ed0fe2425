#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Hundreds of processes: pipelines that a parallel make runs, and a server with a thousand children. Each has its
# file in the folder, and what mlprof adds up of a program is what its processes report themselves.
. "$SRC/testsuite/lib.sh"

rate=1000
number=0
for name in one two three; do
    number=$((number + 1))
    pcc -O1 -DSTAGE=$number -fplugin-arg-ccprof-profile=time,count "$SRC/testsuite/rt/stage.c" -o $name
done

# field FILE NAME: the number that stands behind the name in JSON.
field() {
    sed 's/[,{]/\n/g' "$1" | sed -n "s/^ *\"$2\": *\([0-9]*\)[ }]*\$/\1/p" | head -n 1
}

# whole NAME: what the folder has of the program is all that its processes report.
whole() {
    # A file for each process, and each process its own.
    find data -name "$1.*.mlmon" >files
    sed "s,^data/$1\.\([0-9]*\)\..*,\1," files | sort >got
    cut -d ' ' -f 1 "report.$1" | sort >want
    same got want
    run 0 "$MLPROF" -json sum.json "$1" data
    run 0 "$MLPROF" -balance false -sort name "$1" data
    awk '$NF == "step" { gsub(",", ""); print $4 }' out >got
    awk '{ calls += $4 } END { print calls }' "report.$1" >want
    same got want
    [ "$(field sum.json data_files)" = "$(wc -l <files)" ] || fail "$1: $(field sum.json data_files) data files"

    # What a process reports at the end of main is from its very beginning: the loader's time is in it, which the
    # file does not have; what it reports at the beginning of main is the loader's and the runtime's. The kernel's
    # numbers are rounded down, two for each report.
    awk -v cpu="$(field sum.json cpu_ns)" '{ begun += $2; ended += $3; n++ }
        END {
            cpu /= 1000
            printf "%d processes: %.3f s by their own report, ", n, ended / 1e6
            printf "%.3f s in main, %.3f s in the files\n", (ended - begun) / 1e6, cpu / 1e6
            exit !(ended - begun - 4 * n <= cpu && cpu <= ended + 4 * n)
        }' "report.$1" || fail "$1: CPU time"

    # The samples are as many as they should be, but for what no sample is taken of: the runtime's start and end,
    # and where a process is in the kernel shortly before it ends. What is sure to be outside of the kernel is the
    # calls of step, each as long as the briefest of its process. What a process has after its last period decides
    # by chance whether it has one more, with a variance of 1/4 at most.
    awk -v cpu="$(field sum.json cpu_ns)" -v samples=$(($(field sum.json samples) + $(field sum.json samples_of_ccprof))) -v rate=$rate '
        { begun += $2; ended += $3; steps += $4 * $5; n++ }
        END {
            due = cpu * rate / 1e9
            main = (ended - begun) * rate / 1e6
            least = steps * rate / 1e9
            far = 5 * sqrt(n / 4)
            printf "%d samples, %.0f due, %.0f of them in main, %.0f in step\n", samples, due, main, least
            exit !(samples > least - far && samples < due + far)
        }' "report.$1" || fail "$1: samples"
}

echo 'Pipelines.'
{
    printf 'all:'
    seq -s ' ' -f ' t%g' 120
    for i in $(seq 120); do
        printf '\nt%d:\n\t@%s | %s | %s >%d.sum\n' "$i" \
            'REPORT=report.one ./one 400' 'REPORT=report.two ./two' 'REPORT=report.three ./three' "$i"
    done
} >Makefile
export CCPROF="rate=$rate,output=$PWD/data/"
run 0 env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" -s -j 8 -f Makefile
[ ! -s err ] || fail "$(cat err)"
[ "$(cat ./*.sum | sort -u | wc -l)" = 1 ] || fail 'not one sum'
[ "$(find data -type f | wc -l)" = 360 ] || fail "$(find data -type f | wc -l) files of 360 processes"
for name in one two three; do
    whole $name
done
run 0 "$MLPROF" data
has out ' seconds of CPU time in 360 data files of 3 programs$'
[ "$(grep -c " 120  $PWD/\(one\|two\|three\)\$" out)" = 3 ] || fail "$(cat out)"

echo 'A server with 1,000 children.'
rm -r data report.*
run 0 env REPORT=report.one ./one 300 1000
[ ! -s err ] || fail "$(cat err)"
[ "$(find data -type f | wc -l)" = 1001 ] || fail "$(find data -type f | wc -l) files of 1001 processes"
whole one
