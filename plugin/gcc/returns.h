/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returns: functions of this unit that come back whenever they are called, since nothing
   that they do, nor what they call, can end the program, throw, or jump out of them.  */

#ifndef CCPROF_RETURNS_H
#define CCPROF_RETURNS_H

/* Looks at the current function; on all of the unit before the first question.  */
void returns_note(void);

/* Whether the function, which is called, always comes back.  */
bool returns_always(tree function);

#endif
