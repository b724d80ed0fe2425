/* SPDX-License-Identifier: GPL-3.0-or-later */
/* storage: decides where counters are stored, for all modules whose code adds to
   counters. The optimisers see plain static variables. When the analysis of the whole
   unit is finished, each variable becomes one of these:

     - In executables: a thread-local variable, to which one instruction can add.
     - In shared objects, and where the assembler cannot write the offset of a
       thread-local variable: a counter of the module, in the section of *cells*. Code
       that accesses the counter adds the word ccprof_delta (threadword.h) to its
       address. This word is the distance to the calling thread's copy. It is 0 until
       the runtime has made a copy.

   So threads never wait for each other. Shared objects need neither a call to find
   their thread-local storage nor room in the storage that the loader reserves.

   storage.cc: the variables, and accesses to them.

   storage-table.cc: the tables of counters, and the notes for the runtime.

   Used by the other modules of plugin/count, and by plugin/alloc, plugin/inclusive,
   plugin/train and plugin/ccprof.cc. */

#ifndef CCPROF_STORAGE_H
#define CCPROF_STORAGE_H

#include "plugin/gcc/assembly.h"

/* Call this in plugin_init. */
void storage_register(const char *plugin);

/* Makes a static variable with COUNT counters. The caller chooses its section. */
tree storage_build(const char *name, unsigned count);

/* Makes a counter for the module. May be called when the analysis of the unit is
   finished. */
tree storage_make_counter(void);

/* Makes a 64-bit word of each thread for the added code's own use. It starts as 0. The
   tables do not mention it. May be called when the analysis of the unit is finished. */
tree storage_make_history(void);

/* Keeps COUNTER in memory throughout the current function, never in a register. */
void storage_keep_in_memory(tree counter);

/* Returns true if storage_make_counter made the VAR_DECL. */
bool storage_is_counter(const_tree variable);

/* Makes the tables state that the value of COUNTER is added to the count of MARKED
   (counter.h), or subtracted if NEGATIVE. COUNTER comes from storage_make_counter. */
void storage_add_term(tree counter, tree marked, bool negative);

/* If MARKED counts calls, makes the tables list the function even if no counter counts
   it. */
void storage_list(tree marked);

/* Makes COUNT counters in a row, which are written at the end of the unit. Returns the
   number of the row. May be called when the analysis of the unit is finished. */
unsigned storage_make_row(unsigned count);
tree storage_variable(unsigned row);

/* Appends code to STATEMENTS that adds AMOUNT, an unsigned 64-bit number, to counter
   INDEX of the row. */
void storage_add(gimple_seq *statements, unsigned row, unsigned index, tree amount);

/* Appends code to STATEMENTS that computes the address of the calling thread's counter
   INDEX of the row, and returns the address. If SAFELY is set, the address may be used
   after the module has been unloaded. In a shared object the address is then a null
   pointer as long as the thread has no copy of the counters. */
tree storage_pointer(gimple_seq *statements, unsigned row, unsigned index, bool safely);

/* Appends code that adds AMOUNT to the counter OFFSET bytes after POINTER. */
void storage_add_at(gimple_seq *statements, tree pointer, unsigned offset, tree amount);

/* After storage_emit: returns the address by which the tables refer to the first
   counter of the row. The other counters follow at distances of 8 bytes. */
struct assembly_address storage_address(unsigned row);

/* Returns an address in the same section of the object as the row. */
struct assembly_address storage_neighbour(unsigned row);

/* Puts a variable of 8 bytes into the section of cells. The program may set the
   variable to any value. The data file contains this value as a count. Threads have no
   copies of the variable. */
void storage_put_in_cells(tree variable);

/* At the end of the unit: numbers the sources of the counters that this compilation
   writes. Returns true if there are any. */
bool storage_collect(void);

/* After storage_collect: writes the notes for the runtime, and the tables that
   describe the counters. UNIT is the label of the unit's table. */
void storage_emit(const char *unit);

/* Writes the note by which the runtime finds the counters in SECTION. The linker makes
   symbols for the start and the end of this section. OFFSET and NONE are members of
   struct ccprof_counts_note, written as operands for the assembler. */
void storage_emit_note(const char *section, int type, const char *offset,
                       const char *none);

/* The rest is for the files of this module only. */

/* The name of the thread's word. */
#define STORAGE_DELTA "ccprof_delta"

/* A row made by storage_make_row. RECORD is the number of its first record in
   executables. storage_emit sets it. */
struct storage_row {
    tree variable;
    unsigned count, record;
};

extern struct storage_row *storage_rows;
extern size_t storage_row_count;

/* Returns true if any code reads the word STORAGE_DELTA. */
bool storage_delta_is_read(void);

#endif
