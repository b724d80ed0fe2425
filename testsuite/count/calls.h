// SPDX-License-Identifier: GPL-3.0-or-later
// A program that counts its own calls: each function begins with CALL(its number).

#include <stdio.h>

#define FUNCTIONS 16

extern unsigned long calls[FUNCTIONS];

#define CALL(number) (void)(calls[number]++)

// Prints a line `NAME CALLS' for each name.
static inline void calls_print(const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        printf("%s %lu\n", names[i], calls[i]);
}
