/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storage: decides where counters stand, for all modules whose code adds to one.  The
   optimisers see plain static variables.  When the analysis of the whole unit is over,
   these become thread-local variables in executables, where to add to one is one
   instruction.  In shared objects, and on processors on which the assembler cannot write
   down where a thread-local variable is, they become counters of the module, and code
   that accesses one adds ccprof_delta to its address, a word that the thread has for the
   module (threadword.h): the distance to the calling thread's copy, 0 until the runtime
   has made one.  So no thread waits for another, and shared objects need not ask for the
   address of their thread-local storage, nor find room where the loader keeps it.

   storage.cc: the variables, and accesses to them; storage-table.cc: what the tables and
   the runtime are told of them.  */

#ifndef CCPROF_STORAGE_H
#define CCPROF_STORAGE_H

#include "plugin/gcc/assembly.h"

/* In plugin_init.  */
void storage_register(const char *plugin);

/* A new static variable of COUNT counters, whose section is still to be decided.  */
tree storage_build(const char *name, unsigned count);

/* When the analysis of the unit is over: a counter of its own, which the optimisers see
   as counter.h says.  */
tree storage_make_counter(void);

/* Likewise a word of 64 bits for the code's own use, of each thread, first 0.  The tables
   tell of none, and what it holds counts for nothing.  */
tree storage_make_history(void);

/* Keeps COUNTER in memory throughout the current function, never in a register.  */
void storage_let_stay(tree counter);

/* Whether the VAR_DECL is one.  */
bool storage_is_counter(const_tree variable);

/* What such a COUNTER has counted is to be added to what MARKED (counter.h) has, or if
   NEGATIVE subtracted from it.  */
void storage_tell(tree counter, tree marked, bool negative);

/* What MARKED marks is to be told, with zero if nothing counts it.  */
void storage_expect(tree marked);

/* When the analysis of the unit is over: COUNT counters in a row, which are written out
   with the unit.  Gives the number of the row.  */
unsigned storage_make_row(unsigned count);
tree storage_variable(unsigned row);

/* Appends to STATEMENTS that AMOUNT, an unsigned number of 64 bits, is added to the
   counter INDEX of the row.  */
void storage_add(gimple_seq *statements, unsigned row, unsigned index, tree amount);

/* Appends to STATEMENTS, and gives, the address of the calling thread's counter INDEX of
   the row; with SAFELY a null pointer where it may be used when the module is gone: as
   long as a thread has no storage of its own in a shared object.  */
tree storage_pointer(gimple_seq *statements, unsigned row, unsigned index, bool safely);

/* Appends that AMOUNT is added to the counter, OFFSET bytes behind POINTER.  */
void storage_add_at(gimple_seq *statements, tree pointer, unsigned offset, tree amount);

/* Behind storage_emit: the address by which the tables tell of the first of the row; the
   others are 8 bytes apart.  */
struct assembly_address storage_address(unsigned row);

/* One that stands in the same section of the object.  */
struct assembly_address storage_neighbour(unsigned row);

/* Puts a variable of 8 bytes where counters of the module are.  Its code may give the
   variable any value, which is told as what was counted, without a thread's own copy.  */
void storage_put_in_cells(tree variable);

/* At the end of the unit: numbers the sources of the counters that this compilation
   writes out.  Returns whether there are any.  */
bool storage_collect(void);

/* What the runtime needs to know of them, if there are any, and the table that says whose
   they are; behind storage_collect.  UNIT is the label of the unit's table.  */
void storage_emit(const char *unit);

/* The note by which the runtime finds the counters in SECTION, of whose start and end the
   linker makes symbols.  OFFSET and NONE are members of struct ccprof_counts_note, as
   operands of the assembler.  */
void storage_emit_note(const char *section, int type, const char *offset,
                       const char *none);

#endif
