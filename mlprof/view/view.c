/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several views use: headings, cells and units, the choice of rows, and the lines
   above the first table. Most words of tables come from here. */

#include "mlprof/view/view.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/names/names.h"
#include "mlprof/profile/latencypoints.h"
#include "mlprof/program/program.h"
#include "mlprof/rows/tree.h"
#include "mlprof/view/heapwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

double view_seconds(const struct view *view, uint64_t samples)
{
    return (double)samples / (double)view->profile->sampling.rate;
}

char *view_percent_of(uint64_t part, uint64_t all)
{
    return all ? buf_format("%.1f%%", rows_percent(part, all)) : buf_copy("-");
}

char *view_percent(const struct view *view, uint64_t samples)
{
    return view_percent_of(samples, view->rows->total);
}

char *view_percent_about(const struct view *view, uint64_t samples, bool estimated)
{
    BUF_OWN char *percent = view_percent(view, samples);
    return buf_format("%s%s", estimated ? "~" : "", percent);
}

void view_tree_notes(FILE *out, const struct view *view, const struct tree *tree)
{
    uint64_t roots = 0, all = view->rows->total;
    bool estimated = false;
    for (size_t i = 1; i < tree->shares.count; i++) {
        estimated |= tree->nodes[i].estimated || tree->nodes[i].count_estimated;
        if (tree->nodes[i].parent == TREE_EMPTY)
            roots = saturate_add(roots, tree->shares.list[i]);
    }
    if (estimated)
        terminal_print(out, "~: a function's instructions are divided among its callers "
                            "in proportion to what each executed in it\n");
    if (roots <= all)
        return;
    BUF_OWN char *percent = view_percent(view, roots - all);
    BUF_OWN char *text =
        buf_format("%s was executed in callees that are not known (called through "
                   "pointers, from other "
                   "modules, by jumps, or in a cycle): they begin at the left\n",
                   percent);
    terminal_print(out, text);
}

char *view_range(struct statistics_interval range)
{
    return buf_format("%.1f-%.1f", 100 * range.least, 100 * range.most);
}

static bool is_time(const struct view *view)
{
    return profile_measure(view->profile)->unit == MEASURE_NANOSECONDS;
}

int view_decimals(const struct view *view)
{
    return profile_is_of_waits(view->profile) ? 3 : 2;
}

char *view_raw(const struct view *view, uint64_t samples)
{
    if (is_time(view))
        return buf_format("(%.*fs)", view_decimals(view), view_seconds(view, samples));
    BUF_OWN char *number = text_commas((double)samples, 0);
    return buf_format("(%s)", number);
}

bool view_has_amounts(const struct view *view)
{
    return view->style.raw ||
           ((!is_time(view) || profile_is_of_waits(view->profile)) && !view->style.mlton);
}

const char *view_amount_head(const struct view *view)
{
    const struct measure *measure = profile_measure(view->profile);
    if (view->style.mlton)
        return "raw";
    return measure->stacks ? measure->heading : view_count_head(view);
}

const char *view_self_head(const struct view *view)
{
    return view->style.mlton ? "cur" : "self";
}

const char *view_total_head(const struct view *view)
{
    return view->style.mlton ? "stack" : "total";
}

char *view_amount_cell(const struct view *view, uint64_t samples)
{
    if (view->style.mlton)
        return view_raw(view, samples);
    return is_time(view) ? text_commas(view_seconds(view, samples), view_decimals(view))
                         : text_commas((double)samples, 0);
}

char *view_amount(const struct view *view, uint64_t samples)
{
    const struct measure *measure = profile_measure(view->profile);
    return is_time(view)
               ? buf_format("%.*f s", view_decimals(view), view_seconds(view, samples))
               : text_number_of(samples, measure->noun, measure->plural);
}

bool view_reaches(const struct view *view, uint64_t samples)
{
    return rows_percent(samples, view->rows->total) >= view->style.thresh;
}

const struct rows_row *view_row(const struct view *view, uint32_t number)
{
    return number < view->rows->count ? &view->rows->rows[number] : NULL;
}

bool view_keeps(const struct view *view, const struct rows_row *row)
{
    return !view->kept || view->kept[row - view->rows->rows];
}

/* Counters are not separated by copy, phase, thread, rank, MPI call or memory. The
   counters of GCC's own profile do not count calls of functions. */
bool view_has_counts(const struct view *view)
{
    return view->profile->kind & CCPROF_KIND_COUNT &&
           rows_keys[view->rows->key].counted &&
           !(view->program && program_is_trained_alone(view->program));
}

