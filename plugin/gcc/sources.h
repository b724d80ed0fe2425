/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sources: numbers the functions and source files of the compilation unit, in the
   unit's table, which stands here, for all that write such numbers into tables.  */

#ifndef CCPROF_SOURCES_H
#define CCPROF_SOURCES_H

#include "plugin/tables/unit.h"

/* The table of the unit that is being compiled.  Strings may be added to it.  */
extern struct unit sources_unit;

/* The number of the source function that FUNCTION was made from, 0: excluded, or
   FUNCTION is NULL_TREE.  Any time.  */
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

/* The number of a source file, named as the compiler knows it; NULL: there is none.  0:
   the file has no name.  */
unsigned sources_file(const char *file);

#endif
