/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources: numbers the functions and source files of the compilation unit. It owns the
   unit's table (plugin/tables/unit.h). All modules that write such numbers into tables
   get them here. */

#ifndef CCPROF_SOURCES_H
#define CCPROF_SOURCES_H

#include "plugin/tables/unit.h"
#include "plugin/tables/graph.h"

/* The table of the unit that is being compiled. Other modules may add strings to it. */
extern struct unit sources_unit;

/* Returns the number of the source function that FUNCTION was made from. Returns 0 if
   the source is excluded or FUNCTION is NULL_TREE. May be called at any time. */
unsigned sources_of(tree function);

/* Returns the number of the source function with this DECL_UID (of its DECL_ORIGIN).
   Returns 0 if it is excluded or has no number yet. */
unsigned sources_known(unsigned uid);

/* Returns the number of the code that GCC has split off FUNCTION, which must not be
   excluded. */
unsigned sources_split_off(tree function);

/* Returns the number of the current function. An entry or a split-off function has its
   own number. */
unsigned sources_current(void);

/* Returns the number of the current function as it was compiled: each clone has its
   own row and name. If BLOCK is not -1, returns the number of that basic block of the
   function. */
unsigned sources_compiled(int block);

/* Returns the number of a source file. FILE is the name that the compiler uses.
   Returns 0 if FILE is NULL or has no name. */
unsigned sources_file(const char *file);

/* Returns the MD5 of the present content of FILE, all 0 if it cannot be read. FILE is
   the name that the compiler uses. mlprof detects by it that a source file has
   changed. */
struct unit_hash sources_hash(const char *file);

/* Returns the range from the first to the last character of the expression at
   LOCATION. Returns all 0 if the range is not known, or if a part of the expression is
   in another file. */
struct graph_range sources_range(location_t location);

#endif