bool view_has_costs(const struct view *view)
{
    const struct measure *measure = profile_measure(view->profile);
    return (measure->sampled || measure->weigh) && view_has_counts(view);
}

const char *view_noun(const struct view *view)
{
    return rows_keys[view->rows->key].noun;
}

const char *view_count_head(const struct view *view)
{
    return view->rows->key == ROWS_LOOPS ? "iterations"
           : view_has_executions(view)   ? "executed"
                                         : "calls";
}

const char *view_cost_head(const struct view *view)
{
    return view->rows->key == ROWS_LOOPS ? "per iteration"
           : view_has_executions(view)   ? "per execution"
                                         : "per call";
}

bool view_has_executions(const struct view *view)
{
    return rows_keys[view->rows->key].executed;
}

char *view_known_cell(bool known, char *text)
{
    if (known)
        return text;
    free(text);
    return buf_copy("-");
}

char *view_place_whole(const struct rows_row *row)
{
    BUF_OWN char *type = row->type ? text_part(row->type) : NULL;
    const char *const more[] = {row->verdict, row->called, type};
    char *text = buf_copy(row->place);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i]) {
            char *longer = buf_format("%s  %s", text, more[i]);
            free(text);
            text = longer;
        }
    return text;
}

char *view_text_cell(const char *text)
{
    return buf_copy(text ? text : "?");
}

/* Returns the exact amount of one call or execution. */
static char *exact_cost(const struct view *view, const struct rows_row *row)
{
    bool executed = view_has_executions(view);
    uint64_t amount = executed ? rows_within(row) : rows_whole(row);
    uint64_t calls = rows_calls(row);
    bool known =
        row->counted && calls && !row->no_cost && rows_shown(row, MEASURED_SELF).known;
    return known ? text_commas((double)amount / (double)calls, 1) : buf_copy("-");
}

char *view_cost(const struct view *view, const struct rows_row *row)
{
    const struct stacks_uncertainty *uncertainty = &row->uncertainty;
    bool known =
        rows_shown(row, MEASURED_SELF).known && !row->no_cost && view->rows->total > 0 &&
        (rows_whole(row) || row->branch || uncertainty->coded || !row->source.file);
    if (!is_time(view))
        return exact_cost(view, row);
    /* The kind time-field measures functions, not lines. */
    if (view_has_executions(view) && program_has_field(view->program))
        return buf_copy("-");
    if (view_has_executions(view))
        return text_call_time(rows_within(row), 0, 0, view->profile->sampling.rate,
                              rows_calls(row));
    if (!known)
        return buf_copy("-");
    return text_call_time(rows_whole(row), uncertainty->less, uncertainty->more,
                          view->profile->sampling.rate, rows_calls(row));
}

static char *cleaned(char *text)
{
    char *clean = text_clean(text);
    free(text);
    return clean;
}

/* Frees NAME, and returns it with the number of other functions in the row appended.
   The caller frees the result. */
static char *with_more(char *name, const struct rows_row *row)
{
    if (!row->more)
        return name;
    char *text = buf_format("%s and %" PRIu32 " more", name, row->more);
    free(name);
    return text;
}

char *view_name(const struct view *view, const struct rows_row *row)
{
    if (row->shown)
        return cleaned(with_more(buf_copy(row->shown), row));
    return cleaned(
        names_of(&row->source, &(struct names_style){.long_name = view->style.long_name,
                                                     .form = view->style.names}));
}

char *view_outside_name(const struct view *view, const char *symbol)
{
    BUF_OWN char *bracketed = buf_format("<%s>", symbol);
    return cleaned(
        names_of(&(struct identity_source){.name = bracketed},
                 &(struct names_style){.long_name = true, .form = view->style.names}));
}

char *view_place_name(const struct view *view, const char *place)
{
    size_t length = strcspn(place, "@+");
    BUF_OWN char *symbol = buf_copy_prefix(place, length);
    BUF_OWN char *name = view_outside_name(view, symbol);
    return cleaned(buf_format("%.*s%s>", (int)strlen(name) - 1, name, place + length));
}

char *view_position(const struct rows_row *row)
{
    return row->place ? cleaned(text_plain(row->place)) : names_position(&row->source);
}

char *view_position_shown(const struct view *view, const struct rows_row *row)
{
    return view->style.show_line || row->place ? view_position(row) : NULL;
}

