/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recursion: finds the functions of this unit that never stand twice on a stack, for
   inclusive counts: all that such a function calls, directly or not, is known and
   never comes back to it.  */

#ifndef CCPROF_RECURSION_H
#define CCPROF_RECURSION_H

/* Looks at the current function; on all of the unit before the first question.  */
void recursion_note(void);

/* Whether the function never stands twice on a stack; false of one that was not looked
   at.  */
bool recursion_is_impossible(tree function);

#endif
