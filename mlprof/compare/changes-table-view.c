/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses and sorts the rows for the terminal, and prints the lines above and below the
   table. changes-table.c has the columns. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/match.h"

#include <math.h>
#include <stdlib.h>

struct valued {
    const struct change *change;
    double value;
};

/* Rows without a value come last. */
BUF_COMPARE(by_value, struct valued,
            BUF_ORDER(isnan(a->value), isnan(b->value))
                    ?: BUF_ORDER(b->value, a->value)
                    ?: changes_table_by_row(a->change, b->change))

static void sort_by_value(struct table *table)
{
    BUF_OWN struct valued *list = buf_alloc((table->count + 1) * sizeof *list);
    for (size_t i = 0; i < table->count; i++)
        list[i] = (struct valued){table->rows[i],
                                  changes_table_value(table->of, table->rows[i])};
    BUF_SORT(list, table->count, by_value);
    for (size_t i = 0; i < table->count; i++)
        table->rows[i] = list[i].change;
}

static bool reaches_threshold(const struct changes_table_context *about,
                              const struct change *change)
{
    return 100 * fmax(change->share[0], change->share[1]) >= about->view->thresh;
}

/* Returns whether a row has no information: its values are shown as 0, and its change
   is not certain. Certain changes are shown even if they are small. */
static bool is_empty(const struct changes_table_context *about,
                     const struct change *change)
{
    return !about->formula && !change->verdict.certain &&
           change_text_is_zero(&about->style, fmax(change->before, change->after));
}

/* Keeps the rows that a terminal shows. With a formula, these are all rows, sorted by
   decreasing value. Otherwise, these are the sampled changes, and the exact changes
   that are certain. Marks ambiguous names, which are displayed with their place.
   Returns the number of rows that were omitted because their values are displayed as 0
   before and after. */
static size_t changes_table_choose(struct table *table)
{
    struct changes_table_context *about = table->own;
    size_t kept = 0, empty = 0;
    about->alike = match_names_alike(about->view->match, about->view->sides);
    if (about->formula)
        sort_by_value(table);
    for (size_t i = 0; i < table->count; i++) {
        const struct change *change = table->rows[i];
        if (!reaches_threshold(about, change) ||
            (!about->formula && change_is_none(change)))
            continue;
        if (!about->view->never && is_empty(about, change))
            empty++;
        else
            table->rows[kept++] = change;
    }
    table->count = kept;
    table_cut(table, about->view->top);
    return empty;
}

void changes_table_sort(const struct changes_view *view, struct changes *changes,
                        enum view_order order)
{
    struct table table = changes_table_make(view, changes, NULL);
    if (table_sort(&table, order)) {
        struct change *sorted = buf_alloc((changes->count + 1) * sizeof *sorted);
        for (size_t i = 0; i < changes->count; i++)
            sorted[i] = *(const struct change *)table.rows[i];
        free(changes->changes);
        changes->changes = sorted;
    }
    table_free(&table);
}

/* Returns PATH, with folders in the middle omitted if it does not fit into the line.
   USED columns of the line are taken already. Takes ownership of PATH; the caller
   frees the result. */
static char *shortened(FILE *out, char *path, size_t used)
{
    size_t line = terminal_columns(out);
    char *shorter = line > used + 3 ? text_path(path, line - used) : NULL;
    if (!shorter)
        return path;
    free(path);
    return shorter;
}

/* Returns for example `2 runs', with the number of data files if a run has several.
   The caller frees the text. */
static char *runs_text(const struct runset *side)
{
    uint64_t count = 0;
    for (size_t i = 0; i < side->runs.count; i++)
        count += side->runs.list[i].files;
    if (count <= side->runs.count)
        return text_number(side->runs.count, "run");
    BUF_OWN char *runs = text_number(side->runs.count, "run");
    BUF_OWN char *files = text_number(count, "data file");
    return buf_format("%s of %s", runs, files);
}

/* Returns whether the side is one run that was added up from several data files. */
static bool is_added_up(const struct runset *side)
{
    return side->runs.count == 1 && side->runs.list[0].files > 1;
}

/* The width of the words `before' and `after'. */
#define SIDE_WIDTH 7

