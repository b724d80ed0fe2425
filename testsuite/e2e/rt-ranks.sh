#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that a launcher of MPI has numbered: each has a file of its own, a child of one, too, and what
# output= says is done. The launcher here is a loop that sets the variables of real ones.
. "$SRC/testsuite/lib.sh"

cat >ranks.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int step(int n) { return n + 1; }
int main(int count, char **words)
{
    int n = 0;
    while (n < atoi(words[1]))
        n = step(n);
    if (count > 2 && strcmp(words[2], "fork") == 0 && fork() == 0)
        return step(n) < 0;
    if (count > 2 && strcmp(words[2], "abort") == 0)
        abort();
    wait(NULL);
    return 0;
}
END
pcc -O2 -fplugin-arg-ccprof-profile=count ranks.c -o ranks

for variable in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK; do
    rm -f mlmon.out*
    for rank in 0 1 2 11; do
        env $variable=$rank ./ranks 10$rank &
    done
    wait
    ls mlmon.out.* >got
    printf 'mlmon.out.%s\n' 0 1 11 2 >want
    same got want
done
# 100, 101, 102 and 1011.
run 0 "$MLPROF" ranks mlmon.out.*
has out ' 1,314  step$'

echo 'One launcher in a step of another, and Slurm, which tells 0 where it has launched nothing.'
rm -f mlmon.out*
env PMIX_RANK=0 PMI_RANK=2 PMI_SIZE=4 ./ranks 5
has mlmon.out.2 '^rank 2 4$'
env PMIX_RANK=0 PMI_RANK=0 PMI_SIZE=1 OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8 ./ranks 5
has mlmon.out.5 '^rank 5 8$'
env SLURM_PROCID=3 ./ranks 5
[ -f mlmon.out ] || fail "a batch script: $(ls)"
env SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4 ./ranks 5
has mlmon.out.3 '^rank 3 4$'

echo 'A child, and one that aborts.'
rm -f mlmon.out*
env PMI_RANK=3 ./ranks 5 fork
env PMI_RANK=4 ./ranks 5 abort 2>/dev/null || :
printf '%s\n' mlmon.out* | sed 's/\(mlmon.out.[34]\.\)[0-9]*$/\1N/' >got
printf '%s\n' mlmon.out.3 mlmon.out.3.N mlmon.out.4 >want
same got want

echo 'What is asked for.'
rm -f mlmon.out*
env PMI_RANK=3 CCPROF=output=rank.%r.out ./ranks 5
[ -f rank.3.out ] || fail 'no rank.3.out'
env PMI_RANK=3 CCPROF=output=mine.out ./ranks 5
[ -f mine.out ] || fail 'no mine.out'
CCPROF=output=rank.%r.out ./ranks 5
[ -f rank.0.out ] || fail 'no rank.0.out'
env PMI_RANK=3/../x ./ranks 5
[ -f mlmon.out ] || fail 'what is no number was a rank'
