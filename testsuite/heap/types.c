/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates blocks of several types, some by wrappers. What it allocates of each type
   stands in heap-types.test. Where the compiler cannot know a type it is <unknown
   type>. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

typedef struct {
    double x, y;
} point;

union either {
    long number;
    char text[24];
};

static void *volatile sink;

/* Wrappers: of one kind that is inlined, of one that is not, by way of another. */
__attribute__((noinline)) static void *checked(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block) {
        fputs("no memory\n", stderr);
        abort();
    }
    return block;
}

static inline void *checked_inline(size_t bytes)
{
    void *block = calloc(1, bytes);
    if (!block)
        abort();
    return block;
}

__attribute__((noinline)) static void *outer(size_t bytes)
{
    return checked(bytes);
}

/* No allocator, though it returns a pointer to void and is called for a type. */
__attribute__((noinline)) static void *find(void)
{
    sink = malloc(7);
    return sink;
}

#define NEW(type) ((type *)malloc(sizeof(type)))

static void *(*volatile by_pointer)(size_t) = malloc;

__attribute__((noinline)) static void fill(point *at)
{
    at->x = at->y = 1;
    sink = at;
}

static struct {
    union either *list;
    struct node *nodes;
} holder;

__attribute__((noinline)) static void wrapped(void)
{
    struct node *one = checked(sizeof *one);
    sink = one;
    point *other = checked_inline(3 * sizeof *other);
    sink = other;
    union either *third = outer(sizeof *third);
    sink = third;
    struct node *found = find();
    sink = found;
}

__attribute__((noinline)) static void plain(void)
{
    struct node *one = malloc(sizeof *one);
    one->next = NULL;
    sink = one;
    point *made = NEW(point);
    made->x = 2;
    sink = made;
    fill(malloc(sizeof(point)));
    holder.nodes = calloc(4, sizeof(struct node));
    sink = holder.nodes;
    holder.list = realloc(NULL, sizeof *holder.list);
    holder.list = realloc(holder.list, 100 * sizeof *holder.list);
    sink = holder.list;
    int *aligned = aligned_alloc(64, 128);
    sink = aligned;
    void **table = malloc(8 * sizeof *table);
    sink = table;
    struct node *called = by_pointer(sizeof *called);
    sink = called;
    void *late = malloc(sizeof(point));
    memset(late, 0, sizeof(point));
    point *converted = late;
    converted->y = 3;
    sink = converted;
    char *text = strdup("eleven byte");
    sink = text;
    sink = malloc(1000);
}

int main(void)
{
    plain();
    wrapped();
    return 0;
}
