/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc: counts the blocks and bytes that are allocated, for the kind alloc.  When
   optimisation is over, each remaining call of an allocator, a *site*, adds to two
   counters of its own: 1, and the bytes that it asks for.  A function with a body in
   profiled code is no allocator, even if it returns new memory: its own calls of
   allocators are counted.

   A site in library code also adds to counters of the *call outside of libraries* by
   which the thread entered library code, or to another pair of its own if there was none.

   alloc.cc: the pass, which adds the code.  alloc-find.cc: which calls allocate.
   alloc-type.cc: the types of blocks.  alloc-path.cc: by which call outside of libraries
   the thread got there.  alloc-table.cc: the tables of all these.

   blocktype.cc: the types of the blocks that calls return, for the kind time, whose
   runtime sees the allocations (doc/tables.md, "Types of blocks").  The table names a
   call by its position in its source function, so no code has to carry the type and none
   changes.

   For plugin/ccprof.cc.  */

#ifndef CCPROF_ALLOC_H
#define CCPROF_ALLOC_H

/* In plugin_init.  */
void alloc_register(const char *plugin);
void alloc_path_register(const char *plugin);
void blocktype_register(const char *plugin);

/* At the end of the unit: whether there is anything to write, before storage_emit, and
   behind storage_emit the writing.  */
bool alloc_table_any(void);
void alloc_table_emit(const char *unit);
bool blocktype_any(void);
void blocktype_emit(const char *unit);

/* The rest is shared by the files of this module.  */

/* How many bytes a call asks for.  */
enum alloc_size {
    ALLOC_SIZE_UNKNOWN, /* none are counted */
    ALLOC_SIZE_PRODUCT, /* the product of arguments */
    ALLOC_SIZE_STRING,  /* the length of the first argument, plus 1 */
    ALLOC_SIZE_PREFIX,  /* the same, but the length is at most the second argument */
    ALLOC_SIZE_RESULT,  /* the result, plus 1 */
};

/* When the call has succeeded.  */
enum alloc_success {
    ALLOC_SUCCESS_POINTER, /* if its result is not null */
    ALLOC_SUCCESS_ALWAYS,  /* if it returns */
    ALLOC_SUCCESS_ZERO,    /* if its result is 0 */
    ALLOC_SUCCESS_LENGTH,  /* if its result is not negative */
};

struct alloc_request {
    tree function; /* the allocator, NULL_TREE if it is called by a pointer */
    enum alloc_size size;
    enum alloc_success success;
    unsigned factors[2]; /* numbers of the arguments, from 1; 0: none */
};

/* Whether CALL allocates, and what.  */
bool alloc_find(const gcall *call, struct alloc_request *request);

/* Whether FUNCTION is declared as an allocator.  */
bool alloc_is_allocator(tree function);

/* Whether FUNCTION, which is being compiled, is profiled and an allocator by any of its
   names.  Its calls do not allocate for alloc_find.  */
bool alloc_is_profiled(tree function);

/* Returns the name of the type that CALL allocates, "" if it is unknown.  Free it.  */
char *alloc_type_name(const gcall *call);

/* Returns the type that RESULT, of a call, points to, judged by the uses of RESULT;
   NULL_TREE if it is unknown.  */
tree alloc_type_of_result(tree result);

/* Returns the name of a type.  Free it.  */
char *alloc_name_of_type(tree type);

bool alloc_is_void_pointer(tree type);

/* Calls FOUND for each call in FUNCTION, which is not GIMPLE yet, that IS_OF_INTEREST and
   whose result is converted from a pointer to void to a pointer to TYPE.  For a class,
   TYPE is the class that is constructed first, not its base.  TEMPORARY holds the result;
   it may be NULL_TREE.  */
typedef void alloc_found(tree function, tree call, tree temporary, tree type);
void alloc_each_conversion(tree function, bool (*is_of_interest)(tree call),
                           alloc_found *found);

/* Before and behind the sites of a function.  ROW has their counters, two for each.  */
void alloc_table_begin(void);
void alloc_table_end(unsigned row);

/* Adds a site of the current function.  Sites are numbered from 0 in the order of these
   calls.  LOCATION has a scope, if the function has any.  Returns false if the site is in
   no source; then it is left out.  */
bool alloc_table_add(location_t location, int block, const struct alloc_request *request,
                     const gcall *call);

/* Adds a pair of counters behind those of the sites.  It is for a call of FUNCTION
   outside of libraries (NULL_TREE if it is called by a pointer), and SITE is negative; or
   for the library site SITE, when the thread came by no such call.  Returns false as
   above.  */
bool alloc_table_add_path(location_t location, int block, int site, tree function);

/* Whether this unit has paths (alloc-path.cc).  */
bool alloc_path_is_on(void);

/* Whether a local stack, whose innermost scope is SCOPE, has a frame outside of
 * libraries.
 */
bool alloc_path_is_own(tree scope);

/* Whether the function is in a library.  */
bool alloc_path_is_library(tree function);

/* Looks at the current function, which is in a library, for allocations.  Called for all
   such functions of the unit before alloc_path_is_needed, or for none.  */
void alloc_path_note(void);

/* Whether the call may lead to an allocation in library code that needs the path.  */
bool alloc_path_is_needed(const gcall *call);

/* Whether a call may change the path; and, by basic block of the current function,
   whether a call may have changed it before.  Free the array.  */
bool alloc_path_may_change(const gcall *call);
bool *alloc_path_find_changed(void);

/* Append a load of the path, and return its result, or a store.  */
tree alloc_path_load(gimple_seq *to);
void alloc_path_store(gimple_seq *to, tree path);

/* Writes the thread's word at the end of the unit.  */
void alloc_path_emit(void);

#endif
