/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/changes-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change-text.h"
#include "mlprof/compare/match.h"

#include <inttypes.h>
#include <stdlib.h>

/* PATH, which is freed, without folders in its middle if it does not fit into a line of
   the terminal of which USED columns are taken; to be freed.  */
static char *shortened(FILE *out, char *path, size_t used)
{
    size_t line = terminal_columns(out);
    char *shorter = line > used + 3 ? text_path(path, line - used) : NULL;
    if (!shorter)
        return path;
    free(path);
    return shorter;
}

/* `2 runs', with the number of data files if runs have several; to be freed.  */
static char *runs_text(const struct side *side)
{
    uint64_t count = 0;
    for (size_t i = 0; i < side->run_count; i++)
        count += side->runs[i].files;
    char *runs = text_number(side->run_count, "run");
    if (count <= side->run_count)
        return runs;
    BUF_OWN char *files = text_number(count, "data file");
    char *text = buf_format("%s of %s", runs, files);
    free(runs);
    return text;
}

/* Whether the side is one run that was added up from several data files.  */
static bool is_added_up(const struct side *side)
{
    return side->run_count == 1 && side->runs[0].files > 1;
}

/* The columns of `before' and `after'.  */
#define SIDE_WIDTH 7

static void print_side(FILE *out, const struct changes_view *view, size_t side,
                       const struct changes *changes)
{
    static const char *const words[] = {"before", "after"};
    const struct side *of = view->sides[side];
    double value = side ? changes->all.after : changes->all.before;
    BUF_OWN char *runs = runs_text(of);
    BUF_OWN char *amount = text_commas(value, changes->sampled ? 2 : 0);
    char *unit = !changes->sampled
                     ? side_unit(of, changes->measure)
                     : buf_copy(of->runs[0].clock == PROFILE_WALL ? "s on the clock"
                                                                  : "s of CPU time");
    char *of_heap = change_text_of_heap(of, changes->measure);
    BUF_OWN char *rest = buf_format(", %s, %s %s%s%s", runs, amount, unit, of_heap,
                                    of->run_count > 1 ? " each" : "");
    free(of_heap);
    free(unit);
    BUF_OWN char *program = shortened(out, text_clean(view->programs[side]),
                                      SIDE_WIDTH + 1 + text_width(rest));
    fprintf(out, "%-*s %s%s\n", SIDE_WIDTH, words[side], program, rest);
}

/* Prints what the second build takes of the first one's time, and what changed in the
   code as a whole.  */
static void print_code(FILE *out, const struct codechange *code,
                       const struct changes *changes)
{
    const struct statistics_interval *interval = &changes->ratio.interval;
    fprintf(out, "pgo     the second build takes %.2f", changes->ratio.value);
    if (changes->ratio.bounded)
        fprintf(out, " (%.2f-%.2f)", interval->least, interval->most);
    fputs(" of the first's time\n", out);
    char *calls = text_number(code->inlined, "call"),
         *less = text_commas((double)code->called, 0);
    fprintf(out, "inlined %s that %s not before; %s no longer\n", calls,
            code->inlined == 1 ? "was" : "were", less);
    free(calls);
    free(less);
    if (code->symbols) {
        BUF_OWN char *parts = text_number(code->cold[1], "function"),
                     *before = text_commas((double)code->cold[0], 0);
        fprintf(out, "cold    %s with a cold part, %s before\n", parts, before);
    } else {
        fputs("cold    not known: an executable has no symbols\n", out);
    }
    if (code->pages[0] && code->pages[1]) {
        BUF_OWN char *pages = text_number(code->pages[1], "page"),
                     *before = text_commas((double)code->pages[0], 0);
        fprintf(out,
                "pages   %.0f %% of the time is in functions on %s of %d KiB, %s "
                "before\n",
                100 * CODECHANGE_MOST, pages, CODECHANGE_PAGE / 1024, before);
    }
}

static void print_heading(FILE *out, const struct changes_view *view,
                          const struct changes *changes)
{
    const struct change *all = &changes->all;
    const struct change_text_style style = {.sampled = changes->sampled,
                                            .in_words = true,
                                            .decimals = changes->sampled ? 2 : 0};
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
    if (view->code)
        print_code(out, view->code, changes);
    putc('\n', out);
}

/* Prints what stars and chances mean.  */
static void print_chances(FILE *out, const struct changes_view *view,
                          const struct changes *changes)
{
    BUF_OWN char *certainty = change_text_certainty(
        view->calls ? "row" : side_noun(view->sides[0]), changes->certain,
        changes->tested, view->sides[0]->run_count + view->sides[1]->run_count);
    fprintf(out, "\n%s", certainty);
    if (is_added_up(view->sides[0]) && is_added_up(view->sides[1]))
        fputs("if each data file is a run of its own, name the files, not the folder\n",
              out);
}

