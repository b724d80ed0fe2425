/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What differs between processors: one file threadword-NAME.cc for each, NAME as in the
   first word of `gcc -dumpmachine'; for threadword.cc.  */

#ifndef CCPROF_THREADWORD_INSIDE_H
#define CCPROF_THREADWORD_INSIDE_H

/* Prints the instructions of the function WORD_offset behind its label: it gives the
   distance of WORD from the thread pointer, which the loader knows (initial-exec).  */
void threadword_print_offset(const char *word);

/* Whether the statements below read the member PACKED of a place.  */
bool threadword_is_packed(void);

/* What an asm statement does with a place, whose members OFFSET, INDEX and NONE are the
   operands %1, %2 and %3.  LOAD_SHARED, FIND_OWN and LOAD_OWN set %0 to what the
   functions of threadword.h give; they may set it before they read the others.
   STORE_SHARED stores %2 and may set %0 in between.  Where places are packed, %1 is
   another register to be changed, %2 is PACKED, and %3 what is stored.  */
enum threadword_code {
    THREADWORD_LOAD_SHARED,
    THREADWORD_FIND_OWN,
    THREADWORD_LOAD_OWN,
    THREADWORD_STORE_SHARED
};

/* Its text, in the syntaxes that -masm= has: {AT&T|Intel}.  @ stands for the address of
   NONE.  */
const char *threadword_text(enum threadword_code code);

#endif
