/* SPDX-License-Identifier: MIT */
/* Tells where the process runs, for the name of its file and for what stands in it: on
   which machine, and which process of its job it is if a launcher of MPI (mpirun,
   mpiexec, srun) has numbered it, which says the number in the environment.  Sources:
   Open MPI, orte/mca/schizo; PMIx standard, 3.4; MPICH, src/pm/hydra; srun(1).  */

#ifndef CCPROF_ORIGIN_H
#define CCPROF_ORIGIN_H

/* Looks; what the program writes into its environment later changes nothing.
   Constructor.  The others: any thread, handlers included.  */
void ccprof_origin_start(void);

/* The machine's name, uname(2); "" if the system does not say it.  */
const char *ccprof_origin_host(void);

/* The rank in decimal, "" if there is none.  */
const char *ccprof_origin_rank(void);

/* How many processes the job has, in decimal, as the same launcher says it; "" if it does
   not, or if that is not more than the rank.  */
const char *ccprof_origin_ranks(void);

#endif