void view_put_name(const void *context, struct sheet *sheet, const void *table_row)
{
    const struct view *view = context;
    const struct rows_row *row = table_row;
    if (row->place)
        sheet_put_place(sheet, with_more(text_part(row->shown), row),
                        row->verdict ? buf_format("%s  %s", row->place, row->verdict)
                                     : buf_copy(row->place));
    else
        sheet_put_name(sheet, view_name(view, row), view_position_shown(view, row));
}

char *view_label(const struct view *view, const struct rows_row *row)
{
    char *name = view_name(view, row);
    BUF_OWN char *position = view_position_shown(view, row);
    if (!position)
        return name;
    char *label = buf_format("%s  %s", name, position);
    free(name);
    return label;
}

size_t view_top(const struct view *view, size_t count)
{
    return view->style.top && view->style.top < count ? view->style.top : count;
}

void view_title(FILE *out, const struct view *view, const char *what,
                const struct rows_row *row, bool placed)
{
    char *position = placed ? view_position(row) : view_position_shown(view, row);
    sheet_line(out, what, view_name(view, row), position);
}

int view_by_name(const void *one, const void *other)
{
    const struct rows_row *a = one, *b = other;
    return a->shown && b->shown ? strcmp(a->shown, b->shown) : rows_by_name(a, b);
}

bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row)
{
    return names_match(pattern, &row->source, row->shown,
                       &(struct names_style){.long_name = view->style.long_name,
                                             .form = view->style.names});
}

bool *view_found(bool found, bool *selected)
{
    if (found)
        return selected;
    free(selected);
    return NULL;
}

