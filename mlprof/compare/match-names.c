/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/match-names.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool *match_names_alike(const struct match *match, const struct side *const *sides)
{
    struct intern texts = {0};
    uint32_t *counts = buf_alloc((match->count + 1) * sizeof *counts);
    uint32_t *numbers = buf_alloc((match->count + 1) * sizeof *numbers);
    bool *alike = buf_alloc((match->count + 1) * sizeof *alike);
    for (size_t row = 0; row < match->count; row++) {
        numbers[row] = intern_put(&texts, match_function(match, sides, row)->shown);
        counts[numbers[row]]++;
    }
    for (size_t row = 0; row < match->count; row++)
        alike[row] = counts[numbers[row]] > 1;
    free(counts);
    free(numbers);
    intern_free(&texts);
    return alike;
}

char *match_names_text(struct source_files *files, const struct side_function *function)
{
    if (!files || !function->place || !function->file || !function->line)
        return NULL;
    const struct identity_source source = {.file = function->file,
                                           .directory = function->directory};
    char *line = source_files_line(source_files_get(files, &source), function->line);
    char *text = line ? buf_copy(line + strspn(line, " ")) : NULL;
    free(line);
    return text;
}

/* Alike lines are counted in no more than these before a line.  */
#define MOST_BEFORE 2000

/* The columns of an expression and how many lines it has, as far as they are known,
   whatever lines these are; to be freed.  */
static char *columns_of(const struct side_function *function)
{
    const struct rows_range *range = &function->range;
    return buf_format(" %" PRIu32 "-%" PRIu32 ":%" PRIu32, range->column,
                      range->end_line - range->line, range->end_column);
}

/* How many lines before that of FUNCTION have its TEXT, from its function's beginning. */
static uint32_t alike_before(struct source_files *files,
                             const struct side_function *function, const char *text)
{
    struct side_function at = *function;
    uint32_t alike = 0;
    at.line = function->start && function->start < function->line ? function->start : 1;
    if (function->line > MOST_BEFORE && at.line < function->line - MOST_BEFORE)
        at.line = function->line - MOST_BEFORE;
    for (; at.line < function->line; at.line++) {
        char *other = match_names_text(files, &at);
        alike += other && strcmp(other, text) == 0;
        free(other);
    }
    return alike;
}

/* The file of a line in LACKS: some side lacks its text.  */
static uint32_t put_file(struct intern *names, const struct side_function *function)
{
    return intern_put(names, function->file ? path_last(function->file) : "");
}

void match_names_key_places(struct side *const *sides, size_t count,
                            struct source_files *files)
{
    struct intern names = {0};
    size_t all = 0;
    for (size_t s = 0; s < count; s++)
        all += sides[s]->function_count;
    bool *lacks = buf_alloc(all + 1);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < sides[s]->function_count; i++) {
            char *text = match_names_text(files, &sides[s]->functions[i]);
            lacks[put_file(&names, &sides[s]->functions[i])] |= !text;
            free(text);
        }
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < sides[s]->function_count; i++) {
            struct side_function *function = &sides[s]->functions[i];
            if (!function->within || !function->line)
                continue;
            char *columns = columns_of(function);
            char *text =
                lacks[put_file(&names, function)]
                    ? buf_format("%" PRId64, (int64_t)function->line - function->start)
                    : match_names_text(files, function);
            uint32_t nth = lacks[put_file(&names, function)]
                               ? 0
                               : alike_before(files, function, text);
            free(function->key);
            function->key =
                buf_format("%s\n%s\n%" PRIu32 "%s", function->within, text, nth, columns);
            free(columns);
            free(text);
        }
    free(lacks);
    intern_free(&names);
}

void match_names_put(struct sheet *sheet, const struct match *match,
                     const struct side *const *sides, size_t row, bool with_line,
                     struct source_files *files)
{
    const struct side_function *function = match_function(match, sides, row);
    if (function->place) {
        sheet_put_text(sheet, text_part(function->shown), buf_copy(function->place),
                       match_names_text(files, function));
        return;
    }
    const struct side_allocation *allocation = function->allocation;
    if (allocation) {
        sheet_put_name(sheet, buf_copy(function->shown),
                       *allocation->position ? buf_copy(allocation->position) : NULL);
        return;
    }
    char *file = with_line && function->file ? text_clean(function->file) : NULL;
    char *position = file ? buf_format("%s: %" PRIu32, file, function->line) : NULL;
    free(file);
    sheet_put_name(sheet, text_clean(function->shown), position);
}
