/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flowtable: carries the flow graphs of source functions from where edges.cc makes them
   to the section .ccprof.flow.  Until then each is kept in the initializer of a static
   variable whose context is the function, so that it survives LTO streaming and the
   function's end; before variables are written it is taken away.  */

#ifndef CCPROF_FLOWTABLE_H
#define CCPROF_FLOWTABLE_H

/* In plugin_init.  */
void flowtable_register(const char *plugin);

/* The flow graph of the current function: the bytes of graph_encode, which are copied,
   and their VERSION (doc/tables.md).  */
void flowtable_keep(const unsigned char *bytes, size_t size, unsigned version);

/* Whether this compilation has flow graphs to write.  */
bool flowtable_any(void);

/* Writes them, if there are any.  UNIT is the label of the unit's table.  */
void flowtable_emit(const char *unit);

#endif
