/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a comparison: before, after, change, chance, code, calls.
   changes_table_make selects the columns that a comparison has. */

#include "mlprof/compare/changes-table.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change.h"
#include "mlprof/compare/match.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const struct calls_row *changes_table_call(const struct changes_table_context *about,
                                           const struct change *change)
{
    const struct calls *calls = about->view->calls;
    return calls ? &calls->rows[change->row] : NULL;
}

/* Returns the row of a change's function in the match. */
static size_t row_of(const struct changes_table_context *about,
                     const struct change *change)
{
    const struct calls_row *call = changes_table_call(about, change);
    return call ? call->function : change->row;
}

static const struct runset_function *
function_of(const struct changes_table_context *about, const struct change *change)
{
    return match_function(about->view->match, about->view->sides, row_of(about, change));
}

/* Returns the role of a row of calls for data formats: path, itself, caller or callee;
   NULL if the table is not of calls. */
static const char *relation_of(const struct changes_table_context *about,
                               const struct change *change)
{
    static const char *const words[] = {[BREAKDOWN_STACK] = "path",
                                        [BREAKDOWN_ITSELF] = "itself",
                                        [BREAKDOWN_CALLER] = "caller",
                                        [BREAKDOWN_CALLEE] = "callee"};
    const struct calls_row *call = changes_table_call(about, change);
    return call ? words[call->kind] : NULL;
}

static const char *around_of(const struct changes_table_context *about,
                             const struct change *change)
{
    const struct calls_row *call = changes_table_call(about, change);
    return call && call->subject != BREAKDOWN_NONE
               ? match_function(about->view->match, about->view->sides,
                                about->view->calls->rows[call->subject].function)
                     ->shown
               : NULL;
}

/* Returns the role of a row of calls for the terminal. */
static char *relation_text(const struct changes_table_context *about,
                           const struct change *change)
{
    enum breakdown_kind kind = changes_table_call(about, change)->kind;
    return buf_copy(kind == BREAKDOWN_CALLER   ? "from"
                    : kind == BREAKDOWN_CALLEE ? "to"
                                               : "");
}

static char *share_text(const struct change *change, size_t side)
{
    return buf_format("%.1f%%", 100 * change->share[side]);
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
                       bool exists, bool bounds_only)
{
    BUF_OWN char *text = change_text_value(&about->style, value);
    return buf_format("%s%s", bounds_only ? "~" : "", exists ? text : "-");
}

static const struct codechange_row *code_of(const struct changes_table_context *about,
                                            const struct change *change)
{
    static const struct codechange_row none;
    const struct codechange *code = about->view->code;
    return code ? &code->rows[change->row] : &none;
}

/* Returns a text such as `+2 -1': two more callees are inlined, and one callee is no
   longer inlined. */
static char *inlined_text(const struct codechange_row *row)
{
    if (!row->coded)
        return buf_copy("-");
    BUF_OWN char *more =
        row->inlined ? buf_format("+%" PRIu64, row->inlined) : buf_copy("");
    BUF_OWN char *less = row->no_longer_inlined
                             ? buf_format("-%" PRIu64, row->no_longer_inlined)
                             : buf_copy("");
    return row->inlined || row->no_longer_inlined
               ? buf_format("%s%s%s", more, *more && *less ? " " : "", less)
               : buf_copy("0");
}

/* Returns NULL if it is unknown whether the function has a cold part. */
static const char *cold_word(const struct codechange_row *row)
{
    static const char *const words[] = {[CODECHANGE_WHOLE] = "none",
                                        [CODECHANGE_NEW] = "new",
                                        [CODECHANGE_GONE] = "gone",
                                        [CODECHANGE_BOTH] = "both"};
    return row->coded && row->cold != CODECHANGE_UNKNOWN ? words[row->cold] : NULL;
}

static char *cold_text(const struct codechange_row *row)
{
    const char *word = row->cold == CODECHANGE_WHOLE ? NULL : cold_word(row);
    return buf_copy(word ? word : "-");
}

/* Whether a column is on the terminal. With a formula other columns are shown. If all
   changes are exact, columns about certainty are omitted. */
TABLE_PRESENT(has_formula, const struct changes_table_context *context, context->formula)
TABLE_PRESENT(has_no_formula, const struct changes_table_context *context,
              !context->formula)
TABLE_PRESENT(is_uncertain, const struct changes_table_context *context,
              !context->formula && context->uncertain)
TABLE_PRESENT(has_times, const struct changes_table_context *context,
              !context->formula && !context->view->code)
/* Changes of shares are percentages already. */
TABLE_PRESENT(has_growth, const struct changes_table_context *context,
              !context->formula && !context->view->code && !context->style.of_share)
