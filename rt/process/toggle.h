/* SPDX-License-Identifier: MIT */
/* Stops sampling and counting at a signal, and starts them again at the next.  */

#ifndef CCPROF_TOGGLE_H
#define CCPROF_TOGGLE_H

/* Takes the signal; says so if somebody else has it.  Constructor, once.  */
void ccprof_toggle_install(int number);

#endif
