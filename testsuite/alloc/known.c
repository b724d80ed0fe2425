// SPDX-License-Identifier: GPL-3.0-or-later
// Allocates in every way that C has. What each function allocates stands in
// alloc-functions.test.

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outside.h"

struct node {
    struct node *next;
    long value[3];
};

static void *volatile keep;
static volatile size_t large = SIZE_MAX / 2;

static inline struct node *inlined(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->next = next;
    return node;
}

static void recursive(int depth)
{
    keep = malloc(7);
    if (depth)
        recursive(depth - 1);
    keep = NULL;
}

__attribute__((noinline)) static void *tail(size_t size)
{
    return malloc(size);
}

__attribute__((noinline)) static void *tail_dup(const char *text)
{
    return strdup(text);
}

static void zeroed(void)
{
    keep = calloc(5, 11);
}

// A block that grows counts again with its new size; to free it counts nothing.
static void grows(void)
{
    void *block = NULL;
    for (size_t size = 10; size < 60; size += 10) {
        block = realloc(block, size);
    }
    block = reallocarray(block, 3, 40);
    keep = realloc(block, 0);
}

static void aligned(void)
{
    void *block;
    keep = aligned_alloc(64, 128);
    keep = memalign(32, 100);
    keep = valloc(1000);
    if (posix_memalign(&block, 64, 192) == 0)
        keep = block;
    if (posix_memalign(&block, 3, 192) == 0)
        keep = block;
}

static void texts(const char *text)
{
    char *printed;
    keep = strdup(text);
    keep = strndup(text, 3);
    keep = strndup(text, 1000);
    if (asprintf(&printed, "%s!", text) > 0)
        keep = printed;
}

static void fails(void)
{
    keep = malloc(large);
    keep = calloc(large, 4);
    keep = malloc(0);
}

static void by_attribute(void)
{
    void *(*volatile pointer)(size_t) __attribute__((alloc_size(1))) = outside_bytes;
    keep = outside_bytes(21);
    keep = outside_matrix('x', 3, 5);
    keep = pointer(13);
    keep = outside_handle();
}

static void in_loops(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            keep = malloc(i + j);
        }
}

// The optimisers delete this; what is not done is not counted.
static void deleted(void)
{
    free(malloc(1000000));
}

int main(int argc, char **argv)
{
    struct node *list = NULL;
    (void)argv;
    for (int i = 0; i < 1000; i++)
        list = inlined(list);
    keep = list;
    recursive(99);
    for (int i = 0; i < 10; i++)
        keep = tail(i + argc);
    keep = tail_dup("in tail position");
    zeroed();
    grows();
    aligned();
    texts("some text");
    fails();
    by_attribute();
    in_loops(20);
    deleted();
    keep = malloc(argc * sizeof(struct node));
}
