/* SPDX-License-Identifier: MIT */
/* Writes the profile at a signal, for the setting write; the program goes on.  */

#ifndef CCPROF_DUMP_H
#define CCPROF_DUMP_H

/* Takes the signal, or says that the program uses it already.  Constructor, once.  */
void ccprof_dump_install(int number);

#endif
