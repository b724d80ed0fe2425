// SPDX-License-Identifier: GPL-3.0-or-later
// Linked with a random program that is compiled with COUNT_MARKS: writes the file
// marks.counts when the program ends, a line for each mark that was come by.

#include "marks.h"

#include <stdio.h>

unsigned long long marks_counts[MARKS_MOST];

__attribute__((destructor)) void marks_write(void)
{
    FILE *file = fopen("marks.counts", "w");

    if (!file)
        return;
    for (int i = 0; i < MARKS_MOST; i++)
        if (marks_counts[i])
            fprintf(file, "%d %llu\n", i, marks_counts[i]);
    fclose(file);
}
