/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by hand what it allocates of each type, and prints `BLOCKS BYTES TYPE'.  Where
   the compiler cannot know a type it is <unknown type>.  */

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
static struct {
    const char *type;
    unsigned long blocks, bytes;
} counts[20];

static size_t count(const char *type, size_t bytes)
{
    size_t i = 0;
    while (counts[i].type && strcmp(counts[i].type, type) != 0)
        i++;
    counts[i].type = type;
    counts[i].blocks++;
    counts[i].bytes += bytes;
    return bytes;
}

/* Wrappers: of one kind that is inlined, of one that is not, by way of another.  */
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

/* No allocator, though it returns a pointer to void and is called for a type.  */
__attribute__((noinline)) static void *find(void)
{
    sink = malloc(count("<unknown type>", 7));
    return sink;
}

#define NEW(type, text) ((type *)malloc(count(text, sizeof(type))))

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
    struct node *one = checked(count("struct node", sizeof *one));
    sink = one;
    point *other = checked_inline(count("point", 3 * sizeof *other));
    sink = other;
    union either *third = outer(count("union either", sizeof *third));
    sink = third;
    struct node *found = find();
    sink = found;
}

__attribute__((noinline)) static void plain(void)
{
    struct node *one = malloc(count("struct node", sizeof *one));
    one->next = NULL;
    sink = one;
    point *made = NEW(point, "point");
    made->x = 2;
    sink = made;
    fill(malloc(count("point", sizeof(point))));
    holder.nodes = calloc(4, count("struct node", 4 * sizeof(struct node)) / 4);
    sink = holder.nodes;
    holder.list = realloc(NULL, count("union either", sizeof *holder.list));
    holder.list = realloc(holder.list, count("union either", 100 * sizeof *holder.list));
    sink = holder.list;
    int *aligned = aligned_alloc(64, count("int", 128));
    sink = aligned;
    void **table = malloc(count("void *", 8 * sizeof *table));
    sink = table;
    struct node *called = by_pointer(count("struct node", sizeof *called));
    sink = called;
    void *late = malloc(count("point", sizeof(point)));
    memset(late, 0, sizeof(point));
    point *converted = late;
    converted->y = 3;
    sink = converted;
    char *text = strdup("eleven byte");
    count("char", strlen(text) + 1);
    sink = text;
    sink = malloc(count("<unknown type>", 1000));
}

int main(void)
{
    plain();
    wrapped();
    for (size_t i = 0; counts[i].type; i++)
        fprintf(stderr, "%lu %lu %s\n", counts[i].blocks, counts[i].bytes,
                counts[i].type);
    return 0;
}
