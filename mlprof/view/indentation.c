/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/indentation.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <string.h>

/* The columns of a tab, and of a narrow tab.  */
#define TAB    8
#define NARROW 4

/* So many blanks in front count as indentation; a single one aligns the text.  */
#define BLANKS_LEAST 2

static size_t blanks(const char *line)
{
    return strspn(line, " ");
}

/* The columns of an indentation of COLUMNS if tabs are narrow.  */
static size_t narrowed(size_t columns)
{
    return columns / TAB * NARROW + columns % TAB;
}

static size_t shown(const struct indentation *indentation, size_t columns)
{
    size_t common = indentation->common;
    if (indentation->narrow) {
        columns = narrowed(columns);
        common = narrowed(common);
    }
    return columns > common ? columns - common : 0;
}

/* Facts about the lines of a piece.  */
struct lines {
    size_t common;     /* SIZE_MAX: no line has text */
    size_t width;      /* of the widest line */
    bool tabs, spaces; /* some lines begin with tabs, with blanks */
};

static void look(struct lines *lines, const struct source_files_text *text, uint32_t line)
{
    BUF_OWN char *expanded = source_files_line(text, line);
    if (!expanded)
        return;
    size_t columns = blanks(expanded), width = text_width(expanded);
    const char *raw = text->text + text->starts[line - 1];
    if (columns < strlen(expanded)) {
        lines->common = columns < lines->common ? columns : lines->common;
        lines->width = width > lines->width ? width : lines->width;
        lines->tabs |= raw[0] == '\t';
        lines->spaces |= raw[0] == ' ' && columns >= BLANKS_LEAST;
    }
}

struct indentation indentation_find(const struct source_files_text *text, uint32_t first,
                                    uint32_t last, size_t room)
{
    struct lines lines = {.common = SIZE_MAX};
    for (uint64_t line = first; line <= last && line <= text->line_count; line++)
        look(&lines, text, (uint32_t)line);
    if (lines.common == SIZE_MAX)
        return (struct indentation){0};
    return (struct indentation){.common = lines.common,
                                .narrow = lines.tabs && !lines.spaces &&
                                          lines.width - lines.common > room};
}

char *indentation_line(const struct indentation *indentation,
                       const struct source_files_text *text, uint32_t line)
{
    char *expanded = source_files_line(text, line);
    if (!expanded)
        return NULL;
    size_t columns = blanks(expanded), kept = shown(indentation, columns);
    memmove(expanded, expanded + (columns - kept),
            strlen(expanded) - (columns - kept) + 1);
    return expanded;
}
