/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates memory and grows arrays, for all of mlprof.  An allocation that fails ends
   the program with one line: no caller asks for more than a small multiple of what it has
   read.  */

#ifndef MLPROF_BUF_H
#define MLPROF_BUF_H

#include <stddef.h>
#include <stdio.h>

_Noreturn void buf_no_memory(void);

/* SIZE bytes, all zero; freed by free.  */
void *buf_alloc(size_t size);

/* In front of the declaration of a pointer with an initial value: frees the memory that
   the pointer points to when it goes out of scope.  */
#define BUF_OWN __attribute__((cleanup(buf_free_own)))
void buf_free_own(void *pointer);

/* A copy of TEXT, or of its first LENGTH bytes, with a NUL; freed by free.  */
char *buf_copy(const char *text);
char *buf_copy_prefix(const char *text, size_t length);

/* Formatted text; freed by free.  */
char *buf_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns ARRAY, which may have moved, with room for at least NEED elements of SIZE
   bytes; *CAPACITY is the number it has room for.  If it must grow, it grows by at least
   a half.  */
void *buf_grow(void *array, size_t *capacity, size_t need, size_t size);

/* ARRAY, with room for the element NUMBER.  */
#define BUF_ROOM(array, number, capacity)                                                \
    ((array) = (number) < (capacity) ? (array)                                           \
                                     : buf_grow((array), &(capacity),                    \
                                                (size_t)(number) + 1, sizeof *(array)))

/* The element NUMBER of ARRAY, which grows if it must, for example of data that are kept
   by the numbers of an index; and a new element behind COUNT others.  They are not
   cleared; what is assigned must not be read from ARRAY.  */
#define BUF_AT(array, number, capacity)                                                  \
    (*(BUF_ROOM(array, number, capacity), &(array)[number]))
#define BUF_NEXT(array, count, capacity)                                                 \
    (*(BUF_ROOM(array, count, capacity), &(array)[(count)++]))

/* Sorts COUNT elements, which may be none, by qsort's COMPARE.  */
#define BUF_SORT(array, count, compare)                                                  \
    buf_sort((array), (count), sizeof *(array), (compare))
void buf_sort(void *array, size_t count, size_t size,
              int compare(const void *one, const void *other));

/* How qsort orders two numbers; several keys are joined by `?:'.  */
#define BUF_ORDER(one, other) (((one) > (other)) - ((one) < (other)))

/* Defines a function for BUF_SORT: ORDER is that of the elements A and B, of TYPE.  */
#define BUF_COMPARE(name, type, order)                                                   \
    static int name(const void *one, const void *other)                                  \
    {                                                                                    \
        const type *a = one, *b = other;                                                 \
        return order;                                                                    \
    }

/* A binary search: sets PLACE to the number of the first of COUNT elements for which
   BEFORE, an expression of the number I, is false.  BEFORE must be true for all elements
   before that one, and false for all elements behind it.  */
#define BUF_SEARCH(place, count, i, before)                                              \
    do {                                                                                 \
        (place) = 0;                                                                     \
        for (size_t high_ = (count), i; (place) < high_;) {                              \
            i = (place) + (high_ - (place)) / 2;                                         \
            if (before)                                                                  \
                (place) = i + 1;                                                         \
            else                                                                         \
                high_ = i;                                                               \
        }                                                                                \
    } while (0)

/* A stream that writes to memory.  After buf_close, *TEXT has the *SIZE bytes written; it
   is freed by free.  */
FILE *buf_open(char **text, size_t *size);
void buf_close(FILE *stream);

struct pool_block;

/* An arena: small pieces of memory that are all freed together, cheaper than malloc.
   Pieces that are allocated one after the other are adjacent.  Starts as all zero.  */
struct pool {
    struct pool_block *last; /* the block that pieces are taken from */
    size_t left;             /* bytes of LAST that are free */
};

/* SIZE bytes for any object, which are not cleared; they live as long as POOL.  */
void *pool_alloc(struct pool *pool, size_t size);

/* A copy of the SIZE bytes at MEMORY, likewise.  */
void *pool_copy(struct pool *pool, const void *memory, size_t size);

void pool_free(struct pool *pool);

/* Allocates memory in huge pages from now on, if the kernel has them.  A large profile
   needs tens of megabytes at once and is read in some tens of milliseconds.  A fifth of
   this time went into page faults for pages of 4 KiB.  */
void buf_use_large_pages(void);

#endif
