/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that return what they allocate, and some that do more. heap-wrappers.test
   has what belongs to whom. With OTHER it is a second file, with another function of the
   name get. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define OWN __attribute__((noipa))

static void *volatile kept;

void other(void);

#ifdef OTHER

OWN static void get(size_t size)
{
    kept = malloc(size);
}

void other(void)
{
    get(33);
}

#else

struct node {
    struct node *next;
    long value;
};

OWN static void *xmalloc(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

OWN static void *xcalloc(size_t size)
{
    void *block = xmalloc(size);
    memset(block, 0, size);
    return block;
}

OWN static void *xrealloc(void *old, size_t size)
{
    if (!old)
        return xmalloc(size);
    return realloc(old, size);
}

OWN static void *again(size_t size, int times)
{
    return times ? again(size, times - 1) : malloc(size);
}

OWN static void *with(void *(*allocate)(size_t), size_t size)
{
    return allocate(size);
}

OWN static void *get(size_t size)
{
    return malloc(size);
}

OWN static void *copy(const char *text)
{
    return strdup(text);
}

static inline void *quick(size_t size)
{
    return malloc(size);
}

OWN static struct node *alloc_node(void)
{
    return xmalloc(sizeof(struct node));
}

/* It has a block of its own on the way. */
OWN static void note(void)
{
    kept = malloc(5);
}

OWN static void *traced(size_t size)
{
    note();
    return malloc(size);
}

/* These are no wrappers. */

OWN static struct node *new_node(long value)
{
    struct node *node = alloc_node();
    node->value = value;
    return node;
}

OWN static void *pool(size_t size, int keep)
{
    if (keep) {
        kept = malloc(size);
        return NULL;
    }
    return malloc(size);
}

static void *start(void *data)
{
    (void)data;
    return malloc(77);
}

OWN static void uses(void)
{
    kept = xmalloc(100);
    kept = xcalloc(200);
    void *block = xrealloc(NULL, 300);
    kept = xrealloc(block, 700);
    kept = again(400, 3);
    kept = with(xmalloc, 60);
    kept = get(80);
    kept = quick(50);
    kept = alloc_node();
    kept = traced(70);
    kept = copy("10 bytes.");
}

OWN static void makes(int keep)
{
    kept = new_node(1);
    kept = pool(90, 0);
    if (keep)
        pool(91, 1);
}

/* With an argument pool keeps no block. */
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t thread;
    uses();
    makes(argc == 1);
    other();
    if (pthread_create(&thread, NULL, start, NULL) == 0)
        pthread_join(thread, NULL);
    return 0;
}

#endif
