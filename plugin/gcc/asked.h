/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asked: tells mlprof by which patterns functions were asked for (doc/tables.md,
   "Asked"), for the filter and delay: one unit cannot know that a pattern means no
   function of the whole program.  It names excluded functions that allocate, for the kind
   alloc.  The module also tells of each object for link-time
   optimization, whose tables are made at the link, that it was compiled with the
   plugin.  */

#ifndef CCPROF_ASKED_H
#define CCPROF_ASKED_H

/* A pattern given as the plugin's argument NAME; returns its number, from 1 on.  */
unsigned asked_add(const char *name, const char *pattern);

/* The pattern of that number, which may be 0, means a function of this unit.  */
void asked_meet(unsigned number);
bool asked_is_met(unsigned number);

/* The current unit does not count what the excluded function NAME allocates.  */
void asked_lack(const char *name);

/* In plugin_init.  MEET_ALL is called when all functions of the unit are known, before
   any is optimised.  */
void asked_register(const char *plugin, void (*meet_all)(void));

/* At the end of the unit.  */
void asked_emit(void);

#endif
