/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions of this unit that always return when they are called: nothing that
   they do or call can end the program, throw, or jump out of them.  For the modules that
   count.  */

#ifndef CCPROF_RETURNS_H
#define CCPROF_RETURNS_H

/* Looks at the current function; on all of the unit before the first question.  */
void returns_note(void);

/* Whether the function, which is called, always comes back.  */
bool returns_always(tree function);

#endif
