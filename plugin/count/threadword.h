/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threadword: makes words of 8 bytes that each thread has for itself, for code that the
   plugin adds and for the runtime.  An executable or shared object has one word of a
   name, whichever of its objects define it.

   In executables the words are thread-local variables.  Code for shared objects has a
   *place* for each word instead (struct ccprof_place): a variable that says where the
   runtime keeps the word.  So a program may load any number of such objects, while a
   loader has room for about 200 thread-local words of objects that are loaded late.

   threadword.cc: the words and the code for them.  threadword-NAME.cc: the instructions
   of one processor, NAME as in the first word of `gcc -dumpmachine'.  */

#ifndef CCPROF_THREADWORD_H
#define CCPROF_THREADWORD_H

/* Returns the variable of that name and type, as this compilation refers to it.  */
tree threadword_declare(const char *word, tree type);

/* Whether this compilation makes code with places.  If so, the functions of places below
   are used, otherwise those of thread-local words.  */
bool threadword_is_placed(void);

/* Returns the place of the word, as this compilation refers to it.  */
tree threadword_declare_place(const char *word);

/* These append to STATEMENTS and return: the word that all modules share, or 0 without a
   word; the address of the module's own struct ccprof_stack_word; the second word of
   that struct, or 0 without one.  TYPE is the type of the result.  */
tree threadword_load_shared(gimple_seq *statements, tree place, tree type);
tree threadword_find_own(gimple_seq *statements, tree place);
tree threadword_load_own(gimple_seq *statements, tree place, tree type);

/* Returns a statement that stores VALUE in the word that all modules share, if there is
   one.  */
gimple *threadword_store_shared(tree place, tree value);

/* The name of the place of WORD, a literal.  */
#define THREADWORD_PLACE(WORD) WORD "_place"

/* Writes the place of WORD, hidden, in a COMDAT group.  NONE is an operand of .8byte: the
   first word of a thread that has none.  */
void threadword_emit_place(const char *word, const char *none);

/* Writes WORD, of SIZE bytes, and the function WORD_offset that returns its distance from
   the thread pointer, both hidden, in a COMDAT group.  The word starts as the operands
   VALUES of .8byte, or as zero if VALUES is NULL.  */
void threadword_emit(const char *word, unsigned size, const char *values);

/* Writes WORD, of 8 bytes, which all modules share, or its place, and the note of type
   NOTE or PLACED by which the runtime finds it.  */
void threadword_emit_shared(const char *word, int note, int placed);

/* The rest is what threadword.cc needs of threadword-NAME.cc.  */

/* Prints the instructions of the function WORD_offset behind its label.  They return the
   distance of WORD from the thread pointer, which the loader knows (initial-exec).  */
void threadword_print_offset(const char *word);

/* Whether the statements below read the member PACKED of a place, rather than OFFSET and
   INDEX.  */
bool threadword_is_packed(void);

/* Asm statements.  Their operands %1, %2 and %3 are the members OFFSET, INDEX and NONE of
   a place.  LOAD_SHARED, FIND_OWN and LOAD_OWN set %0 to the results of the functions
   above, perhaps before they read the other operands.  STORE_SHARED stores %2 and may set
   %0. If places are packed, %1 is another register that changes, %2 is PACKED, and %3 is
   the value to be stored.  */
enum threadword_code {
    THREADWORD_LOAD_SHARED,
    THREADWORD_FIND_OWN,
    THREADWORD_LOAD_OWN,
    THREADWORD_STORE_SHARED
};

/* Returns the text of the statement, in the syntaxes of -masm=: {AT&T|Intel}.  @ stands
   for the address of NONE.  */
const char *threadword_text(enum threadword_code code);

#endif
