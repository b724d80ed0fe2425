/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the requested views with the lines above and below them. show_check refuses
   options and data that the requested views cannot use. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/commands.h"
#include "mlprof/view/allocnotes.h"
#include "mlprof/view/balance.h"
#include "mlprof/view/heapwords.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Indexed by view: for each row, whether the pattern of the view selects it. NULL:
   the view has no pattern. */
struct found {
    bool *rows[VIEWS_MOST];
};

static void free_found(struct found *found)
{
    for (size_t i = 0; i < VIEWS_MOST; i++)
        free(found->rows[i]);
}

static bool find(bool **rows, const struct views_entry *entry,
                 const struct views_request *requested, const struct view *view,
                 struct fault *fault)
{
    *rows = views_find(entry, view, &requested->pattern);
    if (*rows)
        return true;
    BUF_OWN char *what = buf_format("-%s %s", entry->name, requested->pattern.text);
    return fault_set(fault, FAULT_MISMATCH, what, "no %s that was measured matches",
                     entry->finds ? entry->finds : "function");
}

/* Sets FAULT for the option -NAME, followed by WORD unless WORD is NULL. Returns
   false. */
static bool refuse(struct fault *fault, const char *name, const char *word,
                   const char *why)
{
    BUF_OWN char *option =
        word ? buf_format("-%s %s", name, word) : buf_format("-%s", name);
    return fault_set(fault, FAULT_MISMATCH, option, "%s", why);
}

/* Views of regions have rows by name, by copy (-by copy) or by path (-paths). Checks
   that -by requests nothing else. */
static bool check_by(const struct options *options, const struct views_entry *entry,
                     struct fault *fault)
{
    return !(entry->facts & VIEWS_REGIONS) || !options->rows_key ||
           (options->rows_key == ROWS_COPIES && !options->paths) ||
           refuse(fault, entry->name, NULL,
                  "regions are separated by name, with -by copy, or with -paths");
}

/* Returns whether the view can show any measure, including measures of the heap. */
static bool shows_any_measure(const struct views_entry *entry)
{
    return entry->kind & OUTPUTS_MEASURES;
}

bool show_check(const struct options *options, struct fault *fault)
{
    const struct measure *measure = options->measure.measure;
    if (!(options_facts(options) & VIEWS_HEAP))
        return true;
    if (options_heap(options) && measure && !measure->memory)
        return refuse(fault, "measure", measure->word, "the heap has bytes and blocks");
    for (size_t i = 0; i < views_count; i++) {
        if (!views_is_requested(&options->views[i]) || shows_any_measure(views_all[i]) ||
            views_all[i]->facts & (VIEWS_HEAP | VIEWS_REGIONS))
            continue;
        return refuse(fault, views_all[i]->name, NULL,
                      "cannot show the heap: leave out -heap");
    }
    return true;
}

/* Fills FOUND. The caller calls free_found in any case. If a view has nothing to
   show, returns false and sets FAULT; then nothing is printed or written. */
static bool find_all(struct found *found, const struct options *options,
                     const struct view *view, struct fault *fault)
{
    struct view current = *view;
    bool good = true;
    for (size_t i = 0; good && i < views_count; i++) {
        const struct views_entry *entry = views_all[i];
        const struct views_request *requested = current.request = &options->views[i];
        if (views_is_requested(requested))
            good = check_by(options, entry, fault) &&
                   views_check(entry, &current, fault) &&
                   (entry->takes != VIEWS_PATTERN ||
                    find(&found->rows[i], entry, requested, view, fault));
    }
    return good;
}

/* The parts of the report, for the lines above and below the tables. */
struct parts {
    bool views[VIEWS_MOST]; /* indexed by view: it is printed */
    bool table;             /* the table of functions or of -by is printed */
    bool timed;             /* a printed view shows samples */
    bool outside;           /* all of these views show functions outside of the profile */
    struct rows_table_notes notes; /* notes of the table of functions or of -by */
};

/* Returns the parts to print. If only regions or the heap were measured, their view
   replaces the table of functions. -heap prints its own table unless another requested
   view can show the heap. */
