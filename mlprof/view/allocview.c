/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the list of allocations by site, type or path, for -allocs.  */

#include "mlprof/view/allocview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/readable.h"
#include "mlprof/tables/unit.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Prints how many bytes were allocated, even if time was also sampled.  */
static void print_head(FILE *out, const struct view *view)
{
    if (!view->profile->kind)
        return;
    const struct allocs *allocs = &view->rows->stacks.allocs;
    uint64_t total = allocs->left_out;
    for (size_t i = 0; i < allocs->count; i++)
        total += allocs->sites[i].bytes;
    BUF_OWN char *number = text_number(total, "byte");
    fprintf(out, "%s allocated%s\n", number, view->style.mlton ? " (0 bytes by GC)" : "");
}

uint64_t allocview_table(struct table *table, const struct view *view,
                         enum allocview_by by)
{
    size_t count;
    struct allocs_table_row *rows = allocs_table_rows(view, by, &count);
    uint64_t total = allocs_table_make(table, view, by, rows, count);
    /* Rows with equal bytes are sorted by blocks, then by their texts.  */
    table_sort(table, VIEW_BLOCKS);
    table_sort(table, VIEW_BYTES);
    table_sort(table, view->style.order);
    return total;
}

/* Prints the table, by default sorted by decreasing bytes.  */
static void print(FILE *out, const struct view *view)
{
    struct table table;
    uint64_t total = allocview_table(&table, view, view->request->choice);
    size_t kept = 0;
    for (size_t i = 0; i < table.count; i++) {
        const struct allocs_table_row *row = table.rows[i];
        if (rows_percent(row->bytes, total) >= view->style.thresh)
            table.rows[kept++] = row;
    }
    table.count = kept;
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

/* Returns a text that says how to find the callers of library functions.  */
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

void allocview_add_lacks(struct allocview_lacks *lacks, const struct program *program)
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

/* For qsort.  */
static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Prints the names of the first excluded functions in alphabetical order.  */
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

void allocview_print_lacks(FILE *out, const struct allocview_lacks *lacks)
{
    if (lacks->strings)
        fputs("\nnot counted: what std::string allocates inside libstdc++; with "
              "-std=c++20 or\n-D_GLIBCXX_ASSERTIONS that is the program's own code, and "
              "counted\n",
              out);
    if (lacks->functions.count)
        print_excluded(out, &lacks->functions);
}

void allocview_free_lacks(struct allocview_lacks *lacks)
{
    intern_free(&lacks->functions);
}

void allocview_print_missing(FILE *out, const struct view *view, enum allocview_by by)
{
    bool known = false;
    uint64_t library =
        by == ALLOCVIEW_PATH ? allocs_table_libraries_alone(view, &known) : 0;
    if (library) {
        BUF_OWN char *bytes = text_number(library, "byte");
        fprintf(out, "\n%s in functions of libraries that were not inlined:\n%s\n", bytes,
                text_of_callers(view, known));
    }
    struct allocview_lacks lacks = {0};
    allocview_add_lacks(&lacks, view->program);
    allocview_print_lacks(out, &lacks);
    allocview_free_lacks(&lacks);
}

/* Memory allocated by one function.  */
struct amount {
    uint64_t bytes, blocks;
};

/* Returns whether the program starts with this function, so that its callers do not
   matter.  */
static bool is_start(const struct identity_source *source)
{
    const char *symbol = source->symbol ? source->symbol : "";
    return strcmp(source->name, "main") == 0 || strcmp(source->name, "<main>") == 0 ||
           strcmp(symbol, "MAIN__") == 0;
}

/* Returns how the user can see the callers: with another option, another run or
   another build.  */
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

void allocview_print_most(FILE *out, const struct view *view, enum allocview_by by)
{
    const struct stacks *stacks = &view->rows->stacks;
    if ((by != ALLOCVIEW_SITE && by != ALLOCVIEW_PATH) || view->style.mlton)
        return;
    BUF_OWN struct amount *amounts =
        buf_alloc((stacks->source_count + 1) * sizeof *amounts);
    size_t count;
    BUF_OWN struct allocs_table_row *rows = allocs_table_rows(view, by, &count);
    uint64_t total = stacks->allocs.left_out;
    for (size_t i = 0; i < count; i++) {
        amounts[rows[i].source].bytes += rows[i].bytes;
        amounts[rows[i].source].blocks += rows[i].blocks;
        total += rows[i].bytes;
        allocs_table_free_texts(&rows[i]);
    }
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

static uint64_t beyond(uint64_t all, uint64_t part)
{
    return all > part ? all - part : 0;
}

void allocview_print_beside(FILE *out, const struct view *view)
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

static bool check(const struct view *view, struct fault *fault)
{
    if (view->left_out & CCPROF_KIND_ALLOC) {
        BUF_OWN char *filter = stacks_filter_text(view->filter);
        fault_set(fault, FAULT_MISMATCH, "-allocs",
                  "the counts have no stacks: not together with %s", filter);
        return false;
    }
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC))
        return fault_set(fault, FAULT_MISMATCH, "-allocs",
                         "no allocations were measured: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    return true;
}

const struct views_entry allocview_entry = {
    .name = "allocs",
    .topic = TOPIC_MEMORY,
    .use = 1,
    .help = "list what was allocated, by site, type or path",
    .details = "  site  each allocation site\n"
               "  type  each type\n"
               "  path  each line of the program that called into a library (-library)\n"
               "Needs a program compiled with profile=alloc. With -compare and -growth,\n"
               "these rows are compared instead of functions.",
    .takes = VIEWS_CHOICE,
    .words = "{site|type|path}", /* in the order of enum allocview_by, from 1 */
    .affected_by = VIEWS_BY_STACKS VIEWS_BY_ROWS "library:path raw",
    .combines_with = "compare growth",
    .affected_by_combined = "library:path",
    .columns = &allocs_table,
    .data = {{&allocs_table, allocs_table_fill, 6}},
    .check = check,
    .head = print_head,
    .print = print,
};
