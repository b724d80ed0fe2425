/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive: adds code that counts inclusively, for the argument `stack', by MLton's
   enter, add and leave.  Where a call is made that is no tail call the sources of the
   local stack are entered; what is counted is added to what the thread has counted, and
   to those sources of the local stack that are not entered.  So recursion counts once,
   and nothing walks a stack.  A source that is entered stays so along the control flow
   until something needs it left.  What a function has entered is remembered, so that
   those that an exception or a longjmp has cut off are left where control comes back
   (rt/format.h says what a thread has for it).

   One function goes this way: inclusive-plan.cc finds what the statements want to be
   entered, and what is entered where; inclusive-actions.cc what is to be done for that;
   inclusive.cc, the pass, chooses between two such lists and how it is done;
   inclusive-insert.cc puts the code in, with inclusive-steps.cc and inclusive_step.h
   where it is done in steps.  They share inclusive-lists.h: local stacks;
   inclusive-calls.h: which calls are entered and left around; inclusive-add.h: what
   statements add; inclusive-code.h: what the code is made of; inclusive-pairs.h: the
   pairs of the unit, and what the tables say of them.  */

#ifndef CCPROF_INCLUSIVE_H
#define CCPROF_INCLUSIVE_H

/* In plugin_init.  */
void inclusive_register(const char *plugin);

/* Looks at the current function, before any is inlined, for what it may come to; on all
   of the unit, or on none.  ADDS tells whether a call itself adds to inclusive counts; a
   call of a function that makes no such call, and no unknown one, adds nothing.  */
void inclusive_note_reach(bool (*adds)(const gcall *));

/* In passes before `ccprof_inclusive': appends to STATEMENTS that AMOUNT, an unsigned
   number of 64 bits, is counted at the location that they are given.  */
void inclusive_add(gimple_seq *statements, tree amount);

/* In passes before `ccprof_inclusive', of a function that is an allocator: a thread
   counts how often it enters such, in whatever executable or shared object.  */
void inclusive_enter_allocator(void);

/* In the same passes, around a call that allocates: notes in BEFORE, which comes in front
   of it, how often the thread has entered one.  Then the call is no tail call any more,
   since it has something behind it.  False: nothing can be told of it.  */
struct inclusive_allocators {
    tree thread, entered;
};
bool inclusive_note_allocators(gimple_seq *before, gcall *call,
                               struct inclusive_allocators *noted);

/* Appends to BEHIND whether none was entered meanwhile, which is the result.  */
tree inclusive_no_allocator(gimple_seq *behind, const struct inclusive_allocators *noted);

/* At the end of the unit: whether there are any; what the tables and the runtime need to
   know of them.  */
bool inclusive_any(void);
void inclusive_emit(const char *unit);

#endif
