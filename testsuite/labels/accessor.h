/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessors: functions that read, write, change or compare one member of the room, or one
   variable, and do nothing else.  In C they are functions, in C++ methods of the room. */

#ifndef CCPROF_TRUTH_ACCESSOR_H
#define CCPROF_TRUTH_ACCESSOR_H

#include "text.h"

/* Chooses them, before anything is written.  */
void accessor_plan(bool cxx);

/* C++: those that are methods, in the room.  */
void accessor_methods(struct text *t);
/* C: all, behind the room.  */
void accessor_functions(struct text *t);

/* A call of one that gives a value (u32), on the room `far'.  */
void accessor_read(struct text *t, const char *far);
/* A call, as a statement without semicolon, of one that takes VALUE (u32).  */
void accessor_write(struct text *t, const char *far, const char *value);

#endif
