/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each line that allocates says how many blocks and bytes, in a comment `gets BLOCKS
   BYTES', and what of them is never freed, `keeps BLOCKS BYTES'. */

#include <stdlib.h>
#include <string.h>

static void *volatile kept;

static inline void *get(size_t bytes)
{
    return malloc(bytes); /* gets 13 2600 keeps 3 600 */
}

__attribute__((noinline)) static void two(void)
{
    char *one = malloc(100), *other = malloc(30); /* gets 2 130 keeps 0 0 */
    memset(one, 1, 100);
    memset(other, 2, 30);
    kept = one, free(kept);
    kept = other, free(kept);
}

__attribute__((noinline)) static void copies(void)
{
    for (int i = 0; i < 10; i++) {
        kept = get(200);
        free(kept);
    }
    for (int i = 0; i < 3; i++)
        kept = get(200);
}

#define GET(bytes) calloc(2, bytes)

__attribute__((noinline)) static void macro(void)
{
    kept = GET(50);                        /* gets 1 100 keeps 1 100 */
    kept = strdup("a string of 21 bytes"); /* gets 1 21 keeps 0 0 */
    kept = realloc(kept, 1000);            /* gets 1 1000 keeps 1 1000 */
}

int main(void)
{
    two();
    copies();
    macro();
    return 0;
}
