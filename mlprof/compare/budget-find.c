/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the counts that the lines of a budget are about (budget.h). */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"
#include "mlprof/names/names.h"

#include <stdlib.h>
#include <string.h>

/* The lines that name functions: a list for each place. */
struct named {
    struct intern texts; /* the first one is "" */
    size_t text_count;   /* number of texts that lines have */
    struct index places; /* keys: name, file, and object with number; "" and 0: any */
    size_t *first;       /* by place: index of a line plus 1 */
    size_t *next;        /* by line: likewise; 0: none */
    struct tally passed; /* functions with a name, an end of the path, and an object */
};

static void add_line(struct named *named, const struct budget_place *place, size_t line)
{
    bool fresh;
    uint32_t name = intern_put(&named->texts, place->name),
             file = intern_put(&named->texts, place->file ? place->file : ""),
             object = intern_put(&named->texts, place->object ? place->object : ""),
             number = index_put(&named->places, name, file,
                                (uint64_t)object << 32 | place->nth, &fresh);
    named->next[line] = fresh ? 0 : named->first[number];
    named->first[number] = line + 1;
    named->text_count = named->texts.count;
}

/* The search in the counts with NUMBER, from 1. */
struct search {
    struct budget_found *found;
    const struct budget *budget;
    const struct budget_counts *counts;
    size_t number;
    struct named named;
    size_t *patterns; /* indexes of the lines with patterns */
    size_t pattern_count;
    /* By pattern: the first one with the same expression. Patterns of several measures
       are often the same, and are matched once for each function. */
    size_t *same;
    enum { UNTRIED, MATCHES, DIFFERS } * tried; /* by pattern, for one function */
    unsigned *columns; /* by line: index of the column of its measure */
};

static uint64_t value_of(const struct search *search, uint32_t function, size_t line)
{
    const struct runset_run *run = &search->counts->side.runs.list[0];
    return function < run->count ? run->columns[search->columns[line]].values[function]
                                 : 0;
}

static void add_function(struct search *search, size_t line, uint32_t function)
{
    struct budget_sum *sum = &search->found->sums[line];
    uint64_t value = value_of(search, function, line);
    sum->now += value;
    if (sum->functions++ == 0 || value > sum->most) {
        sum->function = function;
        sum->most = value;
    }
}

/* Adds a function to the lines with a place. Returns the columns that have such a line,
   as bits. */
static uint64_t add_to_place(struct search *search, uint32_t function, uint32_t name,
                             uint32_t file, uint64_t last)
{
    uint64_t columns = 0;
    uint32_t place;
    if (!index_get(&search->named.places, name, file, last, &place))
        return 0;
    for (size_t i = search->named.first[place]; i; i = search->named.next[i - 1]) {
        columns |= UINT64_C(1) << search->columns[i - 1];
        add_function(search, i - 1, function);
    }
    return columns;
}

/* Adds a function to the lines with its name and the file FILE. */
static uint64_t add_to_file(struct search *search, uint32_t function, uint32_t name,
                            const char *file)
{
    struct named *named = &search->named;
    const char *module = search->counts->side.functions.list[function].module;
    uint32_t end = intern_put(&named->texts, file),
             objects[] = {0, module ? intern_put(&named->texts, module) : 0};
    uint64_t columns = 0;
    if (end >= named->text_count)
        return 0;
    for (size_t i = 0; i < 2 && (i == 0 || objects[i]); i++) {
        uint64_t object = (uint64_t)objects[i] << 32;
        uint32_t nth = tally_add(&named->passed, name, end, objects[i]) + 1;
        columns |= add_to_place(search, function, name, end, object);
        columns |= add_to_place(search, function, name, end, object | nth);
    }
    return columns;
}

/* Adds a function to the lines that name it. Returns the columns that have such a line,
   as bits. */
static uint64_t add_to_names(struct search *search, uint32_t number)
{
    uint64_t columns = 0;
    const struct runset_function *function = &search->counts->side.functions.list[number];
    const char *path = budget_path(function);
    uint32_t names[BUDGET_NAMES];
    for (size_t n = 0; n < BUDGET_NAMES; n++) {
        const char *text = search->counts->names[number][n];
        bool known = false;
        names[n] = text ? intern_put(&search->named.texts, text) : 0;
        for (size_t i = 0; i < n; i++)
            known |= names[i] == names[n];
        if (known || names[n] == 0 || names[n] >= search->named.text_count)
            continue;
        for (const char *end = path + strlen(path); end;
             end = budget_longer_end(path, end))
            columns |= add_to_file(search, number, names[n], end);
        if (function->file && !text_ends(path, function->file))
            columns |= add_to_file(search, number, names[n], function->file);
    }
    return columns;
}

