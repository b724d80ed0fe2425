/* SPDX-License-Identifier: GPL-3.0-or-later */
/* returns: finds the functions of this unit that always return when they are called,
   for the modules that count: nothing that such a function does or calls can end the
   program, throw, or jump out of it.  */

#ifndef CCPROF_RETURNS_H
#define CCPROF_RETURNS_H

/* Looks at the current function; on all of the unit before the first question.  */
void returns_note(void);

/* Whether the function, which is called, always comes back.  */
bool returns_always(tree function);

#endif
