/* SPDX-License-Identifier: MIT */
/* Tells where the process runs, for the name and the content of its file: on which
   machine, and with which rank, if a launcher of MPI (mpirun, mpiexec, srun) has set one
   in the environment.  Sources: Open MPI, orte/mca/schizo; PMIx standard, 3.4; MPICH,
   src/pm/hydra; srun(1).  */

#ifndef CCPROF_ORIGIN_H
#define CCPROF_ORIGIN_H

/* Reads the environment; later changes by the program have no effect.  Constructor.  The
   other functions may be called in any thread, handlers included.  */
void ccprof_origin_start(void);

/* Returns the name of the machine, uname(2); "" if the system does not tell it.  */
const char *ccprof_origin_host(void);

/* Returns the rank in decimal; "" if there is none.  */
const char *ccprof_origin_rank(void);

/* Returns the number of processes of the job in decimal, as the same launcher tells it;
   "" if it does not, or if the number is not greater than the rank.  */
const char *ccprof_origin_ranks(void);

#endif
