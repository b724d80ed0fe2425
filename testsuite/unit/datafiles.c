/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "testsuite/unit/datafiles.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *datafiles_table(void)
{
    char *path, *text = NULL;
    size_t size = 0;
    const char *source = getenv("SRC");
    /* Check's assertions may only fail inside a test.  */
    if (asprintf(&path, "%s/testsuite/unit/datafiles.txt", source ? source : ".") < 0)
        abort();
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &size, '\0', file) <= 0) {
        perror(path);
        abort();
    }
    fclose(file);
    free(path);
    return text;
}

/* Copies the LENGTH bytes with a newline in place of ^ and a space in place of ~.  */
static char *copy(const char *from, size_t length)
{
    char *text = strndup(from, length);
    for (char *at = text; *at; at++)
        *at = *at == '^' ? '\n' : *at == '~' ? ' ' : *at;
    return text;
}

char *datafiles_edit(char *text, const char *edit, unsigned *line)
{
    size_t middle = strcspn(edit, "|");
    char *from = copy(edit, middle),
         *to = copy(edit + middle + 1, strcspn(edit + middle + 1, "\n"));
    char *at = strstr(text, from), *edited;
    ck_assert_msg(at != NULL, "no such text: %s", from);
    int before = (int)(at - text);
    ck_assert_int_gt(asprintf(&edited, "%.*s%s%s", before, text, to, at + strlen(from)),
                     0);
    /* The line of the last byte, or of the first if nothing stands there any more.  */
    for (const char *byte = edited; line && byte + 1 < edited + before + strlen(to);
         byte++)
        *line += *byte == '\n';
    if (line && !*to)
        *line += before && text[before - 1] == '\n';
    free(from);
    free(to);
    free(text);
    return edited;
}

/* Appends a line; @7 stands for the lines that begin a file of version 7 without
   samples.  */
static void append(FILE *out, const char *line, size_t length)
{
    if (*line == '@')
        fprintf(out,
                "ccprof mlmon %.*s\nkind time\nengine thread-timer\nclock cpu\nrate 100\n"
                "stack yes\ncpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost 0\n"
                "elsewhere 0\nmodule 0 6a2f 0x0 prog\nmodule 1 - 0x0 lib\n",
                (int)length - 1, line + 1);
    else
        fprintf(out, "%.*s\n", (int)length, line);
}

char *datafiles_text(const char *name)
{
    char *table = datafiles_table(), *heading, *text = NULL;
    char base[64];
    size_t size;
    ck_assert_int_gt(asprintf(&heading, "\nfile %s", name), 0);
    const char *at = strstr(table, heading);
    while (at && !strchr("\n ", at[strlen(heading)]))
        at = strstr(at + 1, heading);
    ck_assert_msg(at != NULL, "no file %s", name);
    at += strlen(heading);
    bool derived = sscanf(at, " = %63s", base) == 1;
    if (derived)
        text = datafiles_text(base);
    else {
        FILE *out = open_memstream(&text, &size);
        for (bool end = false; !end; at = strchr(at + 1, '\n')) {
            append(out, at + 1, strcspn(at + 1, "\n"));
            end = strncmp(at, "\nend\n", 5) == 0;
        }
        fclose(out);
    }
    at = strchr(at, '\n');
    for (; derived && strncmp(at, "\nwith ", 6) == 0; at = strchr(at + 1, '\n'))
        text = datafiles_edit(text, at + 6, NULL);
    free(heading);
    free(table);
    return text;
}

struct profile datafiles_read(const char *name)
{
    struct fault fault = {0};
    struct profile profile = {0};
    char *text = datafiles_text(name);
    if (!mlmon_parse(&profile, name, text, strlen(text), &fault))
        ck_abort_msg("%s", fault.text);
    free(text);
    return profile;
}

void datafiles_assert_amount(const struct heapdata_amount *amount, uint64_t blocks,
                             uint64_t bytes)
{
    ck_assert_uint_eq(amount->blocks, blocks);
    ck_assert_uint_eq(amount->bytes, bytes);
}
