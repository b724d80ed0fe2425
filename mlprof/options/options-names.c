/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/options/options-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct options_other options_others[] = {
    {"annotate", "list", NULL},  {"cum", "sort", "total"},      {"diff", "compare", NULL},
    {"files", "by", "file"},     {"flamegraph", "flame", NULL}, {"h", "help", NULL},
    {"leaks", "heap", "leaks"},  {"lines", "by", "line"},       {"n", "top", NULL},
    {"threads", "by", "thread"}, {"web", "open", NULL},         {0}};

const struct options_entry *options_find(const char *name, size_t length)
{
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        if (strncmp(option->name, name, length) == 0 && !option->name[length])
            return option;
    }
    return NULL;
}

const struct options_entry *options_find_called(const char *name, size_t length,
                                                const char **word)
{
    *word = NULL;
    for (const struct options_other *other = options_others; other->name; other++)
        if (strncmp(other->name, name, length) == 0 && !other->name[length]) {
            *word = other->word;
            return options_find(other->option, strlen(other->option));
        }
    return options_find(name, length);
}

/* The number of changes, each of one letter or of two neighbours that change places, from
   the LENGTH bytes at A to B: the optimal string alignment distance (Damerau).  */
static size_t distance(const char *a, size_t length, const char *b)
{
    enum { MOST = 32 };
    size_t rows[3][MOST + 1], width = strlen(b);
    if (length > MOST || width > MOST)
        return MOST;
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3],
               *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t least = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < least)
                least = above[j] + 1;
            if (row[j - 1] + 1 < least)
                least = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                higher[j - 2] + 1 < least)
                least = higher[j - 2] + 1;
            row[j] = least;
        }
    }
    return rows[length % 3][width];
}

/* How many changes a name of LENGTH bytes may have.  */
static size_t changes_allowed(size_t length)
{
    return length < 3 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3;
}

char *options_nearest(const char *name, size_t length)
{
    enum { MOST = 4 };
    const char *nearest[MOST];
    size_t count = 0, least = changes_allowed(length), others = 0;
    while (options_others[others].name)
        others++;
    for (size_t i = 0; i < options_count + others; i++) {
        const char *other = i < options_count ? options_table[i].name
                                              : options_others[i - options_count].name;
        bool begins = length >= 3 && strncmp(other, name, length) == 0;
        size_t changes = begins ? 0 : distance(name, length, other);
        if (changes > least)
            continue;
        if (changes < least)
            count = 0;
        least = changes;
        if (count < MOST)
            nearest[count++] = other;
    }
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s-%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", nearest[i]);
    buf_close(out);
    if (count)
        return text;
    free(text);
    return NULL;
}
