/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watched: knows the functions of the unit that have stopwatches, for the other
   modules of this room: the region of each (struct ccprof_region), and calls of the
   stub (rt/attach.c) for it.  */

#ifndef CCPROF_WATCHED_H
#define CCPROF_WATCHED_H

/* In plugin_init.  */
void watched_register(const char *plugin);

/* The number of the function's region.  */
unsigned watched_number(tree function);

/* The text of its label; behind it are three words: name, number, and the address of the
   first.  */
#define WATCHED_LABEL ".Lccprof_watched_%u"

enum watched_call {
    WATCHED_ENTER, /* returns what it has entered */
    WATCHED_END,
    WATCHED_LEFT, /* takes that as a second argument, 0: it was not entered */
};

/* The type of what is entered.  */
#define WATCHED_TYPE long_unsigned_type_node

/* The call for the region of SCOPE's function (scopes.h), charged to that scope. ENTERED:
   of WATCHED_LEFT.  */
gcall *watched_build(enum watched_call call, tree scope, tree entered);

/* At the end of the compilation (emit.h): writes the regions, if there are any.  */
bool watched_any(void);
void watched_emit(const char *unit);

#endif
