/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory and calls whose instructions tell what they belong to: each place of the source
   that touches memory has members or a variable of its own, each that calls out of the
   program a function of its own.

   Members lie in `struct room', far from its beginning, so that their distance stands in
   the instruction; variables (globN) and functions (callN) are symbols of the program,
   defined in assembly where no compiler looks.  */

#ifndef CCPROF_TRUTH_MEMORY_H
#define CCPROF_TRUTH_MEMORY_H

#include "text.h"

/* Declares all of it, for the header. */
void memory_declare_room(struct text *t);
void memory_declare_outside(struct text *t, bool cxx);

/* Writes FOLDER/outside.s.  Call it last.  */
void memory_define(const char *folder);

enum memory_member {
    MEMBER_NARROW, /* u32 */
    MEMBER_BYTE,
    MEMBER_WIDE, /* u64 */
    MEMBER_CELL, /* u32, INDEX tells which of 16 */
    MEMBERS
};

/* A new member of OWNER's, as what stands behind `far->'.  */
void memory_member(struct text *t, const struct owner *owner, enum memory_member member,
                   const char *index);

/* The name of a new variable (u32), or function (u32 from u32), of OWNER's.  Returns
   false, having written nothing, if OWNER is a template: its instances would share it. */
bool memory_variable(struct text *t, const struct owner *owner);
bool memory_function(struct text *t, const struct owner *owner);

#endif
