/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates by all functions that C has for it. With an argument nothing is allocated:
   what valgrind counts then is not the program's. */

#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

__attribute__((noinline)) static void table(int count)
{
    void **blocks = malloc((size_t)count * sizeof *blocks);

    for (int i = 0; i < count; i++)
        blocks[i] = i % 3 ? malloc((size_t)i % 500) : calloc((size_t)i % 20, 8);
    for (int i = 0; i < count; i++)
        blocks[i] = realloc(blocks[i], (size_t)(i + 7) % 900 + 1);
    for (int i = 0; i < count; i++)
        if (i % 10)
            free(blocks[i]);
    free(blocks);
}

__attribute__((noinline)) static void aligned(void)
{
    void *at = NULL;

    free(aligned_alloc(64, 640));
    free(memalign(128, 129));
    free(valloc(100));
    if (posix_memalign(&at, 256, 1000) == 0)
        kept = at;
    free(NULL);
    at = reallocarray(NULL, 10, 30);
    at = reallocarray(at, 20, 30);
    free(at);
}

/* libc allocates for the program. */
__attribute__((noinline)) static void texts(void)
{
    char *text = NULL;
    FILE *file = fopen("/dev/null", "w");
    char *line = strdup("a line");

    if (asprintf(&text, "%s and %d more", line, 12345) < 0)
        abort();
    fputs(text, file);
    fclose(file);
    free(text);
    kept = line;
}

int main(int count, char **argument)
{
    (void)argument;
    if (count > 1)
        return 0;
    table(5000);
    aligned();
    texts();
    return 0;
}
