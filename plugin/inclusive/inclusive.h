/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive: adds code that counts inclusively, for the argument `stack', with MLton's
   operations enter, add and leave.

   At a call that is not a tail call, the sources of the local stack are entered. A
   counted amount is added to the thread's total, and to those sources of the local
   stack that are not entered. So recursion counts once, and no code walks a stack. A
   source stays entered along the control flow until a statement requires that it is
   left. A function remembers the sources that it has entered. If an exception or a
   longjmp cuts them off, they are left at the place where control arrives (rt/format.h
   describes the thread's data).

   A function passes through these files:

   inclusive.cc: the pass, which chooses between two plans and two ways to carry them out.
   inclusive-plan.cc: requirements of statements, and the sources entered at each point.
   inclusive-actions.cc: the actions that carry out a plan.
   inclusive-insert.cc: inserts the code, in line or in steps (inclusive_step.h).

   They use:

   inclusive-pairs.cc: local stacks, and the pairs of the unit with their tables.
   inclusive-code.cc: the pieces of code, additions and sums.
   inclusive-inside.h: the declarations that these files share.

   Used by plugin/ccprof.cc and plugin/alloc. */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

/* Call this in plugin_init. */
void inclusive_register(const char *plugin);

/* Notes the calls of the current function, before any function is inlined. Called for
   all functions of the unit, or for none. ADDS returns true if a call itself adds to
   inclusive counts. A function adds nothing if it contains no such call and no call of
   an unknown function. */
void inclusive_note_reach(bool (*adds)(const gcall *));

/* In passes before `ccprof_inclusive': appends a statement to STATEMENTS that counts
   AMOUNT, an unsigned 64-bit number. It is counted for the location that the caller
   gives to STATEMENTS. */
void inclusive_add(gimple_seq *statements, tree amount);

/* In passes before `ccprof_inclusive', in a function that is an allocator: inserts
   code that counts how often the thread enters profiled allocators, in all executables
   and shared objects. */
void inclusive_enter_allocator(void);

/* In the same passes, around a call that allocates: appends a load of this number to
   BEFORE, the code before the call. The call can no longer be a tail call, because
   code follows it. Returns false if this is not possible. */
struct inclusive_allocators {
    tree thread, entered;
};
bool inclusive_note_allocators(gimple_seq *before, gcall *call,
                               struct inclusive_allocators *noted);

/* Appends a comparison to BEHIND, the code after the call, and returns its result:
   true if the number is still the same. */
tree inclusive_no_allocator(gimple_seq *behind, const struct inclusive_allocators *noted);

/* At the end of the unit: inclusive_any returns true if there are inclusive counts.
   inclusive_emit writes the tables and the data for the runtime. */
bool inclusive_any(void);

/* Writes the thread's word INCLUSIVE_WORD and the note about the pairs, also for pairs of
   plugin/machine. */
void inclusive_emit_word(void);
void inclusive_emit(const char *unit);

#endif
