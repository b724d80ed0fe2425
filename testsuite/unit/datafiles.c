/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "testsuite/unit/datafiles.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the content of a file of the source tree. Check's assertions may only fail
   inside a test. */
static char *read_source(const char *name)
{
    char *path, *text = NULL;
    size_t size = 0;
    const char *source = getenv("SRC");
    if (asprintf(&path, "%s/%s", source ? source : ".", name) < 0)
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

char *datafiles_table(void)
{
    static const char *const parts[] = {"samples", "sums",    "regions", "heap",
                                        "written", "answers", "waits"};
    char *text = NULL, name[64];
    size_t size;
    FILE *table = open_memstream(&text, &size);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sprintf(name, "testsuite/unit/datafiles-%s.txt", parts[i]);
        char *part = read_source(name);
        fputs(part, table);
        free(part);
    }
    fclose(table);
    return text;
}

/* Returns the example of mlmon.out(5), between its .EX and .EE. */
static char *read_example(void)
{
    char *page = read_source("doc/mlmon.out.5");
    char *start = strstr(page, "\n.EX\n") + 5;
    char *example = strndup(start, (size_t)(strstr(start, ".EE\n") - start));
    free(page);
    return example;
}

/* Copies the LENGTH bytes with a newline in place of ^ and a space in place of ~. */
static char *copy(const char *from, size_t length)
{
    char *text = strndup(from, length);
    for (char *cursor = text; *cursor; cursor++)
        *cursor = *cursor == '^' ? '\n' : *cursor == '~' ? ' ' : *cursor;
    return text;
}

char *datafiles_edit(char *text, const char *edit, unsigned *line)
{
    size_t middle = strcspn(edit, "|");
    char *from = copy(edit, middle),
         *to = copy(edit + middle + 1, strcspn(edit + middle + 1, "|\n"));
    char *cursor = strstr(text, from), *edited;
    ck_assert_msg(cursor != NULL, "no such text: %s", from);
    int before = (int)(cursor - text);
    ck_assert_int_gt(
        asprintf(&edited, "%.*s%s%s", before, text, to, cursor + strlen(from)), 0);
    /* Returns the line of the last byte, or of the first byte if the text is now
       empty. */
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

/* Returns the lines up to `end'. @7 is replaced by the lines at the beginning of a
   version 7 file without samples, @page by the example of the manual page. */
static char *read_lines(const char *line)
{
    static const char head[] =
        "kind time^engine thread-timer^clock cpu^rate 100^stack yes^"
        "cpu 0^wall 0^threads 1^waits 0^samples 0^lost 0^elsewhere 0^"
        "module 0 6a2f 0x0 prog^module 1 - 0x0 lib^";
    char *marked, *end = strstr(line, "\nend\n");
    if (strncmp(line, "@page\n", 6) == 0)
        return read_example();
    const char *rest = *line == '@' ? strchr(line, '\n') + 1 : line;
    ck_assert_int_gt(*line == '@'
                         ? asprintf(&marked, "ccprof mlmon %c^%s%.*s\nend\n", line[1],
                                    head, (int)(end - rest), rest)
                         : asprintf(&marked, "%.*s\nend\n", (int)(end - rest), rest),
                     0);
    char *text = copy(marked, strlen(marked));
    free(marked);
    return text;
}

char *datafiles_text(const char *name)
{
    char *table = datafiles_table(), *heading;
    ck_assert_int_gt(asprintf(&heading, "\nfile %s", name), 0);
    const char *cursor = strstr(table, heading);
    while (cursor && !strchr("\n ", cursor[strlen(heading)]))
        cursor = strstr(cursor + 1, heading);
    ck_assert_msg(cursor != NULL, "no file %s", name);
    cursor += strlen(heading);
    char base[64] = "", *text;
    if (sscanf(cursor, " = %63[^|\n]", base) != 1)
        text = read_lines(cursor + 1);
    else {
        text = datafiles_text(base);
        for (cursor += strlen(" = ") + strlen(base); *cursor == '|';
             cursor = strpbrk(strchr(cursor + 1, '|') + 1, "|\n"))
            text = datafiles_edit(text, cursor + 1, NULL);
        for (; strncmp(cursor, "\nwith ", 6) == 0; cursor = strchr(cursor + 1, '\n'))
            text = datafiles_edit(text, cursor + 6, NULL);
    }
    free(heading);
    free(table);
    return text;
}
