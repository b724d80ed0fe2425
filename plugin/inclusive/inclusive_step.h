/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive_step: writes steps (inclusive-insert.cc) as instructions of the processor.
   There is one file inclusive_step-NAME.cc for each processor. NAME is the first word
   of `gcc -dumpmachine'. A step is a call that changes only memory, the flags and a
   few registers. A list in read-only memory describes what the step does, in words of
   32 bits:

     word   number of shares (bits 0-7), of pairs to be left (8-14) and to be entered
            (15-21); amount to be added to the total (22-29); bit 31: a counter follows
     word   the counter, to which 1 is added: its offset from the thread pointer, or
            the distance of the module's counter from this word
     word   only to cut back: number of entries of the function
     words  pairs that are left, innermost first
     words  shares: a pair (bits 0-23), and an amount (upper bits) that is added if
            the pair's depth is 0; for INCLUSIVE_STEP_AMOUNT the whole amount is added
     words  pairs that are entered, outermost first */

#ifndef CCPROF_INCLUSIVE_STEP_H
#define CCPROF_INCLUSIVE_STEP_H

enum inclusive_step_entry {
    INCLUSIVE_STEP_ADD,    /* does all in the list except cutting and leaving */
    INCLUSIVE_STEP_CUT,    /* does all in the list; the operand is the function's top */
    INCLUSIVE_STEP_AMOUNT, /* adds the operand to the total and the shares; no counter,
                              nothing entered */
};

#define INCLUSIVE_STEP_PAIRS  (1u << 24) /* numbers of pairs are smaller */
#define INCLUSIVE_STEP_SHARES 255        /* at most */
#define INCLUSIVE_STEP_NUMBER 255        /* amounts are smaller */

/* Returns true if steps are possible for the target of this compilation. */
bool inclusive_step_is_possible(void);

/* These functions make statements for the current function. inclusive_step_call: a
   step with the list at the offset LIST. inclusive_step_check: a call that only cuts
   entries above TOP. inclusive_step_begin: a call that makes room at the start of the
   function, and sets TOP to the top of the stack. */
gimple *inclusive_step_call(enum inclusive_step_entry entry, unsigned list, tree operand);
gimple *inclusive_step_check(tree top);
gimple *inclusive_step_begin(tree top);

/* Returns the word for counter INDEX of the row with VARIABLE, in the syntax of the
   assembler. The caller frees it. */
char *inclusive_step_counter(tree variable, unsigned index);

/* At the end of a unit with steps: writes the code that the steps call. LISTS and
   PAIRS are labels of the unit. */
void inclusive_step_emit(const char *lists, const char *pairs);

#endif
