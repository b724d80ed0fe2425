/* SPDX-License-Identifier: MIT */
/* Memory: pages from the kernel, since the runtime never calls malloc; reads of memory
   that may not be mapped; and the calling thread's own stack. All functions are
   async-signal-safe and do not change errno, except where a comment says otherwise. */

#ifndef CCPROF_MEMORY_H
#define CCPROF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps SIZE bytes of zeros. Returns null if there is no memory. The caller unmaps
   the bytes with munmap. */
void *ccprof_pages_map(size_t size);

/* Does the same, but children of a fork share the bytes. */
void *ccprof_pages_share(size_t size);

/* Makes the mapped bytes zeros again. Returns false if there is no memory. */
bool ccprof_pages_clear(void *start, size_t size);

/* Mapped bytes; START is null if nothing is mapped. */
struct ccprof_pages {
    uint8_t *start;
    size_t size;
};

/* Maps SIZE bytes of zeros. Returns false if there is no memory. */
bool ccprof_pages_make(struct ccprof_pages *pages, uint64_t size);

/* Unmaps the bytes, if there are any. */
void ccprof_pages_free(struct ccprof_pages *pages);

/* Reads of memory that may not be mapped. An address that the unwinder follows may be
   wrong, for example in code that switches stacks or because of wrong unwind tables.
   These functions set errno. */
#define CCPROF_SAFE_READ_PAGES 8

/* The smallest page size of all processors, in bytes. */
#define CCPROF_SAFE_READ_PAGE UINT64_C(4096)

/* Memory known to be readable; all zeros if no memory is known. PAGE lists pages that
   were found to be readable. The struct is valid for one walk of the stack at most:
   afterwards the program may unmap the pages. */
struct ccprof_safe_read {
    bool by_kernel; /* the kernel reads each word: another thread may unmap the memory */
    uint64_t low, span;  /* SPAN bytes from LOW are readable, as the caller knows */
    unsigned next, last; /* next entry of PAGE to replace; entry used last */
    uint64_t page[CCPROF_SAFE_READ_PAGES]; /* readable pages; 0: unused entry */
};

/* From now on, the kernel reads each word, in a system call that valgrind accepts even
   with invalid addresses. The constructor calls this if the program runs in valgrind,
   which reports each plain read of an invalid address. */
void ccprof_safe_read_use_kernel(void);

/* Returns whether the page at PAGE is readable. */
bool ccprof_safe_read_is_readable(uint64_t page);

/* Lets the kernel copy SIZE bytes at ADDRESS to TO. Returns the number of bytes
   copied: the copy stops at the first unreadable page. */
size_t ccprof_safe_read_bytes(uint64_t address, void *to, size_t size);

/* Reads the 8 bytes at ADDRESS into *VALUE. Returns false if they are not readable. */
bool ccprof_safe_read(struct ccprof_safe_read *readable, uint64_t address,
                      uint64_t *value);

/* The calling thread's own stack, which the kernel or pthread_create made for it.
   This stack stays mapped while the thread lives. Other stacks, of fibres and of
   signals, may be unmapped at any time while they are not in use. SPAN bytes from LOW
   were found to be mapped; all zeros if the thread has not called
   ccprof_thread_stack_look yet. Only rt/heap/walk.c uses this, never in a signal
   handler. */
struct ccprof_thread_stack {
    uint64_t low, span;
    /* The lowest possible address of the thread's own stack: the page below it is not
       readable. */
    uint64_t floor;
};

extern __thread struct ccprof_thread_stack ccprof_thread_stack;

/* Checks whether POINTER is on the own stack, below the known part. If so, lowers LOW
   and returns true. Makes a system call for each page between POINTER and LOW. */
bool ccprof_thread_stack_look(uint64_t pointer);

/* Returns whether the stack pointer POINTER is in the known part of the thread's own
   stack. The stack is mapped from there to its end. */
static inline bool ccprof_thread_stack_has(uint64_t pointer)
{
    return __builtin_expect(pointer - ccprof_thread_stack.low < ccprof_thread_stack.span,
                            true) ||
           ccprof_thread_stack_look(pointer);
}

#endif
