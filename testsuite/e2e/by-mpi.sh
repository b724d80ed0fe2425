#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The names that calls of MPI have, in C and in Fortran, of all bindings; the library here has nothing
# but these.
. "$SRC/testsuite/lib.sh"

# Each is called as long as the next one.
names='MPI_Barrier PMPI_Reduce mpi_send_ mpi_recv__ mpi_allreduce_f08_ mpi_bcast_f08ts_ mpi_gather_f08ts_large_ pmpi_scan_f08_'
{
    echo '#include <time.h>'
    echo 'void burn(void) { clock_t end = clock() + CLOCKS_PER_SEC / 20; while (clock() < end); }'
    for name in $names; do
        echo "void $name(void) { burn(); }"
    done
} >fake.c
"$CC" -O1 -fno-optimize-sibling-calls -shared -fPIC fake.c -o libfake.so
{
    for name in $names; do
        echo "void $name(void);"
    done
    echo 'int main(void) {'
    for name in $names; do
        echo "$name();"
    done
    echo 'return 0; }'
} >prog.c
pcc -O1 prog.c -L. -lfake -Wl,-rpath,"$PWD" -o prog
CCPROF=rate=1000 ./prog
run 0 "$MLPROF" -by mpi -balance false prog mlmon.out
sed -n 's/.* \([MP]*PI_[^ ]*\)  in main.*/\1/p' out | sort >got
printf '%s\n' MPI_Allreduce MPI_Barrier MPI_Bcast MPI_Gather MPI_Recv MPI_Reduce MPI_Scan MPI_Send >want
same got want
