/* SPDX-License-Identifier: GPL-3.0-or-later */
/* absent: gives a counter to functions of the source of which nothing is compiled,
   since nothing that is compiled refers to them, for count.cc.  Nothing adds to such a
   counter, so that the function is told with no calls, like a function of which the
   optimisers leave nothing.  */

#ifndef CCPROF_ABSENT_H
#define CCPROF_ABSENT_H

/* In plugin_init, if calls are counted.  */
void absent_register(const char *plugin);

/* The current function is compiled; of all functions of the unit, before it is looked at
   which of them are.  */
void absent_note(void);

/* The function has a counter.  */
void absent_forget(tree function);

#endif
