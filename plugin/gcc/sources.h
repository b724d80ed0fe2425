/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources: numbers the functions and source files of the compilation unit.  It owns the
   unit's table (plugin/tables/unit.h).  All that write such numbers into tables ask it.
 */

#ifndef CCPROF_SOURCES_H
#define CCPROF_SOURCES_H

#include "plugin/tables/unit.h"
#include "plugin/tables/graph.h"

/* The table of the unit that is being compiled.  Strings may be added to it.  */
extern struct unit sources_unit;

/* The number of the source function that FUNCTION was made from; 0 if it is excluded, or
   if FUNCTION is NULL_TREE.  May be called at any time.  */
unsigned sources_of(tree function);

/* The number that the source function with this DECL_UID (of its DECL_ORIGIN) has got so
   far; 0: none, or excluded.  */
unsigned sources_known(unsigned uid);

/* The number of the code that GCC has split off FUNCTION, which is not excluded.  */
unsigned sources_split_off(tree function);

/* The number of the current function, which may be a clone that is a source of its own.
 */
unsigned sources_current(void);

/* The number of the current function as it was compiled, its clone's name shown, or,
   unless BLOCK is -1, of that basic block of the function.  */
unsigned sources_compiled(int block);

/* The number of a source file, named as the compiler knows it; 0 if FILE is NULL or has
   no name.  */
unsigned sources_file(const char *file);

/* The MD5 of what is in FILE now, named as the compiler knows it, by which mlprof tells
   whether the file has changed since; all 0 if FILE cannot be read.  */
struct unit_hash sources_hash(const char *file);

/* The range from the first to the last character of the expression at LOCATION; all 0 if
   it is not known, or if a part of the expression is in another file.  */
struct graph_range sources_range(location_t location);

#endif
