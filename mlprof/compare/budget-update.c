/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces the measured values in a budget, and adds lines for new functions, each
   under the shortest name that no other function has.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"

#include <stdlib.h>
#include <string.h>

/* Inserts a line of text at index AT.  Takes ownership of TEXT.  */
static void add_text(struct budget *budget, size_t at, enum budget_kind kind, char *text)
{
    budget->lines = buf_grow(budget->lines, &budget->capacity, budget->count + 1,
                             sizeof *budget->lines);
    struct budget_line *line = &budget->lines[at];
    memmove(line + 1, line, (budget->count++ - at) * sizeof *line);
    *line = (struct budget_line){.kind = kind, .text = text};
}

static void update_compiler(struct budget *budget, const char *compiler)
{
    char *text = buf_format("compiler %s", compiler);
    free(budget->compiler);
    budget->compiler = buf_copy(compiler);
    for (size_t i = 0; i < budget->count; i++)
        if (budget->lines[i].kind == BUDGET_COMPILER) {
            free(budget->lines[i].text);
            budget->lines[i].text = text;
            return;
        }
    add_text(budget, 0, BUDGET_COMPILER, text);
}

/* The number of functions with a name, and the last one of them plus 1.  */
struct name_count {
    uint32_t functions, last;
};

/* The names of the functions of a side.  Initialize with zeros.  */
struct name_counts {
    struct intern names;
    struct name_count *counts; /* by number of the name */
    size_t count, capacity;
};

static void count_names(struct name_counts *counts, const struct runset *side)
{
    for (uint32_t f = 0; f < side->function_count; f++) {
        char *names[BUDGET_NAMES];
        budget_names(&side->functions[f], names);
        for (size_t n = 0; n < BUDGET_NAMES; n++) {
            if (!names[n])
                continue;
            uint32_t number = intern_put(&counts->names, names[n]);
            if (number == counts->count)
                BUF_NEXT(counts->counts, counts->count, counts->capacity) =
                    (struct name_count){0};
            struct name_count *count = &counts->counts[number];
            count->functions += count->last != f + 1;
            count->last = f + 1;
        }
        budget_names_free(names);
    }
}

static void free_counts(struct name_counts *counts)
{
    intern_free(&counts->names);
    free(counts->counts);
}

/* Returns whether exactly one function has the name, which was counted.  */
static bool is_unique(struct name_counts *counts, const char *name)
{
    return counts->counts[intern_put(&counts->names, name)].functions == 1;
}

/* Returns whether NAME ends with a position (names.h), which changes when lines
   move.  */
static bool has_position(const char *name)
{
    const char *open = strrchr(name, '(');
    return open && open > name && open[-1] == ' ' && strchr(open, ':') &&
           name[strlen(name) - 1] == ')';
}

/* Sets *NAME to the shortest name that no other function has and a line can contain.
   If there is none, sets *NAME to a name that several functions have, and *FILE to
   their file.  The caller frees both.  Returns whether only this function has the
   name.  */
static bool choose_name(struct name_counts *counts,
                        const struct runset_function *function, char **name, char **file)
{
    char *names[BUDGET_NAMES];
    const char *any = NULL;
    bool unique = false;
    *name = *file = NULL;
    budget_names(function, names);
    for (size_t n = 0; n < BUDGET_NAMES && !unique; n++) {
        if (!names[n] || !budget_can_name(names[n]) || (n == 0 && has_position(names[0])))
            continue;
        unique = is_unique(counts, names[n]);
        any = any && !unique ? any : names[n];
    }
    if (any)
        *name = buf_copy(any);
    if (any && !unique && function->file && budget_can_name(function->file))
        *file = buf_copy(function->file);
    budget_names_free(names);
    return unique;
}

static bool has_limit(const struct budget *budget, struct runset_measure measure,
                      const char *name, const char *file)
{
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        if (line->kind == BUDGET_LIMIT && line->subject == BUDGET_NAME &&
            runset_is_same(line->measure, measure) && strcmp(line->name, name) == 0 &&
            (file && line->file ? strcmp(file, line->file) == 0 : file == line->file))
            return true;
    }
    return false;
}

/* Adds a limit for a function at index AT.  Returns NULL if no line can name the
   function, or if there is a line with the same name.  */