bool *view_select_rows(const struct view *view, const struct pattern *pattern)
{
    const struct rows *rows = view->rows;
    bool *selected = buf_alloc(rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        selected[i] = view_matches_any(view, pattern, &rows->rows[i]);
    return selected;
}

static int by_stack(const void *one, const void *other)
{
    const struct rows_row *a = *(const struct rows_row *const *)one;
    const struct rows_row *b = *(const struct rows_row *const *)other;
    return BUF_ORDER(rows_total(b), rows_total(a)) ?: BUF_ORDER(a, b);
}

const struct rows_row **view_by_stack(const struct view *view, const bool *selected,
                                      size_t *count)
{
    const struct rows *rows = view->rows;
    const struct rows_row **found = buf_alloc((rows->count + 1) * sizeof *found);
    *count = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (selected[i])
            found[(*count)++] = &rows->rows[i];
    BUF_SORT(found, *count, by_stack);
    return found;
}

bool view_matches_any(const struct view *view, const struct pattern *pattern,
                      const struct rows_row *row)
{
    return !pattern || (row && view_matches(view, pattern, row));
}

struct view view_of_report(const struct view *view, struct report *report)
{
    struct view other = *view;
    other.report = report;
    other.profile = report->profile;
    other.program = &report->program;
    other.rows = &report->rows;
    other.grouped = NULL;
    other.kept = report->kept;
    other.beside = NULL;
    return other;
}

const struct view *view_beside(const struct view *view, enum report_beside what)
{
    struct report *beside = view->beside ? report_beside(view->report, what) : NULL;
    if (!beside)
        return NULL;
    view->beside[what] = view_of_report(view, beside);
    return &view->beside[what];
}

bool view_check_stacks(const struct view *view, const char *option, struct fault *fault)
{
    return profile_measure(view->profile)->stacks ||
           fault_set(fault, FAULT_MISMATCH, option,
                     "calls were counted without stacks; this view needs samples of time "
                     "or allocations");
}

char *view_part(const struct view *view)
{
    const struct stacks *stacks = &view->rows->stacks;
    uint64_t kept = 0;
    if (!stacks->filtered)
        return NULL;
    for (size_t i = 0; i < stacks->nodes.count; i++)
        kept += stacks->nodes.list[i].count;
    BUF_OWN char *options = stacks_filter_text(view->report->choice.filter),
                 *clean = text_clean(options);
    return buf_format("%.1f%% of the %s: %s; percentages are of all",
                      rows_percent(kept, view->rows->total),
                      profile_measure(view->profile)->plural, clean);
}

/* Returns a text about the samples in ccprof's own code. The caller frees it. */
static char *own_text(const struct view *view)
{
    uint64_t ccprof_samples = view->profile->sampling.ccprof_samples,
             all = view->profile->sampling.samples + ccprof_samples;
    BUF_OWN char *seconds = text_commas(view_seconds(view, ccprof_samples), 2);
    return buf_format(", and %s more (%.1f%% of the run) in ccprof's own code", seconds,
                      rows_percent(ccprof_samples, all));
}

void view_header(FILE *out, const struct view *view)
{
    const struct profile *profile = view->profile;
    if (!profile->kind)
        return;
    if (profile_is_of_heap(profile)) {
        heapwords_head(out, &profile->heap, profile->measure->heap.number);
        return;
    }
    if (profile->kind == CCPROF_KIND_REGION) {
        fputs("nothing was measured: the run took no samples and measured no regions\n",
              out);
        return;
    }
    const struct measure *measure = profile_measure(profile);
    bool mlton = view->style.mlton, memory = measure->memory;
    if (profile_is_of_waits(profile)) {
        BUF_OWN char *total = view_amount_cell(view, view->rows->total);
        fprintf(out, "%s seconds of waiting\n", total);
        return;
    }
    if (!measure->sampled) {
        bool ticks = mlton && !memory;
        char *number = text_number_of(view->rows->total, ticks ? "tick" : measure->noun,
                                      ticks ? "ticks" : measure->plural);
        fprintf(out, "%s%s%s%s\n", number, memory ? " " : "", memory ? measure->what : "",
                mlton && memory ? " (0 bytes by GC)" : "");
        free(number);
        return;
    }
    BUF_OWN char *total = text_commas(view_seconds(view, profile->sampling.samples), 2);
    if (profile_is_of_latency(profile)) {
        const struct statistics_interval bounds =
            latencypoints_bounds(view->report->measured);
        fprintf(out, "%s seconds of CPU time, divided by the threads that ran", total);
        if (bounds.most - bounds.least >= 0.01)
            fprintf(out, " (%.2f to %.2f)", bounds.least, bounds.most);
        putc('\n', out);
        return;
    }
    BUF_OWN char *ccprof_text =
        profile->sampling.ccprof_samples && !mlton ? own_text(view) : buf_copy("");
    fprintf(out, "%s seconds %s%s%s\n", total,
            profile->sampling.clock == PROFILE_WALL ? "on the clock" : "of CPU time",
            mlton ? " (0.00 seconds GC)" : "", ccprof_text);
}

void view_no_header(FILE *out, const struct view *view)
{
    (void)out, (void)view;
}

bool view_is_sampled(const struct view *view)
{
    return view->profile->kind && profile_measure(view->profile)->sampled;
}

struct table_value view_value_samples(const struct view *view, bool known,
                                      uint64_t samples)
{
    return table_integer_if(
        known && view_is_sampled(view) && profile_counts_samples(view->profile), samples);
}

struct table_value view_value_time(const struct view *view, bool known, uint64_t samples)
{
    return table_integer_if(known && view->profile->kind && is_time(view),
                            profile_nanoseconds(view->profile, samples));
}

struct table_value view_value_events(const struct view *view, bool known, uint64_t amount)
{
    return table_integer_if(known && profile_measure(view->profile)->weigh, amount);
}

struct table_value view_value_bytes(const struct view *view, bool known, uint64_t bytes)
{
    return table_integer_if(known && profile_measure(view->profile)->memory, bytes);
}

struct table_value view_value_name(const struct view *view, const struct rows_row *row)
{
    return table_text_freed(row ? view_name(view, row) : NULL);
}

struct table_value view_value_file(const struct rows_row *row)
{
    return table_text(row ? sourcefile_name(row->source.file) : NULL);
}

struct table_value view_value_line(const struct rows_row *row)
{
    uint32_t line = row ? row->source.line : 0;
    return table_integer_if(line, line);
}

struct table_value view_value_symbol(const struct rows_row *row)
{
    const char *symbol = row->source.symbol;
    return table_text(symbol && *symbol ? symbol : NULL);
}

struct table_value view_value_place(const struct rows_row *row)
{
    return table_text_freed(row->place ? text_plain(row->place) : NULL);
}

char *view_calls_cell(struct arcs_calls calls)
{
    BUF_OWN char *number = text_commas((double)calls.count, 0);
    return buf_format("%s%s", calls.least == calls.most ? "" : "~", number);
}

char *view_certainty_cell(struct arcs_calls calls)
{
    return buf_format("%.0f%%", calls.least == calls.most
                                    ? 100.0
                                    : rows_percent(calls.least, calls.most));
}

void view_print_estimated(FILE *out, const struct view *view, bool estimated)
{
    if (estimated && !view->style.mlton)
        fputs("\n~ is a guess: a call by a pointer, shared out among all functions that "
              "one "
              "can lead to, of whatever type\n"
              "whom these calls reach is counted with -fplugin-arg-ccprof-targets\n",
              out);
}
