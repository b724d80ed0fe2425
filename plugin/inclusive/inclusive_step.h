/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive_step: writes steps (inclusive-insert.cc) as the processor's instructions: one
   file inclusive_step-NAME.cc for each, NAME as in the first word of `gcc -dumpmachine'.
   A step is a call that only changes memory, the flags and a few registers.  A list in
   read-only memory says what it does, in words of 32 bits:

     word   how many shares (bits 0-7), pairs to be left (8-14) and to be entered (15-21),
            what is added to the total (22-29); bit 31: a counter follows
     word   the counter, to which 1 is added: its offset from the thread pointer, or the
            distance to the module's own from here
     word   to cut back only: how many of the function's entries there are
     words  pairs that are left, innermost first
     words  shares: a pair (bits 0-23), to which the upper bits are added if it has no
            depth; of INCLUSIVE_STEP_AMOUNT all of the amount
     words  pairs that are entered, outermost first  */

#ifndef CCPROF_INCLUSIVE_STEP_H
#define CCPROF_INCLUSIVE_STEP_H

enum inclusive_step_entry {
    INCLUSIVE_STEP_ADD,    /* what the list says, but cutting and leaving */
    INCLUSIVE_STEP_CUT,    /* all that it says; the operand is the function's top */
    INCLUSIVE_STEP_AMOUNT, /* the operand is added to the total and the shares; no
                          counter, nothing entered */
};

#define INCLUSIVE_STEP_PAIRS  (1u << 24) /* their numbers are less */
#define INCLUSIVE_STEP_SHARES 255        /* at most */
#define INCLUSIVE_STEP_NUMBER 255        /* more than is added at once */

/* Whether steps can be made in the code that is compiled for.  */
bool inclusive_step_is_possible(void);

/* In the function that is being compiled: a step by the list that begins so many bytes
   behind the first one; a call that only cuts what is above TOP; and one that makes room
   where a function begins, and tells its top.  */
gimple *inclusive_step_call(enum inclusive_step_entry entry, unsigned list, tree operand);
gimple *inclusive_step_check(tree top);
gimple *inclusive_step_begin(tree top);

/* The word of a counter, as the assembler reads it: of a row's variable.  To be freed. */
char *inclusive_step_counter(tree variable, unsigned index);

/* At the end of a unit with steps: what they call.  LISTS and PAIRS are labels of the
   unit's.  */
void inclusive_step_emit(const char *lists, const char *pairs);

#endif
