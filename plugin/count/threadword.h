/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threadword: makes words of threads for modules whose code reads them and for the
   runtime, which finds them: each thread has its own word in each executable or shared
   object, whatever number of its objects write one.

   In executables the words are thread-local variables.  Code that is compiled for shared
   objects has a *place* for each word instead (struct ccprof_place): a variable that
   tells where the runtime keeps the word.  So a program may load any number of such
   objects, while a loader has room for about 200 thread-local words in objects that are
   loaded late.  */

#ifndef CCPROF_THREADWORD_H
#define CCPROF_THREADWORD_H

/* The variable of that name and type, as code of this compilation refers to it.  */
tree threadword_declare(const char *word, tree type);

/* Whether the code of this compilation has places.  The functions below are for such
   code; those of thread-local words are for other code.  */
bool threadword_is_placed(void);

/* The place of that word, as code of this compilation refers to it.  */
tree threadword_declare_place(const char *word);

/* Append to STATEMENTS, and give: what the word holds that all modules share, or 0
   without a word; the address of the module's own struct ccprof_stack_word; the second
   word of it, or 0 without one.  TYPE is that of the result.  */
tree threadword_load_shared(gimple_seq *statements, tree place, tree type);
tree threadword_find_own(gimple_seq *statements, tree place);
tree threadword_load_own(gimple_seq *statements, tree place, tree type);

/* A statement that stores VALUE in the word that all modules share, if there is one.  */
gimple *threadword_store_shared(tree place, tree value);

/* The name of the place of WORD, a literal.  */
#define THREADWORD_PLACE(WORD) WORD "_place"

/* Writes the place of WORD, hidden, in a COMDAT group.  NONE: an operand of .8byte, the
   first word of a thread without words.  */
void threadword_emit_place(const char *word, const char *none);

/* Writes WORD, of SIZE bytes, and the function WORD_offset that gives its distance from
   the thread pointer, both hidden, in a COMDAT group.  It starts as the operands VALUES
   of .8byte, or as zero if that is NULL.  */
void threadword_emit(const char *word, unsigned size, const char *values);

/* Writes what one of them is, of a WORD of 8 bytes that all modules share, and the note
   by which the runtime finds it, which is of type NOTE or PLACED.  */
void threadword_emit_shared(const char *word, int note, int placed);

#endif
