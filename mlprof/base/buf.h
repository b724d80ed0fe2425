/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates memory, and grows, sorts and searches arrays, for all of mlprof. If an
   allocation fails, mlprof prints one line and exits. All callers allocate at most a
   small multiple of the size of their input. */

#ifndef MLPROF_BUF_H
#define MLPROF_BUF_H

#include <stddef.h>
#include <stdio.h>

_Noreturn void buf_no_memory(void);

/* Returns SIZE bytes, all zero; freed by free. */
void *buf_alloc(size_t size);

/* Put before the declaration of an initialized pointer: frees the memory when the
   pointer goes out of scope. */
#define BUF_OWN __attribute__((cleanup(buf_free_own)))
void buf_free_own(void *pointer);

/* Returns a copy of TEXT, or of its first LENGTH bytes, with a final NUL; freed by
   free. */
char *buf_copy(const char *text);
char *buf_copy_prefix(const char *text, size_t length);

/* Returns formatted text; freed by free. */
char *buf_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns ARRAY with room for at least NEED elements of SIZE bytes; the array may have
   moved. *CAPACITY is the number of elements that fit. If the array must grow,
   *CAPACITY grows by at least a half. */
void *buf_grow(void *array, size_t *capacity, size_t need, size_t size);

/* ARRAY, grown if necessary so that the element NUMBER fits. */
#define BUF_ROOM(array, number, capacity)                                                \
    ((array) = (number) < (capacity) ? (array)                                           \
                                     : buf_grow((array), &(capacity),                    \
                                                (size_t)(number) + 1, sizeof *(array)))

/* BUF_AT is the element NUMBER of ARRAY; BUF_NEXT is a new element after COUNT others.
   ARRAY grows if necessary. New elements are not cleared. The right side of an
   assignment to them must not read ARRAY, since ARRAY may move. */
#define BUF_AT(array, number, capacity)                                                  \
    (*(BUF_ROOM(array, number, capacity), &(array)[number]))
#define BUF_NEXT(array, count, capacity)                                                 \
    (*(BUF_ROOM(array, count, capacity), &(array)[(count)++]))

/* The type of an array that grows. All zero: empty. BUF_PUSH is a new element of VECTOR,
   as with BUF_NEXT. LIST is freed by free. */
#define BUF_VECTOR(type)                                                                 \
    struct {                                                                             \
        type *list;                                                                      \
        size_t count, capacity;                                                          \
    }
#define BUF_PUSH(vector) BUF_NEXT((vector).list, (vector).count, (vector).capacity)

/* Returns where a range of ARRAY starts: a pointer to the element NUMBER. The range may
   be empty, and then ARRAY may be NULL. `&ARRAY[NUMBER]' is not allowed in this case:
   adding even 0 to NULL is undefined in C, and clang's UBSan reports it. */
#define BUF_FROM(array, number) ((array) ? (array) + (number) : (array))

/* Sorts COUNT elements, 0 or more, with COMPARE as for qsort. */
#define BUF_SORT(array, count, compare)                                                  \
    buf_sort((array), (count), sizeof *(array), (compare))
void buf_sort(void *array, size_t count, size_t size,
              int compare(const void *one, const void *other));

/* The result of comparing two numbers, as qsort expects it. Several keys can be
   combined with `?:'. */
#define BUF_ORDER(one, other) (((one) > (other)) - ((one) < (other)))

/* Defines a comparison function for BUF_SORT. ORDER is an expression of A and B,
   pointers to two elements of TYPE. The name of TYPE must not end with a star. */
#define BUF_COMPARE(name, type, order)                                                   \
    static int name(const void *one, const void *other)                                  \
    {                                                                                    \
        const type *a = one, *b = other;                                                 \
        return order;                                                                    \
    }

/* A binary search. BEFORE is an expression that contains I, the number of an element.
   Sets PLACE to the smallest I for which BEFORE is false, or to COUNT if there is
   none. BEFORE must be true for all smaller numbers, and false for all greater
   numbers. */
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

/* A stream that writes to memory. After buf_close, *TEXT has the *SIZE bytes written;
   freed by free. */
FILE *buf_open(char **text, size_t *size);
void buf_close(FILE *stream);

/* Writes SEPARATOR to a stream of buf_open, unless the stream is empty. */
void buf_separate(FILE *stream, const char *separator);

/* Closes a stream of buf_open that has the text *TEXT. Returns the text; freed by free.
   Returns NULL if nothing was written. */
char *buf_close_text(FILE *stream, char **text);

struct pool_block;

/* An arena: small pieces of memory that are all freed together, faster than malloc.
   Pieces allocated one after the other are adjacent. Starts as all zero. */
struct pool {
    struct pool_block *last; /* block from which pieces are allocated */
    size_t left;             /* free bytes in LAST */
};

/* Returns SIZE bytes, aligned for any type and not cleared. POOL owns them and frees
   them. */
void *pool_alloc(struct pool *pool, size_t size);

/* Returns a copy of the SIZE bytes at MEMORY, which lives as long as POOL. */
void *pool_copy(struct pool *pool, const void *memory, size_t size);

void pool_free(struct pool *pool);

/* Allocates memory in huge pages from now on, if the kernel supports them. A large
   profile needs tens of megabytes at once and is read in some tens of milliseconds.
   With pages of 4 KiB, page faults took a fifth of this time. */
void buf_use_large_pages(void);

#endif