static struct budget_line *add_function(struct budget *budget, size_t at,
                                        struct name_counts *counts, const char *limit,
                                        struct runset_measure measure,
                                        const struct runset_function *function)
{
    char *name, *file;
    bool unique = choose_name(counts, function, &name, &file);
    if (name && (unique || !has_limit(budget, measure, name, file)))
        return budget_add_limit(budget, at, limit, measure, name, file);
    free(name);
    free(file);
    return NULL;
}

/* Returns the index at which to add a line for FUNCTION below the line AT: by name among
   the lines that name functions and follow directly.  */
static size_t place_below(const struct budget *budget, size_t at,
                          const struct runset_function *function)
{
    const struct runset_measure measure = budget->lines[at].measure;
    for (at++; at < budget->count; at++) {
        const struct budget_line *line = &budget->lines[at];
        if (line->kind != BUDGET_LIMIT || line->subject != BUDGET_NAME ||
            !runset_is_same(line->measure, measure) ||
            strcmp(line->name, function->shown) > 0)
            break;
    }
    return at;
}

/* Adds lines for the functions of FOUND that have none.  The last line comes first, so
   that the indexes of earlier lines stay the same.  Returns the number of lines.  */
static size_t add_each(struct budget *budget, const struct budget_found *found,
                       const struct budget_counts *counts, size_t count)
{
    size_t added = 0;
    struct name_counts *names = buf_alloc((count + 1) * sizeof *names);
    for (size_t i = found->each_count; i-- > 0;) {
        const struct budget_each *each = &found->each[i];
        const struct budget_line *of = &budget->lines[each->line];
        size_t c = 0;
        if (of->form == BUDGET_MOST)
            continue;
        while (counts[c].measure != of->measure.of)
            c++;
        if (!names[c].count)
            count_names(&names[c], &counts[c].side);
        BUF_OWN char *limit = buf_copy(of->limit);
        struct budget_line *line =
            add_function(budget, place_below(budget, each->line, each->function),
                         &names[c], limit, of->measure, each->function);
        if (!line)
            continue;
        line->measured = true;
        line->value = each->now;
        added++;
    }
    for (size_t c = 0; c < count; c++)
        free_counts(&names[c]);
    free(names);
    return added;
}

struct budget_changes budget_update(struct budget *budget,
                                    const struct budget_found *found,
                                    const struct budget_counts *counts, size_t count,
                                    const char *compiler)
{
    struct budget_changes changes = {0};
    for (size_t i = 0; i < budget->count; i++) {
        struct budget_line *line = &budget->lines[i];
        const struct budget_sum *sum = &found->sums[i];
        if (!line->selected)
            continue;
        bool exists = line->subject == BUDGET_TOTAL || sum->functions;
        bool measured = exists && line->subject != BUDGET_EACH;
        changes.missing += !exists;
        changes.values +=
            line->measured != measured || (measured && line->value != sum->now);
        line->measured = measured;
        line->value = sum->now;
    }
    changes.added = add_each(budget, found, counts, count);
    if (compiler)
        update_compiler(budget, compiler);
    return changes;
}

/* A function and its count.  */
struct counted {
    uint32_t number;
    uint64_t value;
};

BUF_COMPARE(by_value, struct counted,
            BUF_ORDER(b->value, a->value) ?: BUF_ORDER(a->number, b->number))

void budget_create(struct budget *budget, const struct runset *side,
                   struct runset_measure measure, size_t most, double percent)
{
    struct name_counts names = {0};
    BUF_OWN char *limit = buf_format("+%g%%", percent);
    BUF_OWN struct counted *order = buf_alloc((side->function_count + 1) * sizeof *order);
    size_t added = 0;
    for (uint32_t i = 0; i < side->function_count; i++)
        order[i] = (struct counted){i, runset_value(&side->runs[0], i, measure)};
    BUF_SORT(order, side->function_count, by_value);
    count_names(&names, side);
    static const char *const head[] = {
        "",
        "# mlprof -gate checks these limits, mlprof -gate-update replaces the measured",
        "# values. The manual page mlprof-compare(7) describes them.", "",
        "# limit           measured  measure       function"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        add_text(budget, budget->count, BUDGET_TEXT, buf_copy(head[i]));
    budget_add_limit(budget, budget->count, limit, measure, buf_copy("total"), NULL);
    for (size_t i = 0; i < side->function_count && order[i].value; i++) {
        if (most && added == most)
            break;
        added += add_function(budget, budget->count, &names, limit, measure,
                              &side->functions[order[i].number]) != NULL;
    }
    free_counts(&names);
}
