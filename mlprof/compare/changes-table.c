/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a comparison: before, after, change, chance.
   changes_table_make selects the columns that a comparison has. */

#include "mlprof/compare/changes-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/match.h"

#include <stdlib.h>

static const struct runset_function *
function_of(const struct changes_table_context *about, const struct change *change)
{
    return match_function(about->view->match, about->view->sides, change->row);
}

double changes_table_value(const struct changes_table_context *about,
                           const struct change *change)
{
    const double *sizes = about->view->sizes;
    struct formula_values values = {
        .a = change->before, .b = change->after, .size_a = sizes[0], .size_b = sizes[1]};
    return formula_value(about->formula, &values);
}

static char *chance_text(const struct change *change)
{
    return change->exact ? buf_copy("exact*") : verdict_text(&change->verdict);
}

/* Returns the text of a value before or after, or `-' if the program does not have the
   function. */
static char *side_text(const struct changes_table_context *about, double value,
                       bool exists)
{
    return exists ? change_text_value(&about->style, value) : buf_copy("-");
}

/* Whether a column is on the terminal. With a formula other columns are shown. If all
   changes are exact, columns about certainty are omitted. */
TABLE_PRESENT(has_formula, const struct changes_table_context *context, context->formula)
TABLE_PRESENT(has_no_formula, const struct changes_table_context *context,
              !context->formula)
TABLE_PRESENT(is_uncertain, const struct changes_table_context *context,
              !context->formula && context->uncertain)
/* Changes of shares are percentages already. */
TABLE_PRESENT(has_growth, const struct changes_table_context *context,
              !context->formula && !context->style.of_share)

/* Declares the variables that the expressions below use. */
#define OF_CHANGE                                                                        \
    const struct changes_table_context *about = of;                                      \
    const struct change *change = at;                                                    \
    const struct verdict *verdict = &change->verdict;                                    \
    (void)about, (void)verdict

#define VALUE(name, expression) TABLE_VALUE(name, OF_CHANGE, expression)

#define CELL(name, expression) TABLE_CELL(name, OF_CHANGE, expression)

VALUE(name, table_text(function_of(about, change)->shown))
VALUE(symbol, runset_is_of_functions(about->view->sides[0])
                  ? table_text(function_of(about, change)->key)
                  : table_null())
VALUE(file, table_text(function_of(about, change)->file))
VALUE(line, table_integer_if(function_of(about, change)->line,
                             function_of(about, change)->line))
VALUE(place, table_text_freed(function_of(about, change)->place
                                  ? text_plain(function_of(about, change)->place)
                                  : NULL))
VALUE(text,
      table_text_freed(match_names_text(about->view->files, function_of(about, change))))
VALUE(before, table_number_if(change->exists[0], change->before))
CELL(before, side_text(about, change->before, change->exists[0]))
VALUE(after, table_number_if(change->exists[1], change->after))
CELL(after, side_text(about, change->after, change->exists[1]))
VALUE(change, table_number(change_difference(change)))
CELL(change, change_text_difference(&about->style, change_difference(change)))
CELL(growth, change_text_growth(change))
VALUE(least, table_number_if(true, change_least(change)))
CELL(range, change_text_range(&about->style, &verdict->interval))
VALUE(most, table_number_if(true, change_most(change)))
VALUE(exact, table_bool(change->exact))
VALUE(chance, table_number_if(!change->exact && verdict->tested, verdict->chance))
CELL(chance, chance_text(change))
VALUE(certain, table_bool(verdict->certain))
VALUE(value, about->formula ? table_number_if(true, changes_table_value(about, change))
                            : table_null())
CELL(value, change_text_formula(changes_table_value(about, change)))

int changes_table_by_row(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    return BUF_ORDER(a->row, b->row);
}

BUF_COMPARE(by_change, struct change,
            BUF_ORDER(change_difference(b), change_difference(a))
                ?: changes_table_by_row(a, b))

/* On a narrow terminal `before' and `after' are dropped first, because the change is
   more useful. The columns a and b of a formula are never dropped. */
static const struct table_column columns[] = {
    {"function", "the name, as the table has it", name, .sort = VIEW_NAME,
     .order = changes_table_by_row},
    TABLE_DATA("symbol", "for the assembler", symbol),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "where the function starts", line),
    {"value", "of -formula", value, "value", has_formula, .cell = value_cell},
    TABLE_DATA("place", "of a line or expression, with -by", place),
    TABLE_DATA("text", "of that line in the source, if it may be shown", text),
    {"before", "of the mean run; null: the program has no such function", before,
     "before", has_no_formula, before_cell, .drop_rank = 1},
    TABLE_SHOWN("a", NULL, "before, with -formula", has_formula, before_cell),
    {"after", "the same behind -compare", after, "after", has_no_formula, after_cell,
     .drop_rank = 1},
    TABLE_SHOWN("b", NULL, "after, with -formula", has_formula, after_cell),
    {"change", "after less before", change, "change", has_no_formula, change_cell,
     .sort = VIEW_CHANGE, .order = by_change},
    {.means = "the change in percent of before",
     .head = "in %",
     .present = has_growth,
     .cell = growth_cell,
     .drop_rank = 2},
    {"change_least",
     "where the change of all such runs lies, 19 times of 20, of this row alone", least,
     "row's 95%", is_uncertain, .cell = range_cell},
    TABLE_DATA("change_most", "see change_least", most),
    TABLE_DATA("exact", "there is nothing uncertain", exact),
    {"chance",
     "the probability that chance alone makes such a change, of this row alone; null: "
     "exact, or not tested",
     chance, "by chance ", is_uncertain, .cell = chance_cell},
    TABLE_DATA("certain",
               "of all rows together: of 100 comparisons 95 have only true ones",
               certain),
    {0}};

static const char *noun(const void *of, unsigned which)
{
    (void)which;
    return runset_noun(((const struct changes_table_context *)of)->view->sides[0]);
}

static void put_name(const void *of, struct sheet *sheet, const void *at)
{
    const struct changes_table_context *about = of;
    const struct changes_view *view = about->view;
    size_t row = ((const struct change *)at)->row;
    match_names_put(sheet, view->match, view->sides, row,
                    view->show_line || (about->alike && about->alike[row]), view->files);
}

const struct table_view changes_table = {
    .name = "changes", .columns = columns, .names = {.head_of = noun, .put = put_name}};

static void release(void *own)
{
    free(((struct changes_table_context *)own)->alike);
    free(own);
}

bool changes_table_is_uncertain(const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->changes[i].exact)
            return true;
    return changes->sampled;
}

struct table changes_table_make(const struct changes_view *view,
                                const struct changes *changes,
                                const struct formula *formula)
{
    struct changes_table_context *of = buf_alloc(sizeof *of);
    *of =
        (struct changes_table_context){.view = view,
                                       .formula = formula,
                                       .style = change_text_style(view->sides, changes),
                                       .uncertain = changes_table_is_uncertain(changes)};
    struct table table = {
        .view = &changes_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < changes->count; i++)
        table_add(&table, &changes->changes[i]);
    return table;
}
