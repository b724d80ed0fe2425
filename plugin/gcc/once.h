/* SPDX-License-Identifier: GPL-3.0-or-later */
/* once: functions of this unit that never stand twice on a stack, since all that they
   call, and what that calls, is known and never comes back to them.  */

#ifndef CCPROF_ONCE_H
#define CCPROF_ONCE_H

/* Looks at the current function; on all of the unit before the first question.  */
void once_note(void);

/* Whether it is such a function; false of one that was not looked at.  */
bool once_is(tree function);

#endif
