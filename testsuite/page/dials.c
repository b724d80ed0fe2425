/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom two calls by a pointer have reached is not known for each: 86 times small, 14
   times large. */
#include <stdlib.h>

typedef char *function(void);

static char *small(void)
{
    return malloc(10);
}
static char *large(void)
{
    return malloc(100);
}

static function *volatile table[] = {small, large};

static void keep(char *block)
{
    static char *volatile kept;
    kept = block;
    free(kept);
}

static void few(int n)
{
    for (int i = 0; i < n; i++)
        keep(table[i % 2]()); /* few */
}

static void most(int n)
{
    for (int i = 0; i < n; i++)
        keep(table[i % 10 == 0]()); /* most */
}

int main(void)
{
    few(10);
    most(90);
    return 0;
}
