/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/compareview.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *compareview_unit(const struct side *side, enum side_measure measure)
{
    static const char *const units[] = {[SIDE_TIME] = "seconds",
                                        [SIDE_CALLS] = "calls",
                                        [SIDE_BYTES] = "bytes",
                                        [SIDE_BLOCKS] = "blocks"};
    if (measure != SIDE_STACK)
        return units[measure];
    unsigned kind = side->run_count ? side->runs[0].kind : 0;
    return kind & CCPROF_KIND_TIME    ? "seconds on the stack"
           : kind & CCPROF_KIND_ALLOC ? "bytes on the stack"
                                      : "calls on the stack";
}

bool *compareview_alike(const struct match *match, const struct side *const *sides)
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

void compareview_put_name(struct sheet *sheet, const struct match *match,
                          const struct side *const *sides, size_t row, bool with_line)
{
    const struct side_function *function = match_function(match, sides, row);
    char *file = with_line && function->file ? text_clean(function->file) : NULL;
    char *position = file ? buf_format("%s: %" PRIu32, file, function->line) : NULL;
    free(file);
    sheet_put_name(sheet, text_clean(function->shown), position);
}

/* Adds the columns, of which the last one is for names.  */
static void add_columns(struct sheet *sheet, const char *const *heads, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        sheet_column(sheet, heads[i], SHEET_NUMBER, 1);
        /* What is before and after a change is the least of what it tells.  */
        if (strcmp(heads[i], "before") == 0 || strcmp(heads[i], "after") == 0)
            sheet_gives_way(sheet);
    }
    sheet_column(sheet, heads[count - 1], SHEET_TEXT, 0);
}

/* How values are written.  */
struct style {
    bool sampled, of_share;
    bool in_words; /* a blank stands before the unit */
    int decimals;
};

/* Decimals that leave numbers up to MOST four digits or so.  */
static int decimals_below(double most, int decimals)
{
    while (decimals > 0 && most * pow(10, decimals) >= 10000)
        decimals--;
    return decimals;
}

/* As many decimals as one sample makes a difference in, of what is not long already.  */
static struct style style_of(const struct compareview *view,
                             const struct changes *changes)
{
    uint64_t rate = 0;
    double most = 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < view->sides[s]->run_count; i++)
            if (rate < view->sides[s]->runs[i].rate)
                rate = view->sides[s]->runs[i].rate;
    struct style style = {.sampled = changes->sampled, .of_share = changes->of_share};
    if (style.sampled)
        style.decimals = style.of_share ? 1 : rate <= 100 ? 2 : rate <= 1000 ? 3 : 4;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        most = fmax(most, fmax(change->before, change->after));
        if (!style.sampled && (floor(change->before) < change->before ||
                               floor(change->after) < change->after))
            style.decimals = 1;
    }
    style.decimals = decimals_below(most, style.decimals);
    return style;
}

/* A value, with its sign if it is a CHANGE, without its unit.  */
static char *number_text(const struct style *style, double value, bool change)
{
    char *number =
        text_commas(fabs(value) * (style->of_share ? 100 : 1), style->decimals);
    bool zero = number[strspn(number, "0.")] == '\0';
    const char *sign = !change || zero ? "" : value < 0 ? "-" : "+";
    char *text = buf_format("%s%s", sign, number);
    free(number);
    return text;
}

static char *value_text(const struct style *style, double value, bool change)
{
    char *number = number_text(style, value, change);
    const char *unit = style->of_share   ? "%"
                       : !style->sampled ? ""
                       : style->in_words ? " s"
                                         : "s";
    char *text = buf_format("%s%s", number, unit);
    free(number);
    return text;
}

static char *range_text(const struct style *style,
                        const struct statistics_interval *interval)
{
    char *least = number_text(style, interval->least, true);
    char *most = number_text(style, interval->most, true);
    char *text = buf_format("%s to %s", least, most);
    free(least);
    free(most);
    return text;
}

/* By how many percent it grew, or that it is on one side alone.  */
static char *growth_text(const struct change *change)
{
    if (!(change->before > 0))
        return buf_copy(change->exists[0] ? "from 0" : "new");
    if (!(change->after > 0))
        return buf_copy(change->exists[1] ? "to 0" : "gone");
    double percent = 100 * (change->after / change->before - 1);
    return fabs(percent) < 9999.5 ? buf_format("%+.1f%%", percent)
                                  : buf_format("x%.3g", change->after / change->before);
}

