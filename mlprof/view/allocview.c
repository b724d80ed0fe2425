/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists what was allocated, by site, type or path, for -allocs.  */

#include "mlprof/view/allocview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/names/identity.h"
#include "mlprof/names/readable.h"
#include "mlprof/tables/unit.h"
#include "mlprof/view/allocs-table.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *shown(const char *text)
{
    return text_clean(text[0] ? text : "?");
}

/* A type as the style writes names, to be freed.  Arguments are never left out, since
   types with the same text are added up.  */
static char *type_of(const struct view *view, const char *type)
{
    char *clean = shown(type);
    if (view->style.names != NAMES_READABLE)
        return clean;
    char *text = readable(clean, 0);
    free(clean);
    return text;
}

static char *position_of(const struct view *view, uint32_t number, const char *file,
                         uint32_t line)
{
    const struct identity_source *source = &view->rows->stacks.sources[number];
    if (!source->file)
        return buf_copy("");
    BUF_OWN char *position = file && line ? buf_format("%s: %" PRIu32, file, line)
                                          : buf_format("%s: ?", source->file);
    return text_clean(position);
}

/* Adds up rows with the same texts; returns how many are left, sorted by their texts.  */
static size_t join(struct allocs_table_row *rows, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(rows, count, sizeof *rows, allocs_table_by_texts);
    for (size_t i = 0; i < count; i++) {
        if (kept && allocs_table_by_texts(&rows[kept - 1], &rows[i]) == 0) {
            rows[kept - 1].bytes += rows[i].bytes;
            rows[kept - 1].blocks += rows[i].blocks;
            allocs_table_free_texts(&rows[i]);
        } else {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

/* A site's row without texts.  */
static struct allocs_table_row bare_row(const struct allocs_site *site)
{
    return (struct allocs_table_row){.site = site,
                                     .blocks = site->blocks,
                                     .bytes = site->bytes,
                                     .source = site->source,
                                     .file = site->file,
                                     .line = site->line,
                                     .column = site->column};
}

static struct allocs_table_row site_row(const struct view *view,
                                        const struct allocs_site *site)
{
    struct allocs_table_row row = bare_row(site);
    row.name = allocs_table_name(view, site->source);
    row.position = position_of(view, site->source, site->file, site->line);
    row.allocator = shown(site->site->allocator);
    return row;
}

/* The number of the innermost frame outside of libraries or, if there is none, of the
   outermost frame.  */
static size_t own_frame(const struct view *view, const struct allocs_site *site,
                        const struct patterns *libraries)
{
    const struct identity_source *sources = view->rows->stacks.sources;
    size_t at = 0;
    while (at + 1 < site->frame_count &&
           library_has(&sources[site->frames[at].source], libraries))
        at++;
    return at;
}

static struct allocs_table_row path_row(const struct view *view,
                                        const struct allocs_site *site,
                                        const struct patterns *libraries)
{
    const struct stacks *stacks = &view->rows->stacks;
    size_t at = own_frame(view, site, libraries);
    const struct allocs_frame *frame = &site->frames[at];
    const struct stacks_position *position = &stacks->positions[frame->position];
    return (struct allocs_table_row){
        .source = frame->source,
        .file = position->file,
        .line = position->line,
        .column = position->column,
        .name = allocs_table_name(view, frame->source),
        .position = position_of(view, frame->source, position->file, position->line),
        .allocator = at ? allocs_table_name(view, site->frames[at - 1].source)
                        : shown(site->site->allocator)};
}

/* The name of the function that a call outside of libraries calls; to be freed.  */
static char *callee_of(const struct view *view, const struct allocs_site *call)
{
    const struct identity_source callee = {.name = call->site->allocator,
                                           .symbol = call->site->symbol};
    if (!call->site->allocator[0])
        return shown("");
    return view_name(view, &(struct rows_row){.source = callee});
}

static struct allocs_table_row call_row(const struct view *view,
                                        const struct allocs_site *call,
                                        const struct patterns *libraries)
{
    struct allocs_table_row row = path_row(view, call, libraries);
    if (own_frame(view, call, libraries) == 0) {
        free(row.allocator);
        row.allocator = callee_of(view, call);
    }
    row.site = call;
    row.type = shown("");
    row.blocks = call->blocks;
    row.bytes = call->bytes;
    return row;
}

/* Whether rows also stand for calls that have counted what libraries allocated for them:
   by path, unless allocation sites or parts of stacks were filtered out.  */
static bool goes_by_calls(const struct view *view, enum allocview_by by)
{
    return by == ALLOCVIEW_PATH && !view->rows->stacks.filtered;
}

static struct allocs_table_row row_of(const struct view *view, enum allocview_by by,
                                      const struct allocs_site *site,
                                      const struct patterns *libraries)
{
    struct allocs_table_row row =
        by == ALLOCVIEW_SITE   ? site_row(view, site)
        : by == ALLOCVIEW_PATH ? path_row(view, site, libraries)
                               : (struct allocs_table_row){.source = STACKS_NONE,
                                                           .name = buf_copy(""),
                                                           .position = buf_copy(""),
                                                           .allocator = buf_copy("")};
    bool rest = site->by_calls && goes_by_calls(view, by);
    row.site = site;
    row.type = type_of(view, site->site->type);
    row.blocks = rest ? site->rest_blocks : site->blocks;
    row.bytes = rest ? site->rest_bytes : site->bytes;
    return row;
}

struct allocs_table_row *allocview_rows(const struct view *view, enum allocview_by by,
                                        size_t *count)
{
    const struct patterns *libraries = view->libraries;
    const struct allocs *allocs = &view->rows->stacks.allocs;
    struct allocs_table_row *rows =
        buf_alloc((allocs->count + allocs->call_count + 1) * sizeof *rows);
    size_t made = 0;
    for (size_t i = 0; i < allocs->count; i++) {
        rows[made] = row_of(view, by, &allocs->sites[i], libraries);
        if (rows[made].blocks || rows[made].bytes)
            made++;
        else
            allocs_table_free_texts(&rows[made]);
    }
    for (size_t i = 0; goes_by_calls(view, by) && i < allocs->call_count; i++)
        rows[made++] = call_row(view, &allocs->calls[i], libraries);
    *count = join(rows, made);
    return rows;
}

/* Adds the rows for data formats.  */
static void fill(struct table *table, const struct view *view,
                 const struct pattern *asked)
{
    const struct allocs *allocs = &view->rows->stacks.allocs;
    size_t count;
    (void)asked;
    if (view->style.allocs > ALLOCVIEW_SITE) {
        struct allocs_table_row *joined =
            allocview_rows(view, view->style.allocs, &count);
        allocs_table_make(table, view, view->style.allocs, joined, count);
        table_sort(table, VIEW_BYTES);
        return;
    }
    struct allocs_table_row *rows = buf_alloc((allocs->count + 1) * sizeof *rows);
    for (size_t i = 0; i < allocs->count; i++)
        rows[i] = bare_row(&allocs->sites[i]);
    allocs_table_make(table, view, ALLOCVIEW_SITE, rows, allocs->count);
}

/* Prints how many bytes were allocated, also if time was sampled.  */
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

/* Keeps the rows that reach the threshold.  */
static void cut(struct table *table, const struct view *view, uint64_t total)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct allocs_table_row *row = table->rows[i];
        if (rows_percent(row->bytes, total) >= view->style.thresh)
            table->rows[kept++] = row;
    }
    table->count = kept;
}

uint64_t allocview_table(struct table *table, const struct view *view,
                         enum allocview_by by)
{
    size_t count;
    struct allocs_table_row *rows = allocview_rows(view, by, &count);
    uint64_t total = allocs_table_make(table, view, by, rows, count);
    /* Rows with equal bytes are sorted by blocks, then by their texts.  */
    table_sort(table, VIEW_BLOCKS);
    table_sort(table, VIEW_BYTES);
    table_sort(table, view->style.order);
    return total;
}

/* Prints the table, by default with the most bytes first.  */
static void print(FILE *out, const struct view *view, const struct views_asked *asked,
                  const bool *wanted)
{
    struct table table;
    uint64_t total = allocview_table(&table, view, asked->choice);
    (void)wanted;
    cut(&table, view, total);
    table_cut(&table, view->style.top);
    table_print(out, &table, view->style.mlton);
    table_free(&table);
}

/* The bytes that library code allocated and that no call outside of libraries has
   counted.  Sets *KNOWN to whether calls have counted for all allocation sites.  */
static uint64_t libraries_alone(const struct view *view, const struct patterns *libraries,
                                bool *known)
{
    const struct stacks *stacks = &view->rows->stacks;
    uint64_t bytes = 0;
    bool by_calls = *known = goes_by_calls(view, ALLOCVIEW_PATH);
    for (size_t i = 0; i < stacks->allocs.count; i++) {
        const struct allocs_site *site = &stacks->allocs.sites[i];
        uint32_t source = site->frames[own_frame(view, site, libraries)].source;
        if (by_calls && site->by_calls) {
            bytes += site->rest_bytes;
        } else if (library_has(&stacks->sources[source], libraries)) {
            bytes += site->bytes;
            *known = false;
        }
    }
    return bytes;
}

/* The text that says who called functions of libraries.  */
static const char *text_of_callers(const struct view *view, bool known)
{
    if (known)
        return "what called them is not profiled";
    if (view->rows->stack && profile_measure(view->profile)->memory)
        return "who called them is told by column total of the table (-sort total)";
    return "who called them is not known; if compiled with\n"
           "-fplugin-arg-ccprof-profile=alloc and -fplugin-arg-ccprof-stack\n"
           "column total of the table tells it (-sort total)";
}

void allocview_add_lacks(struct allocview_lacks *lacks, const struct program *program)
{
    struct requests asked = {0};
    for (size_t i = 0; i < program->count; i++) {
        const struct tables *tables = program->tables[i];
        if (!tables)
            continue;
        requests_read(&asked, tables_holder(tables));
        lacks->strings = lacks->strings || (tables_allocations(tables)->count &&
                                            imports_strings(tables_path(tables)));
    }
    for (uint32_t i = 0; i < asked.lacks.count; i++)
        intern_put(&lacks->functions, intern_text(&asked.lacks, i));
    requests_free(&asked);
}

/* For qsort.  */
static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Names the first of the functions, by name.  */
static void print_excluded(FILE *out, const struct intern *functions)
{
    enum { MOST = 6 };
    size_t count = functions->count;
    BUF_OWN const char **names = buf_alloc((count + 1) * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = intern_text(functions, i);
    qsort(names, count, sizeof *names, by_text);
    fputs("\nnot counted: what these functions allocate, which are excluded from "
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
        by == ALLOCVIEW_PATH ? libraries_alone(view, view->libraries, &known) : 0;
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

static bool check(const struct view *view, const struct views_asked *asked,
                  struct fault *fault)
{
    (void)asked;
    if (view->left_out & CCPROF_KIND_ALLOC) {
        BUF_OWN char *filter = stacks_filter_text(view->filter);
        fault_set(fault, FAULT_MISMATCH, "-allocs",
                  "it goes by counts that have no stacks: not together with %s", filter);
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
    .help = "list what was allocated, by one of these",
    .details =
        "By site, by type, or by the path that leads into libraries: each belongs\n"
        "to the innermost function that is none of theirs (-library). Needs a\n"
        "program compiled with profile=alloc. With -compare and -growth these are\n"
        "compared in place of functions.",
    .takes = VIEWS_CHOICE,
    .words = "{site|type|path}", /* in the order of enum allocview_by */
    .goes_by = VIEWS_BY_STACKS VIEWS_BY_ROWS "library:path raw",
    .beside = "compare growth",
    .goes_by_beside = "library:path",
    .columns = &allocs_table,
    .data = {{&allocs_table, fill, 6}},
    .check = check,
    .head = print_head,
    .print = print,
};
