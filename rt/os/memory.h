/* SPDX-License-Identifier: MIT */
/* Memory: pages from the kernel, since the runtime never calls malloc; reads of memory
   that may not be mapped; and the stack of the calling thread.  All functions are
   async-signal-safe and leave errno alone, except where a comment says otherwise.  */

#ifndef CCPROF_MEMORY_H
#define CCPROF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps SIZE bytes of zeros; returns null if there is no memory.  The caller gives the
   bytes back with munmap.  */
void *ccprof_pages_map(size_t size);

/* Mapped bytes; AT is null if there are none.  */
struct ccprof_pages {
    uint8_t *at;
    size_t size;
};

/* Maps SIZE bytes of zeros.  Returns false if there is no memory.  */
bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size);

/* Unmaps the bytes, if there are any.  */
void ccprof_pages_free(struct ccprof_pages *pages);

/* Reads of memory that may not be mapped.  An address that the unwinder follows may be
   wrong, in code that switches stacks or because of wrong tables.  These functions set
   errno.  */
#define CCPROF_SAFE_READ_PAGES 8

/* The smallest size of a page on any processor, in bytes.  */
#define CCPROF_SAFE_READ_PAGE UINT64_C(4096)

/* Memory that is readable; all zeros: none.  The pages were found to be readable.  This
   holds for one walk at most: afterwards the program may unmap them.  */
struct ccprof_safe_read {
    uint64_t low, span;  /* the caller knows that SPAN bytes from LOW on are readable */
    unsigned next, last; /* the entry to replace next, 0: no page; the entry used last */
    uint64_t page[CCPROF_SAFE_READ_PAGES]; /* addresses of pages */
};

/* Called if the program runs in valgrind, which reports each wrong address that a program
   reads.  From now on the kernel reads each word, by a call for which valgrind accepts
   wrong addresses.  Constructor.  */
void ccprof_safe_read_watched(void);

/* Returns whether the page at PAGE is readable.  */
bool ccprof_safe_read_is_readable(uint64_t page);

/* Lets the kernel copy SIZE bytes at ADDRESS to TO.  Returns how many bytes are readable,
   up to the first page that is not.  */
size_t ccprof_safe_read_bytes(uint64_t address, void *to, size_t size);

/* Reads the 8 bytes at ADDRESS into *VALUE; returns false if they are not readable.  */
bool ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address,
                      uint64_t *value);

/* The calling thread's own stack: the one that the kernel or pthread_create has made for
   it. That stack stays mapped while the thread lives.  Other stacks, of fibres and of
   signals, may be unmapped at any time while they are not in use.  SPAN bytes from LOW on
   have been found to be mapped; all zeros: the thread has not looked yet.  Only
   heap-walk.c uses this, not in handlers of signals.  */
struct ccprof_thread_stack {
    uint64_t low, span;
    /* Below this address there is no own stack: a page above it is not readable.  */
    uint64_t floor;
};

extern __thread struct ccprof_thread_stack ccprof_thread_stack;

/* Finds out whether POINTER is on the own stack, below the part that is known.  Returns
   true if it is: LOW is lower then.  Makes a system call for each page between the two.
 */
bool ccprof_thread_stack_look(uint64_t pointer);

/* Returns whether the stack pointer POINTER is on the own stack, which is mapped from
   there on up to its end.  */
static inline bool ccprof_thread_stack_has(uint64_t pointer)
{
    return __builtin_expect(pointer - ccprof_thread_stack.low < ccprof_thread_stack.span,
                            true) ||
           ccprof_thread_stack_look(pointer);
}

#endif
