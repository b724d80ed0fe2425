/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive: adds code that counts inclusively, for the argument `stack', by MLton's
   enter, add and leave.

   At a call that is no tail call the sources of the local stack are entered.  An amount
   that is counted is added to the thread's total, and to the sources of the local stack
   that are not entered.  So recursion counts once, and no code walks a stack.  A source
   stays entered along the control flow until a statement requires that it is left.  A
   function remembers what it has entered: if an exception or a longjmp cuts sources off,
   they are left where control arrives (rt/format.h describes the thread's data).

   A function goes through these files:

   inclusive.cc: the pass, which chooses between two plans and two ways to carry them out.
   inclusive-plan.cc: what the statements require, and what is entered where.
   inclusive-actions.cc: what must be done for that.
   inclusive-insert.cc: inserts the code, in line or in steps (inclusive_step.h).

   They use inclusive-pairs.cc: local stacks, and the pairs of the unit with their tables;
   inclusive-add.cc: additions and sums; inclusive-code.cc: the pieces of code.
   inclusive-inside.h declares what these files share.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

/* In plugin_init.  */
void inclusive_register(const char *plugin);

/* Notes which calls the current function makes, before any function is inlined.  Called
   for all functions of the unit, or for none.  ADDS returns whether a call itself adds to
   inclusive counts.  A function that makes no such call, and no unknown one, adds
   nothing.  */
void inclusive_note_reach(bool (*adds)(const gcall *));

/* In passes before `ccprof_inclusive': appends to STATEMENTS that AMOUNT, an unsigned
   number of 64 bits, is counted at the location that they are given.  */
void inclusive_add(gimple_seq *statements, tree amount);

/* In passes before `ccprof_inclusive', in a function that is an allocator: makes the
   thread count how often it enters allocators, in whatever executable or shared object.
 */
void inclusive_enter_allocator(void);

/* In the same passes, around a call that allocates: appends to BEFORE, code in front of
   the call, a load of this number.  The call is no tail call any more, since code
   follows. Returns false if this is not possible.  */
struct inclusive_allocators {
    tree thread, entered;
};
bool inclusive_note_allocators(gimple_seq *before, gcall *call,
                               struct inclusive_allocators *noted);

/* Appends to BEHIND and returns whether the number is still the same.  */
tree inclusive_no_allocator(gimple_seq *behind, const struct inclusive_allocators *noted);

/* At the end of the unit: whether there are inclusive counts; writes the tables and the
   data of the runtime.  */
bool inclusive_any(void);
void inclusive_emit(const char *unit);

#endif
