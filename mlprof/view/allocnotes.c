/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lines below tables about memory that the program counted at its allocation
   sites (profile=alloc). */

#include "mlprof/view/allocnotes.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/identity.h"
#include "mlprof/tables/unit.h"
#include "mlprof/view/view.h"

#include <stdlib.h>
#include <string.h>

/* Returns a text that says how to find the callers of library functions. */
static const char *text_of_callers(const struct view *view, bool known)
{
    if (known)
        return "what called them is not profiled";
    if (view->rows->stack && profile_measure(view->profile)->memory)
        return "column total of the table shows their callers (-sort total)";
    return "their callers are not known; if compiled with\n"
           "-fplugin-arg-ccprof-profile=alloc and -fplugin-arg-ccprof-stack\n"
           "column total of the table shows them (-sort total)";
}

void allocnotes_add_lacks(struct allocnotes_lacks *lacks, const struct program *program)
{
    struct requests request = {0};
    for (size_t i = 0; i < program->count; i++) {
        const struct tables *tables = program->tables[i];
        if (!tables)
            continue;
        requests_read(&request, tables_holder(tables));
        lacks->strings = lacks->strings || (tables_allocations(tables)->count &&
                                            imports_strings(tables_path(tables)));
    }
    for (uint32_t i = 0; i < request.lacks.count; i++)
        intern_put(&lacks->functions, intern_text(&request.lacks, i));
    requests_free(&request);
}

/* For qsort. */
static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Prints the names of the first excluded functions in alphabetical order. */
static void print_excluded(FILE *out, const struct intern *functions)
{
    enum { MOST = 6 };
    size_t count = functions->count;
    BUF_OWN const char **names = buf_alloc((count + 1) * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = intern_text(functions, i);
    BUF_SORT(names, count, by_text);
    fputs("\nnot counted: allocations of these functions, which are excluded from "
          "profiling:\n",
          out);
    for (size_t i = 0; i < count && i < MOST; i++) {
        BUF_OWN char *name = text_clean(names[i]);
        fprintf(out, "%s%s", i ? ", " : "", name);
    }
    if (count > MOST)
        fprintf(out, " and %zu more", count - MOST);
    putc('\n', out);
}

void allocnotes_print_lacks(FILE *out, const struct allocnotes_lacks *lacks)
{
    if (lacks->strings)
        fputs("\nnot counted: what std::string allocates inside libstdc++; with "
              "-std=c++20 or\n-D_GLIBCXX_ASSERTIONS that is the program's own code, and "
              "counted\n",
              out);
    if (lacks->functions.count)
        print_excluded(out, &lacks->functions);
}

void allocnotes_free_lacks(struct allocnotes_lacks *lacks)
{
    intern_free(&lacks->functions);
}

/* Returns whether all functions at an allocation site belong to libraries. */
static bool is_library_alone(const struct view *view, const struct allocs_site *site)
{
    for (size_t i = 0; i < site->frames.count; i++)
        if (!library_has(&view->rows->stacks.sources.list[site->frames.list[i].source],
                         view->report->choice.libraries))
            return false;
    return true;
}

/* Returns how many bytes library code allocated without being counted at a call
   outside of libraries. Sets *KNOWN to whether every allocation site was counted at
   its calls. */
static uint64_t libraries_bytes(const struct view *view, bool *known)
{
    const struct stacks *stacks = &view->rows->stacks;
    uint64_t bytes = 0;
    bool by_calls = *known = !stacks->filtered;
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        if (by_calls && site->by_calls) {
            bytes += site->rest_bytes;
        } else if (is_library_alone(view, site)) {
            bytes += site->bytes;
            *known = false;
        }
    }
    return bytes;
}

void allocnotes_print_missing(FILE *out, const struct view *view)
{
    bool known = false, paths = view->grouped && view->grouped->key == ROWS_PATHS;
    uint64_t library = paths ? libraries_bytes(view, &known) : 0;
    if (library) {
        BUF_OWN char *bytes = text_number(library, "byte");
        fprintf(out, "\n%s in functions of libraries that were not inlined:\n%s\n", bytes,
                text_of_callers(view, known));
    }
    struct allocnotes_lacks lacks = {0};
    allocnotes_add_lacks(&lacks, view->program);
    allocnotes_print_lacks(out, &lacks);
    allocnotes_free_lacks(&lacks);
}

