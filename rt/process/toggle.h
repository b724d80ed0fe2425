/* SPDX-License-Identifier: MIT */
/* Stops sampling and counting at a signal, and starts them again at the next one, for the
   setting toggle.  */

#ifndef CCPROF_TOGGLE_H
#define CCPROF_TOGGLE_H

/* Takes the signal, or says that the program uses it already.  Constructor, once.  */
void ccprof_toggle_install(int number);

#endif
