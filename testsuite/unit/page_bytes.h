/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the bytes of a test with an example in doc/tables.md. */

#ifndef TESTSUITE_PAGE_BYTES_H
#define TESTSUITE_PAGE_BYTES_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the hexadecimal digits of TEXT, up to a wide gap or to the end of the line. */
static inline void page_bytes_add(char *to, const char *text)
{
    text += strspn(text, " ");
    const char *gap = strstr(text, "   ");
    size_t length = gap ? (size_t)(gap - text) : strcspn(text, "\n");
    to += strlen(to);
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ')
            *to++ = text[i];
    *to = '\0';
}

/* Checks that the bytes below the line HEADING of the page, in lines from COLUMN on, are
   ONE followed by OTHER. Does nothing if the source file is missing. */
static inline void assert_page(const char *heading, size_t column, const char *one,
                               const char *other)
{
    const char *source = getenv("SRC");
    char *path = NULL, *line = NULL, page[1024] = "", here[1024] = "";
    size_t capacity = 0;
    bool example = false;
    if (!source)
        return;
    ck_assert_int_gt(asprintf(&path, "%s/doc/tables.md", source), 0);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    while (getline(&line, &capacity, file) > 0) {
        if (strncmp(line, "## ", 3) == 0)
            example = strcmp(line, heading) == 0;
        else if (example && strncmp(line, "    ", 4) == 0 && strlen(line) > column &&
                 strspn(line + column + strspn(line + column, " "), "0123456789abcdef ") >
                     3)
            page_bytes_add(page, line + column);
    }
    page_bytes_add(here, one);
    page_bytes_add(here, other);
    ck_assert_str_eq(page, here);
    fclose(file);
    free(line);
    free(path);
}

#endif