static bool matches(const struct search *search, size_t pattern,
                    const struct runset_function *function)
{
    size_t first = search->same[pattern];
    static const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    const struct identity_source source = {.name = function->shown,
                                           .symbol = function->key,
                                           .file = function->path,
                                           .line = function->line,
                                           .column = function->column};
    const struct budget_line *line = &search->budget->lines[search->patterns[first]];
    if (search->tried[first] == UNTRIED)
        search->tried[first] =
            names_match(line->pattern, &source, function->shown, &style) ? MATCHES
                                                                         : DIFFERS;
    return search->tried[first] == MATCHES;
}

/* Adds a function to the lines with patterns. COLUMNS, as bits, have a line of their
   own; of the other columns, only the first line for each function counts. */
static void add_to_patterns(struct search *search, uint32_t number, uint64_t columns)
{
    const struct runset_function *function = &search->counts->side.functions.list[number];
    struct budget_found *found = search->found;
    for (size_t p = 0; p < search->pattern_count; p++)
        search->tried[p] = UNTRIED;
    for (size_t p = 0; p < search->pattern_count; p++) {
        size_t i = search->patterns[p];
        const struct budget_line *line = &search->budget->lines[i];
        const uint64_t column = UINT64_C(1) << search->columns[i];
        uint64_t value = value_of(search, number, i);
        bool each = line->subject == BUDGET_EACH;
        if (each && found->sums[i].functions && (!value || columns & column))
            continue;
        if (!matches(search, p, function))
            continue;
        add_function(search, i, number);
        if (!each || !value || columns & column)
            continue;
        columns |= column;
        BUF_PUSH(found->each) = (struct budget_each){i, number, function->shown, value};
    }
}

BUF_COMPARE(by_line_and_name, struct budget_each,
            BUF_ORDER(a->line, b->line) ?: strcmp(a->name, b->name)
                                       ?: BUF_ORDER(a->function, b->function))

static unsigned column_of(const struct runset_run *run, struct runset_measure measure)
{
    unsigned column = 0;
    while (!runset_is_same(run->columns[column].measure, measure))
        column++;
    return column;
}

/* Finds the lines about the counts, and the totals. */
static void begin_search(struct search *search)
{
    const struct budget *budget = search->budget;
    const struct runset_run *run = &search->counts->side.runs.list[0];
    size_t size = budget->count + 1;
    search->patterns = buf_alloc(size * sizeof *search->patterns);
    search->columns = buf_alloc(size * sizeof *search->columns);
    search->named.first = buf_alloc(size * sizeof *search->named.first);
    search->named.next = buf_alloc(size * sizeof *search->named.next);
    intern_put(&search->named.texts, "");
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        struct budget_sum *sum = &search->found->sums[i];
        if (line->counts != search->number || line->owned)
            continue;
        search->columns[i] = column_of(run, line->measure);
        sum->total = run->columns[search->columns[i]].total;
        if (line->subject == BUDGET_TOTAL)
            sum->now = sum->total;
        else if (line->subject == BUDGET_NAME)
            add_line(&search->named, &line->place, i);
        else
            search->patterns[search->pattern_count++] = i;
    }
}

/* Finds the patterns with the same expression. */
static void find_same(struct search *search)
{
    struct intern expressions = {0};
    size_t count = search->pattern_count + 1;
    BUF_OWN size_t *first = buf_alloc(count * sizeof *first);
    search->same = buf_alloc(count * sizeof *search->same);
    search->tried = buf_alloc(count * sizeof *search->tried);
    for (size_t p = 0; p < search->pattern_count; p++) {
        const struct budget_line *line = &search->budget->lines[search->patterns[p]];
        size_t before = expressions.count;
        uint32_t number = intern_put(&expressions, line->expression);
        if (number == before)
            first[number] = p;
        search->same[p] = first[number];
    }
    intern_free(&expressions);
}

static void end_search(struct search *search)
{
    intern_free(&search->named.texts);
    index_free(&search->named.places);
    tally_free(&search->named.passed);
    free(search->named.first);
    free(search->named.next);
    free(search->patterns);
    free(search->same);
    free(search->tried);
    free(search->columns);
}

void budget_find(struct budget_found *found, const struct budget *budget,
                 struct budget_counts *counts, size_t count)
{
    found->sums = buf_alloc((budget->count + 1) * sizeof *found->sums);
    for (size_t c = 0; c < count; c++) {
        struct search search = {
            .found = found, .budget = budget, .counts = &counts[c], .number = c + 1};
        budget_find_names(&counts[c]);
        begin_search(&search);
        find_same(&search);
        for (size_t i = 0; i < counts[c].side.functions.count; i++) {
            uint32_t function = counts[c].order[i];
            add_to_patterns(&search, function, add_to_names(&search, function));
        }
        end_search(&search);
    }
    BUF_SORT(found->each.list, found->each.count, by_line_and_name);
}

void budget_found_free(struct budget_found *found)
{
    free(found->sums);
    free(found->each.list);
    memset(found, 0, sizeof *found);
}
