/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocktype: tells of which type the blocks are that calls return, for the kind time,
   whose runtime sees the allocations (doc/tables.md, "Types of blocks").  A call is told
   by its position in its source function, so that nothing of the code has to carry the
   type: the code stays as it is.  For the schedule.  */

#ifndef CCPROF_BLOCKTYPE_H
#define CCPROF_BLOCKTYPE_H

/* In plugin_init.  */
void blocktype_register(const char *plugin);

/* Whether there is anything to write; then, at the end of the unit, write it.  */
bool blocktype_any(void);
void blocktype_emit(const char *unit);

#endif
