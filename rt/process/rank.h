/* SPDX-License-Identifier: MIT */
/* Tells which of the processes of one job this is, for the name of its file: launchers of
   MPI (mpirun, mpiexec, srun) number them and say the number in the environment.  */

#ifndef CCPROF_RANK_H
#define CCPROF_RANK_H

/* The rank in decimal, "" if no launcher says one; it stays there.  Constructor; what the
   program writes into its environment later changes nothing.  Sources: Open MPI,
   orte/mca/schizo; PMIx standard, 3.4; MPICH, src/pm/hydra; srun(1).  */
const char *ccprof_rank(void);

#endif
