/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/allocs-most.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/identity.h"
#include "mlprof/view/allocs-table.h"

#include <string.h>

/* What a function has allocated.  */
struct amount {
    uint64_t bytes, blocks;
};

/* Sets AMOUNTS, by source; returns all bytes.  */
static uint64_t add_up(const struct view *view, enum allocview_by by,
                       struct amount *amounts)
{
    size_t count;
    BUF_OWN struct allocs_table_row *rows = allocview_rows(view, by, &count);
    uint64_t total = view->rows->stacks.allocs.left_out;
    for (size_t i = 0; i < count; i++) {
        amounts[rows[i].source].bytes += rows[i].bytes;
        amounts[rows[i].source].blocks += rows[i].blocks;
        total += rows[i].bytes;
        allocs_table_free_texts(&rows[i]);
    }
    return total;
}

/* Whether nothing of interest calls the function: it is where the program begins.  */
static bool is_start(const struct identity_source *source)
{
    const char *symbol = source->symbol ? source->symbol : "";
    return strcmp(source->name, "main") == 0 || strcmp(source->name, "<main>") == 0 ||
           strcmp(symbol, "MAIN__") == 0;
}

/* How to see who calls it, in this profile or with another run or build.  */
static const char *advice(const struct view *view, enum allocview_by by, bool library)
{
    const struct profile *profile = view->profile;
    if (by == ALLOCVIEW_SITE && library)
        return "-allocs path";
    if (profile->heap.measured)
        return "-heap allocated -sort total";
    if (view->rows->stack && profile_measure(profile)->memory)
        return "the table's column total, -sort total";
    if (segments_is_static(program_path(view->program, profile, 0)))
        return "compile with -fplugin-arg-ccprof-profile=alloc\n"
               "and -fplugin-arg-ccprof-stack, then the table's column total, -sort "
               "total";
    if (profile->kind & CCPROF_KIND_TIME)
        return "run it with CCPROF=heap=exact,\nthen mlprof -heap allocated -sort total";
    return "compile with profile=time, the default,\n"
           "run it with CCPROF=heap=exact, then mlprof -heap allocated -sort total";
}

void allocs_most_print(FILE *out, const struct view *view, enum allocview_by by)
{
    const struct stacks *stacks = &view->rows->stacks;
    if ((by != ALLOCVIEW_SITE && by != ALLOCVIEW_PATH) || view->style.mlton)
        return;
    BUF_OWN struct amount *amounts =
        buf_alloc((stacks->source_count + 1) * sizeof *amounts);
    uint64_t total = add_up(view, by, amounts);
    for (uint32_t i = 0; i < stacks->source_count; i++) {
        const struct identity_source *source = &stacks->sources[i];
        bool library = library_has(source, view->libraries);
        if (amounts[i].bytes <= total / 2 || amounts[i].blocks < 2 || is_start(source))
            continue;
        BUF_OWN char *name = allocs_table_name(view, i);
        fprintf(out, "\n%.1f %% is allocated in %s;\nto see who calls it: %s\n",
                rows_percent(amounts[i].bytes, total), name, advice(view, by, library));
    }
}
