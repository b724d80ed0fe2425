/* SPDX-License-Identifier: GPL-3.0-or-later */

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
    /* By line: the number of the function that was added last, plus 1.  A function may
       have the name of a line twice.  */
    uint32_t *last;
};

static uint64_t value_of(const struct search *search, uint32_t function,
                         struct runset_measure measure)
{
    return runset_value(&search->counts->side.runs[0], function, measure);
}

/* Adds a function to the lines that name it.  */
static void add_to_names(struct search *search, uint32_t number)
{
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
            add_function(&search->found->sums[i - 1], function,
                         value_of(search, number, line->measure));
        }
    }
    budget_names_free(names);
}

static bool matches(const struct budget_line *line,
                    const struct runset_function *function)
{
    static const struct names_style style = {.long_name = true, .form = NAMES_READABLE};
    const struct identity_source source = {.name = function->shown,
                                           .symbol = function->key,
                                           .file = function->file,
                                           .directory = function->directory,
                                           .line = function->line,
                                           .column = function->column};
    return names_match(&line->pattern, &source, function->shown, &style);
}

/* Returns whether a line names the function for MEASURE.  The function's lines were
   added last.  */
static bool has_line(const struct search *search, uint32_t number,
                     struct runset_measure measure)
{
    for (size_t i = 0; i < search->budget->count; i++)
        if (search->last[i] == number + 1 &&
            search->budget->lines[i].subject == BUDGET_NAME &&
            runset_is_same(search->budget->lines[i].measure, measure))
            return true;
    return false;
}

/* Adds a function to the lines with patterns.  Of several lines for each function, only
   the first counts.  */
static void add_to_patterns(struct search *search, uint32_t number)
{
    const struct runset_function *function = &search->counts->side.functions[number];
    struct runset_measure done = {0};
    for (size_t i = 0; i < search->budget->count; i++) {
        const struct budget_line *line = &search->budget->lines[i];
        if (!line->selected || line->measure.of != search->counts->measure ||
            (line->subject != BUDGET_PATTERN && line->subject != BUDGET_EACH) ||
            !matches(line, function))
            continue;
        uint64_t value = value_of(search, number, line->measure);
        add_function(&search->found->sums[i], function, value);
        if (line->subject != BUDGET_EACH || !value ||
            runset_is_same(done, line->measure) ||
            has_line(search, number, line->measure))
            continue;
        done = line->measure;
        struct budget_found *found = search->found;
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

void budget_find(struct budget_found *found, const struct budget *budget,
                 const struct budget_counts *counts, size_t count)
{
    found->sums = buf_alloc((budget->count + 1) * sizeof *found->sums);
    for (size_t c = 0; c < count; c++) {
        const struct runset *side = &counts[c].side;
        struct search search = {.found = found, .budget = budget, .counts = &counts[c]};
        search.last = buf_alloc((budget->count + 1) * sizeof *search.last);
        list_names(&search.named, budget, counts[c].measure);
        for (uint32_t i = 0; i < side->function_count; i++) {
            add_to_names(&search, i);
            add_to_patterns(&search, i);
        }
        for (size_t i = 0; i < budget->count; i++) {
            const struct budget_line *line = &budget->lines[i];
            if (!line->selected || line->measure.of != counts[c].measure)
                continue;
            found->sums[i].total = runset_total(&side->runs[0], line->measure);
            if (line->subject == BUDGET_TOTAL)
                found->sums[i].now = found->sums[i].total;
        }
        free_names(&search.named);
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
