/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc: counts the blocks and bytes that are allocated, for the kind alloc.  When
   optimisation is over each call of an allocator that is left, a *site*, adds to two
   counters of its own: 1, and the bytes that it asked for.  A function with a body in
   profiled code is no allocator, even if it hands out memory: what it hands out was
   counted where it was got.

   What a site in library code adds is added to counters of the *call outside of
   libraries* by which the thread has come there, too, or, if there is none, to others of
   the site's.

   alloc-find.cc: which calls allocate; alloc-convert.cc and alloc-type.cc: of which type
   the blocks are, for blocktype.cc, too; alloc.cc: the additions; alloc-path.cc: how it
   is known which call outside of libraries led there; alloc-reach.cc: which library
   functions allocate nothing; alloc-table.cc: what the tables say of all these.  */

#ifndef CCPROF_ALLOC_H
#define CCPROF_ALLOC_H

/* In plugin_init.  */
void alloc_register(const char *plugin);

/* How many bytes a call asks for.  */
enum alloc_size {
    ALLOC_SIZE_UNKNOWN, /* none are counted */
    ALLOC_SIZE_PRODUCT, /* the product of arguments */
    ALLOC_SIZE_STRING,  /* the length of the first argument, plus 1 */
    ALLOC_SIZE_PREFIX,  /* the same, but the length is at most the second */
    ALLOC_SIZE_RESULT,  /* the result, plus 1 */
};

/* How it says that it got them.  */
enum alloc_success {
    ALLOC_SUCCESS_POINTER, /* its result is not null */
    ALLOC_SUCCESS_ALWAYS,  /* it returns */
    ALLOC_SUCCESS_ZERO,    /* its result is 0 */
    ALLOC_SUCCESS_LENGTH,  /* its result is not negative */
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

/* Whether FUNCTION, which is being compiled, is profiled and one by any of its names;
   alloc_find does not ask for calls of such.  */
bool alloc_is_profiled(tree function);

/* The name of the type that CALL allocates, "" if it is not known; to be freed.  */
char *alloc_type_name(const gcall *call);

/* The type of what RESULT, of a call, points to, by what is done with it; NULL_TREE: not
   known.  Its name, to be freed.  */
tree alloc_type_of_result(tree result);
char *alloc_name_of_type(tree type);

bool alloc_is_void_pointer(tree type);

/* Calls FOUND for each result of a WANTED call in FUNCTION, which is not GIMPLE yet, that
   is a pointer to void and is converted to a pointer to TYPE: to that of its constructor
   rather than to a base, which comes later.  TEMPORARY, which may be NULL_TREE, holds the
   result.  */
typedef void alloc_found(tree function, tree call, tree temporary, tree type);
void alloc_each_conversion(tree function, bool (*wanted)(tree call), alloc_found *found);

/* A site of the current function; they are numbered from 0 in the order of the calls.
   LOCATION has a scope, if the function has any.  False: it is of no source, which leaves
   it out.  */
bool alloc_table_add(location_t location, int block, const struct alloc_request *request,
                     const gcall *call);

/* A pair of counters behind those of the sites: of a call of FUNCTION outside of
   libraries, NULL_TREE if it is called by a pointer; or of the site SITE, for what nobody
   outside of libraries is known to have asked for; otherwise SITE is negative.  False: it
   is of no source, and left out.  */
bool alloc_table_add_path(location_t location, int block, int site, tree function);

/* Before and behind the sites of a function; ROW: of their counters, two for each.  */
void alloc_table_begin(void);
void alloc_table_end(unsigned row);

/* Whether there is anything to write; at the end of the unit, before and behind
   storage_emit.  */
bool alloc_table_any(void);
void alloc_table_emit(const char *unit);

/* Of the thread's path (alloc-path.cc).  In plugin_init; whether it is told in this unit.
 */
void alloc_path_register(const char *plugin);
bool alloc_path_is_on(void);

/* Whether a local stack has a frame outside of libraries; SCOPE is its innermost one.  */
bool alloc_path_is_own(tree scope);

/* Whether the function is one of a library.  */
bool alloc_path_is_library(tree function);

/* Whether the call may come to library code that does not set the path itself.  */
bool alloc_path_may_need(const gcall *call);

/* Whether a call may leave another path than there was; and, by basic blocks of the
   current function, whether one may have done so before, to be freed.  */
bool alloc_path_may_change(const gcall *call);
bool *alloc_path_find_changed(void);

/* Looks at the current function, a library's; on all of the unit before the first
   question.  Whether the call may come to an allocation in such code.  */
void alloc_reach_note(void);
bool alloc_reach_wants(const gcall *call);

/* Append a load, whose result this is, or a store, of the path.  */
tree alloc_path_load(gimple_seq *to);
void alloc_path_store(gimple_seq *to, tree path);

/* At the end of the unit.  */
void alloc_path_emit(void);

#endif