static struct parts parts_of(const struct options *options, const struct profile *profile)
{
    struct parts parts = {.table = true, .outside = true};
    bool others = false;
    for (size_t i = 0; i < views_count; i++)
        others |=
            views_is_requested(&options->views[i]) && shows_any_measure(views_all[i]);
    for (size_t i = 0; i < views_count; i++) {
        parts.views[i] = views_is_requested(&options->views[i]) &&
                         !(others && views_all[i] == &heapview_entry);
        if (parts.views[i] && views_all[i]->timed) {
            parts.timed = true;
            parts.outside &= (views_all[i]->facts & VIEWS_OUTSIDE) != 0;
        }
        parts.table &= !parts.views[i];
    }
    bool heap = measure_is_of_heap(profile_measure(profile));
    /* The table of functions is empty if only regions or the heap were measured, or if
       time was measured together with regions but no sample was taken. */
    bool empty = profile->kind == CCPROF_KIND_REGION || heap ||
                 (profile->regions.clock != REGIONS_NONE &&
                  !(profile->kind & CCPROF_KINDS_COUNTED) &&
                  profile->sampling.samples + profile->sampling.ccprof_samples == 0 &&
                  options->rows_key == ROWS_FUNCTIONS);
    if (parts.table && empty) {
        const struct views_entry *alone = heap ? &heapview_entry : &regionsview_entry;
        parts.table = false;
        for (size_t i = 0; i < views_count; i++)
            parts.views[i] = views_all[i] == alone;
    }
    parts.timed |= parts.table;
    parts.outside =
        options->show_extern != OPTIONS_NO_EXTERN || (parts.outside && !parts.table);
    return parts;
}

/* Prints the first lines: the total of the first view, or of the first view with
   samples if there is one. */
static void print_head(FILE *to, const struct view *table, const struct parts *parts)
{
    void (*head)(FILE *, const struct view *) = NULL;
    for (size_t i = 0; i < views_count; i++)
        if (parts->views[i] && views_all[i]->timed == parts->timed && !head)
            head = views_all[i]->head ? views_all[i]->head : view_header;
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    if (head)
        head(out, table);
    else
        view_header(out, table);
    size_t builds = profile_builds(table->profile);
    if (builds > 1)
        fprintf(out,
                "%" PRIu64
                " data files of %zu builds, functions matched by linkage name\n",
                table->profile->runs.files, builds);
    BUF_OWN char *part = view_part(table);
    if (part)
        fprintf(out, "%s\n", part);
    buf_close(out);
    terminal_print(to, text);
}

/* Prints the number of data files. Called only if no line about samples is printed,
   because that line already has the number (balance.h). */
static void print_files(FILE *out, const struct profile *profile)
{
    if (profile->runs.files < 2)
        return;
    if (ftell(out) == 0)
        putc('\n', out);
    fprintf(out, "added up from %" PRIu64 " data files\n", profile->runs.files);
}

/* Prints how reliable the tables are, and which data they do not show. TABLE is VIEW
   with the rows of the table of functions or of -by. */
static void print_foot(FILE *out, const struct options *options, const struct view *view,
                       const struct view *table, const struct parts *parts)
{
    const struct profile *profile = view->profile;
    const struct measure *measure = profile_measure(profile);
    bool timed = parts->timed && profile->kind & CCPROF_KIND_TIME;
    bool regions = false, heap = false, waits = false;
    for (size_t i = 0; i < views_count; i++) {
        regions |= parts->views[i] && views_all[i]->facts & VIEWS_REGIONS;
        heap |= parts->views[i] && views_all[i]->facts & VIEWS_HEAP;
        waits |= parts->views[i] && views_all[i]->facts & VIEWS_WAITS;
        if (parts->views[i] && views_all[i]->foot)
            views_all[i]->foot(out, view);
    }
    if (view->report->wrappers)
        heapwords_wrappers(out, view->report->wrappers);
    BUF_OWN char *never = rows_table_never(table, &parts->notes);
    if (timed || never)
        putc('\n', out);
    if (never)
        fprintf(out, "%s\n", never);
    if (timed) {
        bool brief = options->balance == OPTIONS_BALANCE_BRIEF &&
                     !balance_is_wrong(profile, view->program->skid);
        if (!view->style.mlton)
            balance_print_precision(out, profile, parts->notes.marked, brief);
        if (brief)
            balance_print_brief(out, profile, uncovered_percent(profile, view->program));
        else
            balance_print(out, profile, view->program->skid);
        uncovered_print_kernel(out, profile, view->program);
        uncovered_print_broken(out, view);
        if (!brief)
            uncovered_print(out, profile, view->program, options->operands[0],
                            parts->outside);
    }
    BUF_OWN char *left_out = parts->timed ? uncovered_instructions(view) : NULL;
    if (left_out)
        fprintf(out, "\n%s", left_out);
    if (profile->heap.measured && measure->kinds && !heap) {
        BUF_OWN char *words = measure_words(true);
        fprintf(out, "\nthe heap: -heap %s\n", words);
    }
    if (profile->waits.measured && !waits)
        fputs("\nwhy threads waited: -waits, -locks\n", out);
    if (view_has_regions(view) && regions)
        regionsview_print_foot(out, view);
    else if (view_has_regions(view))
        fputs("\nreal time of regions: -regions\n", out);
    if (profile->kind & CCPROF_KIND_ALLOC && measure->kinds) {
        if (view->grouped)
            allocnotes_print_most(out, view, view->grouped);
        allocnotes_print_beside(out, view);
        allocnotes_print_missing(out, view);
    }
    if (!timed)
        print_files(out, profile);
    if ((profile->runs.uncounted || profile->runs.switched ||
         profile->runs.messages.count) &&
        !(profile->kind & CCPROF_KIND_TIME))
        putc('\n', out);
    balance_print_uncounted(out, profile);
}