/* Memory allocated by one function, and its first row. */
struct amount {
    uint64_t bytes, blocks;
    const struct rows_row *row;
};

/* Returns whether the program starts with this function, so that its callers do not
   matter. */
static bool is_start(const struct identity_source *source)
{
    const char *symbol = source->symbol ? source->symbol : "";
    return strcmp(source->name, "main") == 0 || strcmp(source->name, "<main>") == 0 ||
           strcmp(symbol, "MAIN__") == 0;
}

/* Returns how the user can see the callers: with another option, another run or
   another build. */
static const char *advice(const struct view *view, enum rows_key key, bool library)
{
    const struct profile *profile = view->profile;
    if (key == ROWS_SITES && library)
        return "-by path";
    if (profile->heap.measured)
        return "-heap allocated -sort total";
    if (view->rows->stack && profile_measure(profile)->memory)
        return "the table's column total, -sort total";
    if (segments_is_static(program_path(view->program, profile, 0)))
        return "compile with -fplugin-arg-ccprof-profile=alloc\n"
               "and -fplugin-arg-ccprof-stack, then the table's column total, -sort "
               "total";
    if (profile->sampling.rate) /* time was measured */
        return "run it with CCPROF=heap=exact,\nthen mlprof -heap allocated -sort total";
    return "compile with profile=time, the default,\n"
           "run it with CCPROF=heap=exact, then mlprof -heap allocated -sort total";
}

void allocnotes_print_most(FILE *out, const struct view *view, const struct rows *rows)
{
    struct intern names = {0};
    uint64_t total = view->rows->stacks.allocs.left_out;
    if ((rows->key != ROWS_SITES && rows->key != ROWS_PATHS) || view->style.mlton)
        return;
    BUF_OWN struct amount *amounts = buf_alloc((rows->count + 1) * sizeof *amounts);
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        struct amount *amount = &amounts[intern_put(&names, row->shown)];
        amount->row = amount->row ? amount->row : row;
        uint64_t bytes = rows_memory(row, false).amount;
        amount->bytes += bytes;
        amount->blocks += rows_memory(row, true).amount;
        total += bytes;
    }
    for (size_t i = 0; i < names.count; i++) {
        const struct identity_source *source = &amounts[i].row->source;
        if (amounts[i].bytes <= total / 2 || amounts[i].blocks < 2 || is_start(source))
            continue;
        BUF_OWN char *name = view_name(view, amounts[i].row);
        fprintf(
            out, "\n%.1f %% is allocated in %s;\nto see who calls it: %s\n",
            rows_percent(amounts[i].bytes, total), name,
            advice(view, rows->key, library_has(source, view->report->choice.libraries)));
    }
    intern_free(&names);
}

static uint64_t beyond(uint64_t all, uint64_t part)
{
    return all > part ? all - part : 0;
}

void allocnotes_print_beside(FILE *out, const struct view *view)
{
    const struct heapdata *heap = &view->profile->heap;
    if (!heap->measured || view->rows->stacks.filtered || view->style.mlton)
        return;
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct heapdata_amount part = {0, 0};
    for (size_t i = 0; i < allocs->count; i++) {
        part.blocks += allocs->sites[i].blocks;
        part.bytes += allocs->sites[i].bytes;
    }
    const struct heapdata_amount *all = &heap->sums[HEAPDATA_TOTAL];
    BUF_OWN char *bytes = text_number(beyond(all->bytes, part.bytes), "byte");
    BUF_OWN char *blocks = text_number(beyond(all->blocks, part.blocks), "block");
    fprintf(out, "\nlibraries have allocated %s%s in %s beside these: -heap allocated\n",
            heap->sample ? "about " : "", bytes, blocks);
}