/* Prints what the marks mean.  */
static void print_certainty(FILE *out, const struct changes_view *view,
                            const struct changes *changes)
{
    if (!changes_table_is_uncertain(changes) || !view->balance)
        return;
    if (!view->calls || changes->tested)
        print_chances(out, view, changes);
    bool guessed = false;
    for (size_t i = 0; i < changes->count; i++)
        guessed |= changes->changes[i].guessed[0] || changes->changes[i].guessed[1];
    if (guessed)
        fputs("~ is a guess: a call by a pointer, shared out among all functions that "
              "one can\nlead to; the range is that of all that there may be\n",
              out);
}

/* Prints how many functions are not in the table, of which NOTHING are shown as 0 and the
   others have not changed, and what the marks mean.  */
static void print_ending(FILE *out, const struct changes_view *view,
                         const struct changes *changes, size_t nothing)
{
    if (nothing) {
        const struct change_text_style style = change_text_style(view->sides, changes);
        BUF_OWN char *number = text_number(nothing, side_noun(view->sides[0]));
        BUF_OWN char *zero = change_text_value(&style, 0);
        fprintf(out, "%s with %s before and after: -never true lists them\n", number,
                zero);
    }
    if (changes->equal) {
        BUF_OWN char *number = text_number(changes->equal, side_noun(view->sides[0]));
        fprintf(out, "%s as before\n", number);
    }
    print_certainty(out, view, changes);
}

/* Prints what CALL's function, which a table of VIEW is about, has by all its callers; or
   whose path a table is.  */
static void print_title(FILE *out, const struct changes_view *view,
                        const struct changes *changes, const struct change *of)
{
    static const char *const words[] = {
        [CALLS_CALLERS] = "callers", [CALLS_CALLEES] = "callees", [CALLS_PEEK] = "calls"};
    if (!of) {
        fprintf(out, "hot path %s\n", view->calls->more ? "after" : "before");
        return;
    }
    const struct calls_row *call = &view->calls->rows[of->row];
    const struct change_text_style style = change_text_style(view->sides, changes);
    BUF_OWN char *before = change_text_value(&style, of->before),
                 *after = change_text_value(&style, of->after);
    const struct side_function *function =
        match_function(view->match, view->sides, call->function);
    BUF_OWN bool *alike = match_names_alike(view->match, view->sides);
    bool placed = function->file && (view->show_line || alike[call->function]);
    BUF_OWN char *file = placed ? text_clean(function->file) : NULL;
    BUF_OWN char *what =
        buf_format("%s before, %s after: %s of", of->exists[0] ? before : "-",
                   of->exists[1] ? after : "-", words[call->view]);
    sheet_line(out, what, text_clean(function->shown),
               placed ? buf_format("%s: %" PRIu32, file, function->line) : NULL);
}

static void print_calls_table(FILE *out, const struct changes_view *view,
                              const struct changes *changes, enum calls_view of,
                              const struct change *itself)
{
    struct table table = changes_table_make(view, changes, NULL);
    changes_table_choose_calls(&table, of,
                               itself ? (uint32_t)itself->row : BREAKDOWN_NONE);
    print_title(out, view, changes, itself);
    table_print(out, &table, false);
    table_free(&table);
}

/* Prints a table for each function that is asked for, in the order of their changes, and
   the path.  */
static void print_calls(FILE *out, const struct changes_view *view,
                        const struct changes *changes)
{
    bool path = false, any = false;
    for (enum calls_view of = 0; of < CALLS_PATH; of++)
        for (size_t i = 0; i < changes->count; i++) {
            const struct change *change = &changes->changes[i];
            const struct calls_row *row = &view->calls->rows[change->row];
            path |= row->view == CALLS_PATH;
            if (row->view != of || row->what != BREAKDOWN_ITSELF)
                continue;
            fputs(any ? "\n" : "", out);
            print_calls_table(out, view, changes, of, change);
            any = true;
        }
    fputs(path && any ? "\n" : "", out);
    if (path)
        print_calls_table(out, view, changes, CALLS_PATH, NULL);
}

void changes_table_print(FILE *out, const struct changes_view *view,
                         const struct changes *changes, const struct formula *formula)
{
    print_heading(out, view, changes);
    if (view->calls) {
        print_calls(out, view, changes);
        print_certainty(out, view, changes);
        return;
    }
    struct table table = changes_table_make(view, changes, formula);
    size_t nothing = changes_table_choose(&table);
    if (table.count)
        table_print(out, &table, false);
    if (!formula && view->balance) {
        if (table.count && (nothing || changes->equal))
            putc('\n', out);
        print_ending(out, view, changes, nothing);
    }
    table_free(&table);
}
