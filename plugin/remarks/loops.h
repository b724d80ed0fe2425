/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loops: finds the loops of the current function and their copies, and collects what GCC
   did with them for the section .ccprof.remarks (doc/tables.md, "Remarks").

   loops.cc: the loops, and the passes that look at them.
   messages.cc: reads GCC's messages (-fopt-info) in the compiler, without a file.
   reasons.cc: selects the reason among the messages of the vectorizer.
   references.cc: names the variables in a message.

   A loop is recorded at the first pass that finds it. Its key is the copy and the
   position of its head, so duplicates of a loop are one loop. plugin/ccprof.cc calls the
   functions that register. The others are for the files of this room. */

#ifndef CCPROF_LOOPS_H
#define CCPROF_LOOPS_H

#include "plugin/tables/remarks.h"

/* Returns true if the compilation writes remarks. */
bool loops_are_told(void);

/* Call it in plugin_init. */
void messages_register(const char *plugin);

/* Records the loops of the current function that are not known yet, and what GCC will
   do with them. FORGET is true in a new pass: blocks may have been freed since the
   last call. */
void loops_record(void);

/* Returns the number of the loop that GCC's messages report at LOCATION, in the copy of
   its block; 0 if no loop is recorded there. */
unsigned loops_at(location_t location);

/* Called after the vectorizer. Adds a remark without a reason to each loop about which
   the vectorizer has said nothing. */
void loops_end_vectorizer(void);

/* Returns the number of a loop at this position in any copy; 0: none. A loop that GCC
   removed since loops_record is preferred, and each such loop is returned once. */
unsigned loops_at_place(const char *file, unsigned line, unsigned column);

/* Returns the variable of a floating-point reduction in the loop, or of a minimum or
   maximum, if GCC must keep the order of its operations (no -ffast-math). Otherwise
   NULL_TREE. */
tree loops_ordered_reduction(unsigned loop);

/* Adds a remark to the loop. TEXT and ABOUT may be NULL. */
void loops_remark(unsigned loop, enum ccprof_remark what, unsigned number, unsigned line,
                  const char *text, const char *about);

/* Returns the names of the variables that the message means, separated by ", "; NULL if
   they are not known. The caller frees the result. */
char *references_of(const char *message);

/* Returns the name of the variable of the source to which an SSA name leads; NULL if it
   is not known. */
const char *references_name(tree name);

/* The reason why the vectorizer leaves a loop as it is. All functions are called with the
   messages about one loop, in their order. LINE is the line of the message. */
void reasons_start(void);
void reasons_add(const char *text, unsigned line);
/* A vector length was tried without success. */
void reasons_end_length(void);
/* Adds the reason to the loop. */
void reasons_tell(unsigned loop);

#endif