static void print_side(FILE *out, const struct changes_view *view, size_t side,
                       const struct changes *changes)
{
    static const char *const words[] = {"before", "after"};
    const struct runset *runset = view->sides[side];
    double value = side ? changes->all.after : changes->all.before;
    BUF_OWN char *runs = runs_text(runset);
    BUF_OWN char *amount = text_commas(value, changes->seconds ? 2 : 0);
    BUF_OWN char *unit =
        !changes->sampled
            ? runset_unit(runset, changes->measure)
            : buf_copy(runset->runs.list[0].clock == PROFILE_WALL ? "s on the clock"
                                                                  : "s of CPU time");
    BUF_OWN char *of_heap = change_text_of_heap(runset, changes->measure);
    BUF_OWN char *rest = buf_format(", %s, %s %s%s%s", runs, amount, unit, of_heap,
                                    runset->runs.count > 1 ? " each" : "");
    BUF_OWN char *program = shortened(out, text_clean(view->programs[side]),
                                      SIDE_WIDTH + 1 + text_width(rest));
    fprintf(out, "%-*s %s%s\n", SIDE_WIDTH, words[side], program, rest);
}

/* If most functions have changed by the same factor, says so, and how many functions
   have changed apart from this factor. */
static void print_common_factor(FILE *out, const struct changes_view *view,
                                const struct changes *changes)
{
    double factor = changes_common_factor(changes);
    struct changes shares;
    if (!(factor > 0))
        return;
    changes_find(&shares, view->match, view->sides, changes->measure, true);
    BUF_OWN char *number = text_number(shares.certain, runset_noun(view->sides[0]));
    fprintf(out,
            "drift   most take %.2f times as long: perhaps the machine has changed. "
            "Relative to all,\n        %s certainly changed: -change share\n",
            factor, number);
    changes_free(&shares);
}

static void print_heading(FILE *out, const struct changes_view *view,
                          const struct changes *changes)
{
    const struct change *all = &changes->all;
    const struct change_text_style style = {.seconds = changes->seconds,
                                            .in_words = true,
                                            .decimals = changes->seconds ? 2 : 0};
    print_side(out, view, 0, changes);
    print_side(out, view, 1, changes);
    BUF_OWN char *difference = change_text_difference(&style, all->after - all->before);
    BUF_OWN char *growth = change_text_growth(all);
    fprintf(out, "change  %s (%s)", difference, growth);
    if (!all->exact) {
        BUF_OWN char *least = change_text_difference(&style, all->verdict.interval.least);
        BUF_OWN char *most = change_text_difference(&style, all->verdict.interval.most);
        fprintf(out, ", %s to %s, %s", least, most,
                all->verdict.certain ? "certain" : "not certain");
    }
    putc('\n', out);
    print_common_factor(out, view, changes);
    putc('\n', out);
}

/* Prints the meaning of stars and chances. */
static void print_certainty(FILE *out, const struct changes_view *view,
                            const struct changes *changes)
{
    if (!changes_table_is_uncertain(changes))
        return;
    BUF_OWN char *certainty = change_text_certainty(
        runset_noun(view->sides[0]), changes->certain, changes->tested,
        view->sides[0]->runs.count + view->sides[1]->runs.count);
    fprintf(out, "\n%s", certainty);
    if (is_added_up(view->sides[0]) && is_added_up(view->sides[1]))
        fputs("if each data file is a run of its own, name the files, not the folder\n",
              out);
}

/* Prints how many functions are not in the table, and explains the marks. EMPTY is
   the number of omitted functions whose values are displayed as 0. The other omitted
   functions did not change. */
static void print_ending(FILE *out, const struct changes_view *view,
                         const struct changes *changes, size_t empty)
{
    if (empty) {
        const struct change_text_style style = change_text_style(view->sides, changes);
        BUF_OWN char *number = text_number(empty, runset_noun(view->sides[0]));
        BUF_OWN char *zero = change_text_value(&style, 0);
        fprintf(out, "%s with %s before and after: -never lists them\n", number, zero);
    }
    if (changes->equal) {
        BUF_OWN char *number = text_number(changes->equal, runset_noun(view->sides[0]));
        fprintf(out, "%s as before\n", number);
    }
    print_certainty(out, view, changes);
}

void changes_table_print(FILE *out, const struct changes_view *view,
                         const struct changes *changes, const struct formula *formula)
{
    print_heading(out, view, changes);
    struct table table = changes_table_make(view, changes, formula);
    size_t empty = changes_table_choose(&table);
    if (table.count)
        table_print(out, &table, false);
    if (!formula && view->balance) {
        if (table.count && (empty || changes->equal))
            putc('\n', out);
        print_ending(out, view, changes, empty);
    }
    table_free(&table);
}
