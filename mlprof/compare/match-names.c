/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/match-names.h"
#include "mlprof/base/buf.h"
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
