#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Waiting and copying in a call of MPI: the wrapper of doc/mpi.md, word for word, has a stopwatch tell of
# each rank how long its calls took, which is what the rank's own clock says of each, and their CPU time.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"
. "$SRC/testsuite/ranks/ranks.sh"

sed -n '/^    #include <ccprof.h>/,/^    }/s/^    //p' "$SRC/doc/mpi.md" >wrapper.c
has wrapper.c PMPI_Allreduce

# column NAME: of the one row in table.csv.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        { print $column }' table.csv
}

# told MPI: a run of prog, of whose ranks each is told what its own clock says.
told() {
    rm -f mlmon.out*
    CCPROF=regions=cpu,events=100 launch "$1" ./prog 12 >clocks 2>err || fail "$(cat err)"
    for rank in 0 1 2 3; do
        "$MLPROF" -regions -csv table.csv prog mlmon.out.$rank >/dev/null
        [ "$(column region),$(column calls)" = MPI_Allreduce,12 ] || fail "$(cat table.csv)"
        # CPU time has the calls of the kernel that read it.
        lies 0 "$(column mean_cpu_ns)" "$(column mean_ns | awk '{ print 1.05 * $1 + 2000 }')" 'CPU time of a call' ||
            return
        awk '/^regions / { hz = $3 } /^event / { print $5 / hz }' mlmon.out.$rank >took
        awk -v rank=$rank '$1 == "met" && $2 == rank { print $3 }' clocks | paste - took >both
        # The program reads its clock around the stopwatch's: a thread may be kept waiting between them.
        alike=$(awk '{ n++; alike += $2 < $1 + 0.0001 && $2 > 0.95 * $1 - 0.0001 } END { print n == 12 ? alike : -1 }' both)
        lies 8 "$alike" 12 "calls of rank $rank that its own clock and the stopwatch tell alike" || return
    done
}

tried=
for mpi in openmpi mpich; do
    launcher "$mpi" || continue
    tried="$tried $mpi"
    echo "$mpi"
    mpi_cc "$mpi" -O2 -I"$SRC/rt" "$RANKS/stencil.c" wrapper.c -o prog
    decide told "$mpi"
done
[ "$tried" ] || skip 'there is neither Open MPI nor MPICH'
