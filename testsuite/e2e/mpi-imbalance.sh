#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Open MPI and MPICH, C and Fortran, four ranks on whatever processors there are: each writes a file
# of its own without being asked, a planted imbalance is found, at its size, and a rank that aborts
# takes nothing of the others with it.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/ranks/ranks.sh"

# measure MPI: a run of prog, whose ranks print their own clocks.
measure() {
    rm -f mlmon.out*
    CCPROF=rate=10000 launch "$1" ./prog 12 >clocks 2>err || fail "$(cat err)"
}

# off NAME: how far the most by the mean is, as mlprof -imbalance tells it of NAME in the files here, from what the
# ranks' own clocks say, lines `rank R SECONDS'; then what it is, and of which rank, and what they say.
off() {
    "$MLPROF" -imbalance rank prog mlmon.out.* >table
    awk '/^rank / { sum += $3; n++; if ($3 > most) { most = $3; at = $2 } }
        END { print most / (sum / n), at }' clocks >own
    awk -v name="$1" 'NR == FNR { own = $1; at = $2; next }
        $NF == name { found = 1; print $8 - own, $8, $(NF - 1), own, at }
        END { exit !found }' own table || fail "$1: $(cat table)"
}

# planted NAME: that of the run that was measured is that of the rank with the most by the clocks, within
# 5 points of what these say: with 10,000 samples a second for each and as long as they run, chance makes 2 at
# most.
planted() {
    off "$1" >run
    echo "    $1: off by, most/mean and its rank, and by their own clocks: $(cat run)"
    awk '{ exit !($1 <= 0.05 && $1 >= -0.05 && $3 == $5) }' run
}

# again MPI NAME: so it is in another run.
again() {
    measure "$1"
    planted "$2"
}

# imbalance MPI NAME: so it is, or more runs decide.
imbalance() {
    planted "$2" || decided_after again "$1" "$2" || fail "$2: off in $decide_off of $decide_runs more runs"
}

# ranks_of: all four are rows, and nothing is of no rank.
ranks_of() {
    "$MLPROF" -by rank prog mlmon.out.* >table
    for rank in 0 1 2 3; do
        has table "% .*\[rank $rank [^]]*\]\$"
    done
    [ "$(grep -c '\[rank ' table)" -eq 4 ] || fail "$(cat table)"
    hasnot table 'no rank'
}

# calls CALL FUNCTION FILE LINE:TEXT: that call of MPI was sampled, where it is made; the rows have all samples.
calls() {
    "$MLPROF" -by mpi prog mlmon.out.* >table
    has table "  $1  in $2, [^ ]*$3: ${4%%:*}\$"
    "$MLPROF" -by mpi -csv - prog mlmon.out.* >table.csv
    sum=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") column = i - NF; next }
        { sum += $(NF + column) } END { print sum }' table.csv)
    all=$(for file in mlmon.out.*; do
        awk -v only=samples -f "$SRC/testsuite/rt/leave-own.awk" "$file"
    done | awk '{ sum += $1 } END { print sum }')
    [ "$sum" = "$all" ] || fail "calls of MPI: $sum of $all samples"
}

tried=
for mpi in openmpi mpich; do
    launcher "$mpi" || continue
    tried="$tried $mpi"
    echo "$mpi, C"
    mpi_cc "$mpi" -O2 "$RANKS/stencil.c" -o prog
    measure "$mpi"
    [ "$(printf '%s ' mlmon.out*)" = 'mlmon.out.0 mlmon.out.1 mlmon.out.2 mlmon.out.3 ' ] || fail "$(ls)"
    for rank in 0 1 2 3; do
        has mlmon.out.$rank "^rank $rank 4\$"
        has mlmon.out.$rank "^host $(uname -n)\$"
    done
    ranks_of
    imbalance "$mpi" relax
    "$MLPROF" -show-extern true -imbalance rank -sort stack prog mlmon.out.* >table
    has table '<P*MPI_Allreduce>'
    calls MPI_Allreduce exchange stencil.c "$(grep -n 'MPI_Allreduce(' "$RANKS/stencil.c")"

    if command -v "$FC" >/dev/null && mpi_fc "$mpi" -O2 "$RANKS/stencil.f90" -o prog 2>err; then
        echo "$mpi, Fortran"
        measure "$mpi"
        ranks_of
        imbalance "$mpi" work.relax
        calls MPI_Allreduce stencil stencil.f90 "$(grep -n 'mpi_allreduce(' "$RANKS/stencil.f90")"
    else
        leave_out "$mpi and Fortran: $(head -n 1 err)"
    fi

    # MPICH kills the others at once, Open MPI some milliseconds after it has told them to end.
    echo "$mpi, a rank that aborts"
    rm -f mlmon.out*
    mpi_cc "$mpi" -O2 -fplugin-arg-ccprof-profile=time,count "$RANKS/stencil.c" -o prog
    CCPROF=every=1 launch "$mpi" ./prog 3 abort >out 2>err && fail 'it did not abort'
    for rank in 0 1 2 3; do
        [ -f mlmon.out.$rank ] || fail "rank $rank left no file: $(ls)"
        "$MLPROF" -csv - prog mlmon.out.$rank >table.csv
        calls=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "calls") column = i }
            $1 == "exchange" { print $column }' table.csv)
        [ "$calls" = 3 ] || fail "rank $rank: $(cat table.csv)"
    done
    ranks_of
done
[ "$tried" ] || skip 'there is neither Open MPI nor MPICH'