/* Writes TEXT as a regular expression that matches it. */
static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\^$.[]|()*+?{}", *text))
            putc('\\', out);
        putc(*text, out);
    }
}

/* Adds ROW to CONTEXT, a struct show_table. */
static void put_row(void *context, const struct view *view, const struct rows_row *row,
                    size_t lines)
{
    struct show_table *shown = context;
    BUF_OWN char *name = view_name(view, row), *position = view_position(row);
    char *pattern = NULL;
    size_t size;
    FILE *out = buf_open(&pattern, &size);
    putc('^', out);
    put_quoted(out, name);
    fputs(position ? "  " : "(  |$)", out);
    put_quoted(out, position ? position : "");
    buf_close(out);
    BUF_PUSH(shown->rows) = (struct show_row){.pattern = pattern, .lines = lines};
}

static void print_all(FILE *to, const struct options *options, const struct view *view,
                      const struct found *found, struct show_table *shown)
{
    struct parts parts = parts_of(options, view->profile);
    struct view table = *view;
    if (parts.table && view->grouped)
        table.rows = view->grouped, table.kept = NULL;
    progress_print();
    print_head(to, &table, &parts);
    bool regions = false;
    for (size_t i = 0; i < views_count; i++) {
        if (!parts.views[i])
            continue;
        if (regions && views_all[i] == &histogram_entry)
            putc('\n', to);
        regions |= views_all[i] == &regionsview_entry;
        struct view current = *view;
        current.request = &options->views[i];
        current.selected = found->rows[i];
        views_all[i]->print(to, &current);
    }
    if (parts.table) {
        if (shown)
            shown->start = (size_t)ftell(to);
        parts.notes = rows_table_print(to, &table, shown ? put_row : NULL, shown);
        if (shown)
            shown->sorted = parts.notes.sorted;
    }
    if (options->balance == OPTIONS_NO_BALANCE)
        return;
    BUF_OWN char *foot = NULL;
    size_t size;
    FILE *out = buf_open(&foot, &size);
    print_foot(out, options, view, &table, &parts);
    buf_close(out);
    terminal_print(to, foot);
}

struct view show_view(const struct options *options, struct report *report)
{
    const struct view view = {
        .sources = &options->sources,
        .style = {.assembly = options->assembly,
                  .raw = options->raw,
                  .show_line = options->names.show_line,
                  .branches = options->branch,
                  .never = options->never,
                  .long_name = options->names.long_name,
                  .names = options->names.form,
                  .mlton = options->layout == OPTIONS_MLTON,
                  /* If the measure of -measure is an additional column, sort by it. */
                  .order = options->sort ? options->sort : options->measure.column,
                  .top = options_top(options),
                  .regions = options->paths                     ? REGIONROWS_PATHS
                             : options->rows_key == ROWS_COPIES ? REGIONROWS_COPIES
                                                                : REGIONROWS_NAMES,
                  .beside = options->measure.beside,
                  .heap = options_heap(options),
                  .thresh = options->thresh}};
    struct view shown = view_of_report(&view, report);
    if (options->rows_key && !(options_facts(options) & VIEWS_REGIONS))
        shown.grouped = &report->grouped;
    return shown;
}

void show_table_free(struct show_table *table)
{
    for (size_t i = 0; i < table->rows.count; i++)
        free(table->rows.list[i].pattern);
    free(table->rows.list);
    *table = (struct show_table){0};
}

bool show_views(FILE *out, const struct options *options, struct report *report,
                struct show_table *table, struct fault *fault)
{
    struct view view = show_view(options, report), beside[REPORT_BESIDES];
    struct found found = {0};
    view.beside = beside;
    bool good = viewfiles_check(options, fault) && advice_give(options, &view, fault) &&
                find_all(&found, options, &view, fault) &&
                viewfiles_write(options, &view, fault);
    if (good && !viewfiles_alone(options))
        print_all(out, options, &view, &found, table);
    if (table) {
        table->measure = profile_measure(report->profile);
        table->kinds = report->profile->kind;
        table->heap = report->profile->heap.measured;
        table->samples = report->profile->sampling.samples;
        table->cpu = report->measured->runs.cpu;
        table->wall = report->measured->runs.wall;
    }
    free_found(&found);
    return good;
}
