/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storage: decides where counters are stored, for all modules whose code adds to one. The
   optimisers see plain static variables.  When the analysis of the whole unit is over,
   each becomes one of these:

   - In executables: a thread-local variable, to which one instruction can add.
   - In shared objects, and where the assembler cannot write the offset of a thread-local
     variable: a counter of the module, in the section of *cells*.  Code that accesses it
     adds the word ccprof_delta to the address (threadword.h), the distance to the calling
     thread's copy.  The word is 0 until the runtime has made a copy.

   So threads never wait for each other.  Shared objects need neither a call to find their
   thread-local storage nor room in the storage that the loader reserves.

   storage.cc: the variables, and accesses to them.  storage-table.cc: the tables of
   counters, and the notes for the runtime.  */

#ifndef CCPROF_STORAGE_H
#define CCPROF_STORAGE_H

#include "plugin/gcc/assembly.h"

/* In plugin_init.  */
void storage_register(const char *plugin);

/* Makes a static variable of COUNT counters, whose section is not decided yet.  */
tree storage_build(const char *name, unsigned count);

/* When the analysis of the unit is over: makes a counter of the module's own.  */
tree storage_make_counter(void);

/* Likewise, makes a word of 64 bits for the code's own use, of each thread, first 0.  The
   tables do not mention it.  */
tree storage_make_history(void);

/* Keeps COUNTER in memory throughout the current function, never in a register.  */
void storage_let_stay(tree counter);

/* Whether the VAR_DECL comes from storage_make_counter.  */
bool storage_is_counter(const_tree variable);

/* Makes the tables say that the count of such a COUNTER is added to that of MARKED
   (counter.h), or if NEGATIVE subtracted.  */
void storage_add_term(tree counter, tree marked, bool negative);

/* Makes the tables list what MARKED marks, if it is calls, even if no counter counts it.
 */
void storage_list(tree marked);

/* When the analysis of the unit is over: makes COUNT counters in a row, which are written
   out with the unit.  Returns the number of the row.  */
unsigned storage_make_row(unsigned count);
tree storage_variable(unsigned row);

/* Appends to STATEMENTS that AMOUNT, an unsigned number of 64 bits, is added to the
   counter INDEX of the row.  */
void storage_add(gimple_seq *statements, unsigned row, unsigned index, tree amount);

/* Appends to STATEMENTS, and returns, the address of the calling thread's counter INDEX
   of the row.  SAFELY: the address may be used when the module has been unloaded; then it
   is a null pointer in a shared object while the thread has no copy of its own.  */
tree storage_pointer(gimple_seq *statements, unsigned row, unsigned index, bool safely);

/* Appends that AMOUNT is added to the counter OFFSET bytes behind POINTER.  */
void storage_add_at(gimple_seq *statements, tree pointer, unsigned offset, tree amount);

/* Behind storage_emit: the address of the first counter of the row in the tables; the
   others are 8 bytes apart.  */
struct assembly_address storage_address(unsigned row);

/* An address in the same section of the object as the row.  */
struct assembly_address storage_neighbour(unsigned row);

/* Puts a variable of 8 bytes into the section of cells.  The program may set the variable
   to any value, which the data file has as a count.  Threads have no copies of it.  */
void storage_put_in_cells(tree variable);

/* At the end of the unit: numbers the sources of the counters that this compilation
   writes.  Returns whether there are any.  */
bool storage_collect(void);

/* Behind storage_collect: writes the notes for the runtime, and the tables of what the
   counters count.  UNIT is the label of the unit's table.  */
void storage_emit(const char *unit);

/* Writes the note by which the runtime finds the counters in SECTION, for whose start and
   end the linker makes symbols.  OFFSET and NONE are members of struct
   ccprof_counts_note, as operands of the assembler.  */
void storage_emit_note(const char *section, int type, const char *offset,
                       const char *none);

/* The rest is shared by the files of this module.  */

/* The name of the thread's word.  */
#define STORAGE_DELTA "ccprof_delta"

/* A row of storage_make_row.  RECORD is the first of its records in executables, which
   storage_emit sets.  */
struct storage_row {
    tree variable;
    unsigned count, record;
};

extern struct storage_row *storage_rows;
extern size_t storage_row_count;

/* Whether any code reads the word.  */
bool storage_delta_is_read(void);

#endif
