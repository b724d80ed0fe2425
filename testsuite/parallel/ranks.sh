# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests with MPI: . "$SRC/testsuite/parallel/ranks.sh" behind lib.sh. The implementations are openmpi
# and mpich, by the names that Debian gives their commands.

# For the tests.
# shellcheck disable=SC2034
RANKS=$SRC/testsuite/parallel

# Open MPI asks whether that is meant where root starts a job, as tests in clean systems do.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# launcher MPI: it is there.
launcher() {
    if command -v "mpirun.$1" >/dev/null && command -v "mpicc.$1" >/dev/null; then
        return 0
    fi
    leave_out "$1: it is not installed"
    return 1
}

# mpi_cc MPI OPTIONS...: its compiler for C, with ours and the plugin.
mpi_cc() {
    mpi_of=$1
    shift
    OMPI_CC=$CC MPICH_CC=$CC "mpicc.$mpi_of" -fplugin="$PLUGIN" "$@"
}

# launch MPI COMMAND...: four ranks of it, on the processors that there are.
launch() {
    mpi_of=$1
    shift
    case $mpi_of in
    openmpi) mpirun.openmpi --oversubscribe -n 4 "$@" </dev/null ;;
    *) "mpirun.$mpi_of" -n 4 "$@" </dev/null ;;
    esac
}
