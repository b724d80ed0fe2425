/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells mlprof by which patterns functions were asked for (doc/tables.md, "Asked"): one
   unit cannot know that a pattern means no function of the whole program.  It also tells
   of objects for link-time optimization, whose tables are made at the link, that they
   were compiled with the plugin.  For the filter and delay.  */

#ifndef CCPROF_ASKED_H
#define CCPROF_ASKED_H

/* A pattern given as the plugin's argument NAME; returns its number, from 1 on.  */
unsigned asked_add(const char *name, const char *pattern);

/* The pattern of that number, which may be 0, means a function of this unit.  */
void asked_meet(unsigned number);
bool asked_is_met(unsigned number);

/* In plugin_init.  MEET_ALL is called when all functions of the unit are known, before
   any is optimised.  */
void asked_register(const char *plugin, void (*meet_all)(void));

/* At the end of the unit.  */
void asked_emit(void);

#endif