static char *chance_text(const struct change *change)
{
    return change->exact ? buf_copy("exact*") : verdict_text(&change->verdict);
}

/* A value before or after; a dash where the program has no such function.  */
static char *side_text(const struct style *style, double value, bool exists)
{
    return exists ? value_text(style, value, false) : buf_copy("-");
}

static bool is_shown(const struct compareview *view, const struct change *change)
{
    return 100 * fmax(change->share[0], change->share[1]) >= view->thresh;
}

/* The columns of how certain a change is are left out where all are exact.  */
static void add_row(struct sheet *sheet, const struct style *style,
                    const struct change *change, bool uncertain)
{
    sheet_put(sheet, side_text(style, change->before, change->exists[0]));
    sheet_put(sheet, side_text(style, change->after, change->exists[1]));
    sheet_put(sheet, value_text(style, change->after - change->before, true));
    if (uncertain) {
        sheet_put(sheet, range_text(style, &change->verdict.interval));
        sheet_put(sheet, chance_text(change));
    } else {
        sheet_put(sheet, growth_text(change));
    }
}

/* PATH, whose end stays, where a line of the terminal has USED columns besides.  Frees
   it.  */
static char *shortened(FILE *out, char *path, size_t used)
{
    size_t line = terminal_columns(out);
    char *shorter = line > used + 3 ? text_end(path, line - used, "/") : NULL;
    if (!shorter)
        return path;
    free(path);
    return shorter;
}

/* `2 runs', with the number of the data files if runs are folders of them; to be freed.
 */
static char *runs_text(const struct side *side)
{
    uint64_t count = 0;
    for (size_t i = 0; i < side->run_count; i++)
        count += side->runs[i].files;
    char *runs = text_number(side->run_count, "run");
    if (count <= side->run_count)
        return runs;
    char *files = text_number(count, "data file");
    char *text = buf_format("%s of %s", runs, files);
    free(runs);
    free(files);
    return text;
}

/* Of `before' and `after' in front.  */
#define SIDE_WIDTH 7

static void print_side(FILE *out, const struct compareview *view, size_t side,
                       const struct changes *changes)
{
    static const char *const words[] = {"before", "after"};
    const struct side *of = view->sides[side];
    double value = side ? changes->all.after : changes->all.before;
    char *runs = runs_text(of);
    char *amount = text_commas(value, changes->sampled ? 2 : 0);
    const char *unit = !changes->sampled ? compareview_unit(of, changes->measure)
                       : of->runs[0].clock == PROFILE_WALL ? "s on the clock"
                                                           : "s of CPU time";
    char *rest =
        buf_format(", %s, %s %s%s", runs, amount, unit, of->run_count > 1 ? " each" : "");
    char *program = shortened(out, text_clean(view->programs[side]),
                              SIDE_WIDTH + 1 + text_width(rest));
    fprintf(out, "%-*s %s%s\n", SIDE_WIDTH, words[side], program, rest);
    free(program);
    free(rest);
    free(runs);
    free(amount);
}

static void print_heading(FILE *out, const struct compareview *view,
                          const struct changes *changes)
{
    const struct change *all = &changes->all;
    const struct style style = {.sampled = changes->sampled,
                                .in_words = true,
                                .decimals = changes->sampled ? 2 : 0};
    print_side(out, view, 0, changes);
    print_side(out, view, 1, changes);
    char *difference = value_text(&style, all->after - all->before, true);
    char *growth = growth_text(all);
    fprintf(out, "change  %s (%s)", difference, growth);
    if (!all->exact) {
        char *least = value_text(&style, all->verdict.interval.least, true);
        char *most = value_text(&style, all->verdict.interval.most, true);
        fprintf(out, ", %s to %s, %s", least, most,
                all->verdict.certain ? "certain" : "not certain");
        free(least);
        free(most);
    }
    fputs("\n\n", out);
    free(difference);
    free(growth);
}

static bool any_uncertain(const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->changes[i].exact)
            return true;
    return changes->sampled;
}

