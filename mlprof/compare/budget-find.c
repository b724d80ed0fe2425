/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions that each line of a budget is about, and adds up their counts. In
   lines with a limit for each function, the name of a function takes precedence over a
   pattern.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/index.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/budget.h"
#include "mlprof/names/names.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>
#include <string.h>

void budget_names(const struct runset_function *function, char *names[BUDGET_NAMES])
{
    char *full = demangle(function->key);
    char *plain = full ? signature_name(full) : NULL;
    names[0] = buf_copy(function->shown);
    names[1] = plain ? readable(plain, READABLE_MOST) : NULL;
    names[2] = plain;
    names[3] = full;
    names[4] = buf_copy(function->key);
    for (size_t i = 0; i < BUDGET_NAMES; i++)
        if (names[i]) {
            char *clean = text_clean(names[i]);
            free(names[i]);
            names[i] = clean;
        }
}

void budget_names_free(char *names[BUDGET_NAMES])
{
    for (size_t i = 0; i < BUDGET_NAMES; i++)
        free(names[i]);
}

bool budget_can_name(const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = utf8_length(at);
        if (length == 0 || *at == '\t' || (*at == ' ' && (at[1] == ' ' || at[1] == '#')))
            return false;
        at += length;
    }
    return *text && *text != '/' && *text != '#' && *text != ' ' &&
           !text_begins(text, "each /") && strcmp(text, "total") != 0 &&
           text[strlen(text) - 1] != ' ';
}

/* The lines that name functions: a list for each name.  */
struct named {
    struct intern names;
    size_t *first;     /* by number of a name: index of a line plus 1; 0: none */
    size_t first_size; /* number of elements in FIRST */
    size_t *next;      /* by line, likewise */
};

static void list_names(struct named *named, const struct budget *budget,
                       const struct measure *measure)
{
    named->first = buf_alloc((budget->count + 1) * sizeof *named->first);
    named->next = buf_alloc((budget->count + 1) * sizeof *named->next);
    for (size_t i = budget->count; i-- > 0;) {
        const struct budget_line *line = &budget->lines[i];
        if (!line->selected || line->subject != BUDGET_NAME ||
            line->measure.of != measure)
            continue;
        uint32_t number = intern_put(&named->names, line->name);
        named->next[i] = named->first[number];
        named->first[number] = i + 1;
    }
    named->first_size = named->names.count;
}

static void free_names(struct named *named)
{
    intern_free(&named->names);
    free(named->first);
    free(named->next);
}

/* Returns whether FILE is the end of the function's path, in whole components.  */
static bool is_in_file(const struct runset_function *function, const char *file)
{
    const char *path = function->path ? function->path : function->file;
    if (!path)
        return false;
    BUF_OWN char *end = buf_format("/%s", file);
    return strcmp(path, file) == 0 || text_ends(path, end) ||
           (function->file && strcmp(function->file, file) == 0);
}

static void add_function(struct budget_sum *sum, const struct runset_function *function,
                         uint64_t value)
{
    sum->now += value;
    if (sum->functions++ == 0 || value > sum->most) {
        sum->function = function;
        sum->most = value;
    }
}

/* The search for the counts of one measure.  */
struct search {
    struct budget_found *found;
    const struct budget *budget;
    const struct budget_counts *counts;
    struct named named;
    size_t *patterns; /* indexes of the lines with patterns */
    size_t pattern_count;
    /* By line: the number of the function that was added last, plus 1.  A function may
       have the name of a line twice.  */
    uint32_t *last;
};

static uint64_t value_of(const struct search *search, uint32_t function,
                         struct runset_measure measure)
{
    return runset_value(&search->counts->side.runs[0], function, measure);
}

/* Adds a function to the lines that name it.  Returns the parts of the measure that have
   such a line, as bits.  */
