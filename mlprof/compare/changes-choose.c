/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/compare/changes-table.h"

#include <math.h>
#include <stdlib.h>

/* A row and the value of the formula for it.  */
struct valued {
    const struct change *change;
    double value;
};

/* For qsort: by decreasing value; rows without a value come last.  */
static int by_value(const void *one, const void *other)
{
    const struct valued *a = one, *b = other;
    bool no_a = isnan(a->value), no_b = isnan(b->value);
    if (no_a != no_b)
        return no_a ? 1 : -1;
    if (!no_a && (a->value < b->value || b->value < a->value))
        return a->value > b->value ? -1 : 1;
    return changes_table_by_row(a->change, b->change);
}

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

static bool reaches(const struct changes_table_of *about, const struct change *change)
{
    return 100 * fmax(change->share[0], change->share[1]) >= about->view->thresh;
}

static bool is_shown(const struct changes_table_of *about, const struct change *change)
{
    return reaches(about, change) && (about->formula || !change_is_none(change));
}

/* Whether a row tells nothing, since its values are shown as 0 and its code did not
   change.  What is certain is told, however small.  */
static bool is_nothing(const struct changes_table_of *about, const struct change *change)
{
    static const struct codechange_row none;
    const struct codechange *codes = about->view->code;
    const struct codechange_row *code = codes ? &codes->rows[change->row] : &none;
    return !about->formula && !change->verdict.certain &&
           change_text_is_zero(&about->style, fmax(change->before, change->after)) &&
           !(fmax(change->beside[0], change->beside[1]) > 0) && !code->inlined &&
           !code->called && code->cold != CODECHANGE_NEW && code->cold != CODECHANGE_GONE;
}

size_t changes_table_choose(struct table *table)
{
    struct changes_table_of *about = table->own;
    size_t kept = 0, nothing = 0;
    about->alike = match_names_alike(about->view->match, about->view->sides);
    if (about->formula)
        sort_by_value(table);
    for (size_t i = 0; i < table->count; i++) {
        if (!is_shown(about, table->rows[i]))
            continue;
        if (!about->view->never && is_nothing(about, table->rows[i]))
            nothing++;
        else
            table->rows[kept++] = table->rows[i];
    }
    table->count = kept;
    table_cut(table, about->view->top);
    return nothing;
}

/* For qsort of a table's rows: along the path.  */
static int along_path(const void *one, const void *other)
{
    return changes_table_by_row(*(const void *const *)one, *(const void *const *)other);
}

/* Whether a row is the function OF, or its caller or callee, or on the path.  */
static bool is_of(const struct changes_table_of *about, const struct change *change,
                  uint32_t of)
{
    const struct calls_row *call = changes_table_call(about, change);
    const struct calls *calls = about->view->calls;
    return call->view == about->calls &&
           (call->of == of || (of != BREAKDOWN_NONE && call == &calls->rows[of]));
}

void changes_table_choose_calls(struct table *table, enum calls_view view, uint32_t of)
{
    static const enum breakdown_what parts[] = {BREAKDOWN_CALLER, BREAKDOWN_ITSELF,
                                                BREAKDOWN_CALLEE, BREAKDOWN_STACK};
    struct changes_table_of *about = table->own;
    struct table all = *table;
    about->alike = match_names_alike(about->view->match, about->view->sides);
    about->calls = view;
    *table = (struct table){
        .view = all.view, .of = all.of, .own = all.own, .release = all.release};
    size_t top =
        view == CALLS_PEEK && about->view->top != TABLE_FITS ? about->view->top : 0;
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        size_t first = table->count;
        for (size_t i = 0; i < all.count && (!top || table->count < first + top); i++) {
            const struct change *change = all.rows[i];
            bool itself = parts[part] == BREAKDOWN_ITSELF;
            if (is_of(about, change, of) &&
                changes_table_call(about, change)->what == parts[part] &&
                (itself ? view == CALLS_PEEK : reaches(about, change)))
                table_add(table, change);
        }
    }
    free(all.rows);
    if (view == CALLS_PATH && table->count)
        BUF_SORT(table->rows, table->count, along_path);
    if (view != CALLS_PEEK)
        table_cut(table, about->view->top);
}

static int by_before(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    if (a->before < b->before || b->before < a->before)
        return a->before > b->before ? -1 : 1;
    return a->after < b->after   ? 1
           : b->after < a->after ? -1
                                 : changes_table_by_row(a, b);
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
    } else if (view->code && changes->count) {
        BUF_SORT(changes->changes, changes->count, by_before);
    }
    table_free(&table);
}