static void print_table(FILE *out, const struct compareview *view,
                        const struct changes *changes)
{
    static const char *const uncertain_heads[] = {"before",    "after",   "change",
                                                  "95% range", "chance ", "function"};
    static const char *const exact_heads[] = {"before", "after", "change", "in %",
                                              "function"};
    const struct style style = style_of(view, changes);
    bool uncertain = any_uncertain(changes);
    struct sheet sheet = {0};
    add_columns(&sheet, uncertain ? uncertain_heads : exact_heads, uncertain ? 6 : 5);
    bool *alike = compareview_alike(view->match, view->sides);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        if (!is_shown(view, change) || (change->exact && !change->verdict.certain))
            continue;
        add_row(&sheet, &style, change, uncertain);
        compareview_put_name(&sheet, view->match, view->sides, change->row,
                             view->show_line || alike[change->row]);
    }
    sheet_cut(&sheet, view->top);
    if (sheet.count)
        sheet_print(out, &sheet, false);
    free(alike);
}

/* What the marks mean.  */
static void print_ending(FILE *out, const struct compareview *view,
                         const struct changes *changes)
{
    if (changes->equal) {
        char *number = text_number(changes->equal, "function");
        fprintf(out, "%s%s as before\n", changes->equal < changes->count ? "\n" : "",
                number);
        free(number);
    }
    if (!any_uncertain(changes))
        return;
    char *number = text_number(changes->tested, "function");
    fprintf(out,
            "\n* certain: %zu of %s; in 95 of 100 comparisons all such are right\n"
            "95%% range: of the change, in 95 of 100 cases\n",
            changes->certain, number);
    free(number);
    if (view->sides[0]->run_count + view->sides[1]->run_count < 3)
        fputs("one run a side: how much runs differ by themselves is not known\n", out);
}

void compareview_print(FILE *out, const struct compareview *view,
                       const struct changes *changes)
{
    print_heading(out, view, changes);
    print_table(out, view, changes);
    print_ending(out, view, changes);
}

/* A row and what the formula says of it.  */
struct valued {
    const struct change *change;
    double value;
};

/* Those without a value last.  */
static int by_value(const void *one, const void *other)
{
    const struct valued *a = one, *b = other;
    bool no_a = isnan(a->value), no_b = isnan(b->value);
    if (no_a != no_b)
        return no_a ? 1 : -1;
    if (!no_a && (a->value < b->value || b->value < a->value))
        return a->value > b->value ? -1 : 1;
    return (a->change->row > b->change->row) - (a->change->row < b->change->row);
}

static char *formula_text(double value)
{
    if (isnan(value))
        return buf_copy("-");
    if (isinf(value))
        return buf_copy(value > 0 ? "infinite" : "-infinite");
    double size = fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4))
        return buf_format("%.4g", value);
    bool whole = !(floor(size) < size) || size >= 1e6;
    char *number = text_commas(size, whole ? 0 : size < 10 ? 4 : size < 1000 ? 2 : 1);
    char *text = buf_format("%s%s", value < 0 ? "-" : "", number);
    free(number);
    return text;
}

void compareview_print_formula(FILE *out, const struct compareview *view,
                               const struct changes *changes,
                               const struct formula *formula)
{
    static const char *const heads[] = {"value", "a", "b", "function"};
    struct sheet sheet = {0};
    add_columns(&sheet, heads, 4);
    const struct style style = style_of(view, changes);
    struct valued *valued = buf_alloc((changes->count + 1) * sizeof *valued);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        valued[i] = (struct valued){
            .change = change,
            .value = formula_value(formula,
                                   &(struct formula_values){.a = change->before,
                                                            .b = change->after,
                                                            .size_a = view->sizes[0],
                                                            .size_b = view->sizes[1]})};
    }
    if (changes->count)
        qsort(valued, changes->count, sizeof *valued, by_value);
    bool *alike = compareview_alike(view->match, view->sides);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = valued[i].change;
        if (!is_shown(view, change))
            continue;
        sheet_put(&sheet, formula_text(valued[i].value));
        sheet_put(&sheet, side_text(&style, change->before, change->exists[0]));
        sheet_put(&sheet, side_text(&style, change->after, change->exists[1]));
        compareview_put_name(&sheet, view->match, view->sides, change->row,
                             view->show_line || alike[change->row]);
    }
    print_heading(out, view, changes);
    sheet_cut(&sheet, view->top);
    if (sheet.count)
        sheet_print(out, &sheet, false);
    free(alike);
    free(valued);
}
