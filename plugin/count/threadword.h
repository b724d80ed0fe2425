/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threadword: makes words of 8 bytes that each thread has for itself. The code that
   the plugin adds and the runtime use them. An executable or shared object has one
   word of each name, even if several of its objects define it.

   In executables the words are thread-local variables. Code for shared objects has a
   *place* for each word instead (struct ccprof_place): a variable that says where the
   runtime keeps the word. So a program may load any number of such shared objects. The
   loader has room for only about 200 thread-local words of objects that are loaded
   late.

   Some of the instructions depend on the processor: threadword.cc has a list of the
   processors that it knows.

   Used by storage.cc, plugin/alloc, plugin/field and plugin/inclusive. */

#ifndef CCPROF_THREADWORD_H
#define CCPROF_THREADWORD_H

/* Declares the thread-local variable WORD of the given type for this compilation, and
   returns it. */
tree threadword_declare(const char *word, tree type);

/* Returns true if this compilation makes code with places. In that case use the
   functions for places below, otherwise the functions for thread-local words. */
bool threadword_is_placed(void);

/* Declares the place of the word for this compilation, and returns it. */
tree threadword_declare_place(const char *word);

/* These functions append code to STATEMENTS and return the result of the code.
   threadword_load_shared returns the word that all modules share, or 0 without a word.
   threadword_find_own returns the address of the module's own struct
   ccprof_stack_word. threadword_load_own returns the second word of this struct, or 0
   without one. TYPE is the type of the result. */
tree threadword_load_shared(gimple_seq *statements, tree place, tree type);
tree threadword_find_own(gimple_seq *statements, tree place);
tree threadword_load_own(gimple_seq *statements, tree place, tree type);

/* Returns a statement that stores VALUE in the word that all modules share. If the
   thread has no word, the statement does nothing. */
gimple *threadword_store_shared(tree place, tree value);

/* The name of the place of WORD, which must be a literal. */
#define THREADWORD_PLACE(WORD) WORD "_place"

/* Writes the place of WORD, hidden, in a COMDAT group. NONE is an operand of .8byte:
   the value of the first word for a thread without its own. */
void threadword_emit_place(const char *word, const char *none);

/* Writes WORD, of SIZE bytes, and the function WORD_offset, which returns the distance
   of WORD from the thread pointer. Both are hidden, in a COMDAT group. The initial
   value is VALUES, operands of .8byte, or zero if VALUES is NULL. */
void threadword_emit(const char *word, unsigned size, const char *values);

/* Writes WORD, of 8 bytes, which all modules share, or its place. Also writes the note
   by which the runtime finds it, of type NOTE for a word or PLACED for a place. */
void threadword_emit_shared(const char *word, int note, int placed);

#endif