static unsigned add_to_names(struct search *search, uint32_t number)
{
    unsigned parts = 0;
    const struct runset_function *function = &search->counts->side.functions[number];
    char *names[BUDGET_NAMES];
    budget_names(function, names);
    for (size_t n = 0; n < BUDGET_NAMES; n++) {
        uint32_t name = names[n] ? intern_put(&search->named.names, names[n]) : 0;
        if (!names[n] || name >= search->named.first_size)
            continue;
        for (size_t i = search->named.first[name]; i; i = search->named.next[i - 1]) {
            const struct budget_line *line = &search->budget->lines[i - 1];
            if (search->last[i - 1] == number + 1 ||
                (line->file && !is_in_file(function, line->file)))
                continue;
            search->last[i - 1] = number + 1;
            parts |= 1U << line->measure.part;
            add_function(&search->found->sums[i - 1], function,
                         value_of(search, number, line->measure));
        }
    }
    budget_names_free(names);
    return parts;
}

static bool matches(const struct budget_line *line,
                    const struct runset_function *function)
{
    static const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    const struct identity_source source = {.name = function->shown,
                                           .symbol = function->key,
                                           .file = function->path,
                                           .line = function->line,
                                           .column = function->column};
    return names_match(&line->pattern, &source, function->shown, &style);
}

/* Adds a function to the lines with patterns.  PARTS of the measure, as bits, have a line
   of their own; of the other parts, only the first line for each function counts.  */
static void add_to_patterns(struct search *search, uint32_t number, unsigned parts)
{
    const struct runset_function *function = &search->counts->side.functions[number];
    struct budget_found *found = search->found;
    for (size_t p = 0; p < search->pattern_count; p++) {
        size_t i = search->patterns[p];
        const struct budget_line *line = &search->budget->lines[i];
        if (!matches(line, function))
            continue;
        uint64_t value = value_of(search, number, line->measure);
        add_function(&found->sums[i], function, value);
        if (line->subject != BUDGET_EACH || !value || parts & 1U << line->measure.part)
            continue;
        parts |= 1U << line->measure.part;
        found->each = buf_grow(found->each, &found->each_capacity, found->each_count + 1,
                               sizeof *found->each);
        found->each[found->each_count++] = (struct budget_each){i, function, value};
    }
}

static int by_line_and_name(const void *one, const void *other)
{
    const struct budget_each *a = one, *b = other;
    return BUF_ORDER(a->line, b->line)
               ?: strcmp(a->function->shown, b->function->shown)
               ?: strcmp(a->function->key, b->function->key);
}

/* Finds the lines about the measure, and the totals.  */
static void begin(struct search *search)
{
    const struct budget *budget = search->budget;
    const struct measure *measure = search->counts->measure;
    search->last = buf_alloc((budget->count + 1) * sizeof *search->last);
    search->patterns = buf_alloc((budget->count + 1) * sizeof *search->patterns);
    list_names(&search->named, budget, measure);
    for (size_t i = 0; i < budget->count; i++) {
        const struct budget_line *line = &budget->lines[i];
        struct budget_sum *sum = &search->found->sums[i];
        if (!line->selected || line->measure.of != measure)
            continue;
        sum->total = runset_total(&search->counts->side.runs[0], line->measure);
        if (line->subject == BUDGET_TOTAL)
            sum->now = sum->total;
        else if (line->subject != BUDGET_NAME)
            search->patterns[search->pattern_count++] = i;
    }
}

void budget_find(struct budget_found *found, const struct budget *budget,
                 const struct budget_counts *counts, size_t count)
{
    found->sums = buf_alloc((budget->count + 1) * sizeof *found->sums);
    for (size_t c = 0; c < count; c++) {
        struct search search = {.found = found, .budget = budget, .counts = &counts[c]};
        begin(&search);
        for (uint32_t i = 0; i < counts[c].side.function_count; i++)
            add_to_patterns(&search, i, add_to_names(&search, i));
        free_names(&search.named);
        free(search.patterns);
        free(search.last);
    }
    BUF_SORT(found->each, found->each_count, by_line_and_name);
}

void budget_found_free(struct budget_found *found)
{
    free(found->sums);
    free(found->each);
    memset(found, 0, sizeof *found);
}
