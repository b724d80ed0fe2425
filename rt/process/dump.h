/* SPDX-License-Identifier: MIT */
/* Writes the profile at a signal, while the program goes on.  */

#ifndef CCPROF_DUMP_H
#define CCPROF_DUMP_H

/* Takes the signal; says so if somebody else has it.  Constructor, once.  */
void ccprof_dump_install(int number);

#endif
