/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc: counts allocated blocks and bytes, for the kind alloc. After optimisation
   each remaining call of an allocator is a *site*. A site has two counters: it adds 1 to
   the first and the requested bytes to the second. A function with a body in profiled
   code is not treated as an allocator, even if it returns new memory: its own calls of
   allocators are counted.

   A site in library code also adds to the counters of the *call outside of libraries*
   by which the thread entered library code. If the thread entered it without such a call,
   the site adds to another pair of counters of its own.

   alloc.cc: the pass, which adds the code.
   alloc-find.cc: finds the calls that allocate.
   alloc-type.cc: the types of blocks.
   alloc-path.cc: the call outside of libraries by which the thread entered library code.
   alloc-table.cc: the tables of the kind alloc.

   blocktype.cc: the types of the blocks that calls return, for the kind time, whose
   runtime sees the allocations (doc/tables.md, "Types of blocks"). The table identifies a
   call by its position in its source function, so the code does not change.

   plugin/ccprof.cc calls the functions that register and write. The rest is for the
   files of this module only. */

#ifndef CCPROF_ALLOC_H
#define CCPROF_ALLOC_H

/* Call these in plugin_init. */
void alloc_register(const char *plugin);
void alloc_path_register(const char *plugin);
void blocktype_register(const char *plugin);

/* At the end of the unit: the functions with `any' return true if there is something
   to write. These functions are called before storage_emit. The functions with `emit'
   write the tables, and are called after storage_emit. */
bool alloc_table_any(void);
void alloc_table_emit(const char *unit);
bool blocktype_any(void);
void blocktype_emit(const char *unit);

/* The rest is for the files of this module only. */

/* The ways to find the number of requested bytes. */
enum alloc_size {
    ALLOC_SIZE_UNKNOWN, /* unknown; no bytes are counted */
    ALLOC_SIZE_PRODUCT, /* the product of arguments */
    ALLOC_SIZE_STRING,  /* the length of the first argument, plus 1 */
    ALLOC_SIZE_PREFIX,  /* like the previous kind, but the second argument is the maximum
                           length */
    ALLOC_SIZE_RESULT,  /* the result, plus 1 */
};

/* The condition under which the call has succeeded. */
enum alloc_success {
    ALLOC_SUCCESS_POINTER, /* the result is not null */
    ALLOC_SUCCESS_ALWAYS,  /* the call returns */
    ALLOC_SUCCESS_ZERO,    /* the result is 0 */
    ALLOC_SUCCESS_LENGTH,  /* the result is not negative */
};

struct alloc_request {
    tree function; /* the allocator, or NULL_TREE if it is called by a pointer */
    enum alloc_size size;
    enum alloc_success success;
    unsigned factors[2]; /* numbers of the arguments, from 1; 0: unused */
};

/* Returns true if CALL allocates, and describes the allocation in *REQUEST. */
bool alloc_find(const gcall *call, struct alloc_request *request);

/* Returns true if FUNCTION is declared as an allocator. */
bool alloc_is_allocator(tree function);

/* Returns true if FUNCTION, which is being compiled, is profiled and one of its names
   is the name of an allocator. alloc_find does not treat calls of such a function as
   allocations. */
bool alloc_is_profiled(tree function);

/* Returns the name of the type of the blocks that CALL allocates, or "" if it is
   unknown. The caller frees it. */
char *alloc_type_name(const gcall *call);

/* RESULT is the pointer that a call returns. Finds the type to which it points, from
   the uses of RESULT. Returns NULL_TREE if the type is unknown. */
tree alloc_type_of_result(tree result);

/* Returns the name of a type. The caller frees it. */
char *alloc_name_of_type(tree type);

bool alloc_is_void_pointer(tree type);

/* Calls FOUND for each call in FUNCTION that meets two conditions: IS_OF_INTEREST
   returns true for the call, and its result is converted from a pointer to void to a
   pointer to TYPE. FUNCTION must not be converted to GIMPLE yet. If a class is
   constructed, TYPE is this class, not its base. TEMPORARY is the variable that
   contains the result, or NULL_TREE. */
typedef void alloc_found(tree function, tree call, tree temporary, tree type);
void alloc_each_conversion(tree function, bool (*is_of_interest)(tree call),
                           alloc_found *found);

/* Call these before and after the sites of a function are added. ROW contains the
   counters of the sites, two for each. */
void alloc_table_begin(void);
void alloc_table_end(unsigned row);

/* Adds a site of the current function. Sites are numbered from 0 in the order of these
   calls. LOCATION has a scope, if the function has any. Returns false, and adds
   nothing, if the site belongs to no source. */
bool alloc_table_add(location_t location, int block, const struct alloc_request *request,
                     const gcall *call);

/* Adds a pair of counters after the counters of the sites. If SITE is negative, the
   pair is for a call of FUNCTION outside of libraries (NULL_TREE if it is called by a
   pointer). Otherwise the pair is for the library site SITE, when the thread did not
   enter library code by such a call. Returns false, and adds nothing, if LOCATION
   belongs to no source. */
bool alloc_table_add_path(location_t location, int block, int site, tree function);

/* Returns true if this unit has paths (alloc-path.cc). */
bool alloc_path_is_on(void);

/* Returns true if a local stack with the innermost scope SCOPE has a frame outside of
   libraries. */
bool alloc_path_is_own(tree scope);

/* Returns true if the function is in a library. */
bool alloc_path_is_library(tree function);

/* Looks for allocations in the current function, which must be in a library. Call this
   for all such functions of the unit before the first call of alloc_path_is_needed, or
   for none of them. */
void alloc_path_note(void);

/* Returns true if the call may lead to an allocation in library code that needs the
   path. */
bool alloc_path_is_needed(const gcall *call);

/* alloc_path_may_change returns true if a call may change the path.
   alloc_path_find_changed returns an array by basic block of the current function:
   true if a call may have changed the path before the block. The caller frees the
   array. */
bool alloc_path_may_change(const gcall *call);
bool *alloc_path_find_changed(void);

/* alloc_path_load appends a load of the path and returns its result. alloc_path_store
   appends a store. */
tree alloc_path_load(gimple_seq *to);
void alloc_path_store(gimple_seq *to, tree path);

/* Writes the thread's word at the end of the unit. */
void alloc_path_emit(void);

#endif
