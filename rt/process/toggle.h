/* SPDX-License-Identifier: MIT */
/* A signal that stops sampling and starts it again.  */

#ifndef CCPROF_TOGGLE_H
#define CCPROF_TOGGLE_H

/* Takes the signal; says so if somebody else has it.  Constructor, once.  */
void ccprof_toggle_install(int number);

#endif