TABLE_PRESENT(has_chances, const struct changes_table_context *context,
              is_uncertain(context, 0) && !context->view->code)
TABLE_PRESENT(has_code_columns, const struct changes_table_context *context,
              !context->formula && context->view->code)
TABLE_PRESENT(has_code, const struct changes_table_context *context, context->view->code)
TABLE_PRESENT(has_calls, const struct changes_table_context *context,
              context->view->calls)
TABLE_PRESENT(is_peek, const struct changes_table_context *context,
              context->calls == CALLS_PEEK)
/* The shares of the total along a path. */
TABLE_PRESENT(is_path, const struct changes_table_context *context,
              context->calls == CALLS_PATH && !context->style.of_share)

/* Declares the variables that the expressions below use. */
#define OF_CHANGE                                                                        \
    const struct changes_table_context *about = of;                                      \
    const struct change *change = at;                                                    \
    const struct verdict *verdict = &change->verdict;                                    \
    const struct codechange_row *code = code_of(about, change);                          \
    (void)about, (void)verdict, (void)code

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
CELL(before, side_text(about, change->before, change->exists[0], change->bounds_only[0]))
VALUE(after, table_number_if(change->exists[1], change->after))
CELL(after, side_text(about, change->after, change->exists[1], change->bounds_only[1]))
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

VALUE(inlined, table_integer_if(code->coded, code->inlined))
CELL(inlined, inlined_text(code))
VALUE(no_longer_inlined, table_integer_if(code->coded, code->no_longer_inlined))
VALUE(cold, table_text(cold_word(code)))
CELL(cold, cold_text(code))

VALUE(relation, table_text(relation_of(about, change)))
CELL(relation, relation_text(about, change))
VALUE(around, table_text(around_of(about, change)))
VALUE(share_before, table_number(change->share[0]))
CELL(share_before, share_text(change, 0))
VALUE(share_after, table_number(change->share[1]))
CELL(share_after, share_text(change, 1))

int changes_table_by_row(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    return BUF_ORDER(a->row, b->row);
}

BUF_COMPARE(by_change, struct change,
            BUF_ORDER(change_difference(b), change_difference(a))
                ?: changes_table_by_row(a, b))

/* On a narrow terminal `before' and `after' are dropped first, because the change is
   more useful. With changes of the code the table is sorted by `before', so `before'
   stays; the chance is dropped, and `after' is never shown. The columns a and b of a
   formula are never dropped. */
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
     "before", has_times, before_cell, .drop_rank = 1},
    TABLE_SHOWN("before", NULL, "of the mean run, with -pgo", has_code_columns,
                before_cell),
    TABLE_SHOWN("a", NULL, "before, with -formula", has_formula, before_cell),
    {"share_before", "with these: the share of all that was measured before",
     share_before, "share", is_path, share_before_cell, .drop_rank = 1,
     .in_data = has_calls},
    {"after", "the same behind -compare", after, "after", has_times, after_cell,
     .drop_rank = 1},
    TABLE_SHOWN("b", NULL, "after, with -formula", has_formula, after_cell),
    {"share_after", "the same behind -compare", share_after, "share", is_path,
     share_after_cell, .drop_rank = 1, .in_data = has_calls},
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
     chance, "by chance ", has_chances, .cell = chance_cell},
    TABLE_DATA("certain",
               "of all rows together: of 100 comparisons 95 have only true ones",
               certain),
    {.means = "how likely chance alone makes the change, with -pgo",
     .head = "by chance ",
     .present = has_code_columns,
     .cell = chance_cell,
     .drop_rank = 1},
    {"inlined",
     "with -pgo: callees inlined into it now and not before; - those no longer", inlined,
     "inlined", has_code, inlined_cell, .in_data = has_code},
    {"no_longer_inlined", "with -pgo: callees inlined into it before and not now",
     no_longer_inlined, .in_data = has_code},
    {"cold",
     "with -pgo: whether it has a cold part: new, gone, both; none or -: neither build",
     cold, "cold", has_code, cold_cell, .side = SHEET_TEXT, .in_data = has_code},
    {"relation",
     "with -peek, -callers, -callees and -hot-path: caller, itself or callee, or on the "
     "path",
     relation, "", is_peek, relation_cell, .side = SHEET_TEXT, .in_data = has_calls},
    {"of", "with these: whose caller or callee it is", around, .in_data = has_calls},
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
    size_t row = row_of(about, at);
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
                                       .calls = CALLS_VIEWS,
                                       .uncertain = changes_table_is_uncertain(changes)};
    struct table table = {
        .view = &changes_table, .of = of, .own = of, .release = release};
    for (size_t i = 0; i < changes->count; i++)
        table_add(&table, &changes->changes[i]);
    return table;
}
