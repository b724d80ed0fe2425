/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/fields.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/gate.h"
#include "mlprof/view/heapwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_counted(const struct runset *side, uint32_t function)
{
    const struct runset_run *run = &side->runs[0];
    for (size_t i = 0; i < run->column_count; i++)
        if (function < run->count && run->columns[i].values[function])
            return true;
    return false;
}

/* Returns the word for a column in the file; for a heap measure, the word after `heap
   MEASURE'.  */
static char *word_of(struct runset_measure measure)
{
    struct runset_measure own = {measure.of, RUNSET_OWN};
    return measure.part == RUNSET_STACK ? buf_format("total-%s", runset_measure_name(own))
                                        : buf_copy(runset_measure_name(measure));
}

/* Sets COLUMNS to the possible columns of a baseline, in their order: the columns of
   HEAP, or all other counts if HEAP is NULL.  Returns their number.  */
static size_t columns_of(const struct measure *heap, struct runset_measure columns[])
{
    size_t count = 0;
    for (const struct measure *m = measure_all; m->word; m++) {
        if (m->sampled || (heap ? m != heap : !m->kinds))
            continue;
        columns[count++] = (struct runset_measure){m, RUNSET_OWN};
        if (m->memory)
            columns[count++] = (struct runset_measure){m, RUNSET_BLOCKS};
        columns[count++] = (struct runset_measure){m, RUNSET_STACK};
    }
    return count;
}

enum { MOST_COLUMNS = 64 };

/* Returns the lowest version that can have these columns.  */
static unsigned version_of(const struct runset_run *run)
{
    bool bytes = false, blocks = false, heap = false, others = false;
    for (size_t i = 0; i < run->column_count; i++) {
        struct runset_measure measure = run->columns[i].measure;
        heap |= measure_is_of_heap(measure.of);
        bytes |= measure.part == RUNSET_OWN && measure.of->memory;
        blocks |= measure.part == RUNSET_BLOCKS;
        others |= measure.part == RUNSET_STACK ||
                  !(measure.of->memory || measure.of->kinds & CCPROF_KIND_COUNT);
    }
    return others || bytes != blocks ? 5 : heap ? 3 : 1;
}

static int compare_files(const char *one, const char *other)
{
    return strcmp(one ? one : "", other ? other : "");
}

static int by_name(const void *one, const void *other)
{
    const struct runset_function *a = *(const struct runset_function *const *)one;
    const struct runset_function *b = *(const struct runset_function *const *)other;
    int order = strcmp(a->key, b->key);
    if (order == 0)
        order = compare_files(a->file, b->file);
    if (order == 0)
        order = runset_by_line(a, b);
    return order ? order : (a > b) - (a < b);
}

static bool is_alike(const struct runset_function *one,
                     const struct runset_function *other)
{
    return strcmp(one->key, other->key) == 0 &&
           compare_files(one->file, other->file) == 0;
}

/* Returns the functions to write, sorted by name. These are all functions with a
   count, and all functions with the same name and file as a function with a count.
   Functions without a count are needed because functions of the same name are matched
   in the order of their lines. The caller frees the array.  */
static const struct runset_function **functions_to_write(const struct runset *side,
                                                         size_t *count)
{
    const struct runset_function **order =
        buf_alloc((side->function_count + 1) * sizeof *order);
    for (size_t i = 0; i < side->function_count; i++)
        order[i] = &side->functions[i];
    BUF_SORT(order, side->function_count, by_name);
    *count = 0;
    for (size_t i = 0, end; i < side->function_count; i = end) {
        bool counted = false;
        for (end = i; end < side->function_count && is_alike(order[i], order[end]); end++)
            counted |= has_counted(side, (uint32_t)(order[end] - side->functions));
        for (size_t j = i; counted && j < end; j++)
            order[(*count)++] = order[j];
    }
    return order;
}

/* Writes the points of a function, with one line for each list.  */
static void write_points(FILE *out, const struct runset *side, uint32_t function)
{
    struct linecounts_span span = linecounts_of(&side->points, function);
    for (size_t i = 0; i < span.count; i++) {
        const struct linecounts_list *list = &span.lists[i];
        for (size_t k = 0; k < list->count; k++)
            fprintf(out, " %" PRIu64, list->points[k].count);
        fprintf(out, "\t%s%s\n", list->outcome ? "case " : "lines",
                list->outcome ? list->outcome : "");
    }
}

void baseline_write(FILE *out, const struct runset *side, const char *compiler)
{
    size_t count;
    BUF_OWN const struct runset_function **order = functions_to_write(side, &count);
    const struct runset_run *run = &side->runs[0];
    unsigned version = version_of(run);
    if (side->points.measured && version < 2)
        version = 2;
    for (size_t i = 0; i < count; i++)
        if (order[i]->module && version < 4)
            version = 4;
    const struct measure *of = run->columns[0].measure.of;
    if (compiler)
        fprintf(out, "ccprof baseline %d\ncompiler %s\nmeasures", BASELINE_VERSION,
                compiler);
    else
        fprintf(out, "ccprof baseline %u\nmeasures", version);
    if (measure_is_of_heap(of))
        fprintf(out, " heap %s", measure_kept_word(of));
    for (size_t i = 0; i < run->column_count; i++) {
        BUF_OWN char *word = word_of(run->columns[i].measure);
        fprintf(out, " %s", word);
    }
    fputs(side->points.measured ? " executions\n" : "\n", out);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = (uint32_t)(order[i] - side->functions);
        for (size_t c = 0; c < run->column_count; c++)
            fprintf(out, "%" PRIu64 " ", run->columns[c].values[number]);
        BUF_OWN char *key = text_clean(order[i]->key);
        BUF_OWN char *file = text_clean(order[i]->file ? order[i]->file : "");
        const char *module = order[i]->module;
        fprintf(out, "%s\t%s%s%s\n", key, file, module ? "\t" : "", module ? module : "");
        write_points(out, side, number);
    }
    fputs("end\n", out);
}

/* The state of the parser.  */
struct reading {
    struct runset_run run;
    size_t capacity[MOST_COLUMNS]; /* of the values of each column */
    bool modules;                  /* the version allows names of modules */
    char **compiler;
};

/* Reads the line with the compiler.  */
static bool read_compiler(struct fields *fields, char **compiler)
{
    if (!fields_next_line(fields))
        return false;
    size_t length = (size_t)(fields->stop - fields->at), skip = strlen("compiler ");
    if (!fields_skip(fields, "compiler ") || length == skip ||
        memchr(fields->at, '\0', length - skip))
        return fields_wrong(fields, "it should be `compiler' and its name");
    *compiler = buf_copy_prefix(fields->at, length - skip);
    return true;
}

/* Reads the heap measure, if the line has one, into *HEAP.  */
static bool read_heap(struct fields *fields, const struct measure **heap)
{
    if (!fields_skip(fields, " heap"))
        return true;
    for (const struct measure *m = NULL; (m = measure_next_of_heap(m));) {
        char *word = buf_format(" %s ", measure_kept_word(m));
        bool found = fields_skip(fields, word);
        free(word);
        if (!found)
            continue;
        fields->at--; /* the next word starts with this blank, too */
        *heap = m;
        return true;
    }
    return fields_wrong(fields, "a measure of the heap that this mlprof does not know");
}

static void read_columns(struct fields *fields, struct runset_run *run,
                         const struct measure *heap)
{
    struct runset_measure columns[MOST_COLUMNS];
    size_t count = columns_of(heap, columns);
    for (size_t i = 0; i < count; i++) {
        BUF_OWN char *name = word_of(columns[i]), *word = buf_format(" %s", name);
        if (fields_skip(fields, word))
            runset_add_column(run, columns[i]);
    }
}

static bool read_head(struct fields *fields, struct runset *side, struct reading *reading)
{
    struct runset_run *run = &reading->run;
    const struct measure *heap = NULL;
    uint64_t version;
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "ccprof baseline ") || !fields_decimal(fields, &version) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields, "neither a budget nor a baseline of ccprof: mlprof "
                                    "-gate-update writes a budget");
    if (version == 0 || version > BASELINE_VERSION)
        return fault_set(
            fields->fault, FAULT_VERSION, fields->path,
            "a baseline of version %" PRIu64 ", which this mlprof cannot read", version);
    reading->modules = version > 3;
    if (version > 5 && !read_compiler(fields, reading->compiler))
        return false;
    if (!fields_next_line(fields))
        return false;
    bool good = fields_skip(fields, "measures");
    if (good && version > 2 && !read_heap(fields, &heap))
        return false;
    if (good)
        read_columns(fields, run, heap);
    good = run->column_count && version_of(run) <= version;
    if (good && version > 1 && !heap)
        side->points.measured = fields_skip(fields, " executions");
    if (good && fields_end_of_line(fields))
        return true;
    return fields_wrong(
        fields, version > 4   ? "it should be `measures' and names of what was counted"
                : version > 1 ? "it should be `measures' and calls, bytes blocks, or "
                                "calls bytes blocks, and executions or nothing"
                              : "it should be `measures' and calls, bytes blocks, or "
                                "calls bytes blocks");
}

/* Reads the rest of the line of a function after its numbers.  */
static bool read_name(struct fields *fields, struct runset *side, bool modules)
{
    size_t length = (size_t)(fields->stop - fields->at);
    const char *tab = memchr(fields->at, '\t', length);
    if (!tab || tab == fields->at || memchr(fields->at, '\0', length))
        return fields_wrong(fields, "a function's name, a tab and its file are missing");
    const char *file = tab + 1, *stop = fields->stop;
    const char *end = memchr(file, '\t', (size_t)(stop - file));
    if (end &&
        (!modules || end + 1 == stop || memchr(end + 1, '\t', (size_t)(stop - end - 1))))
        return fields_wrong(fields, "there is something after the file");
    char *key = buf_copy_prefix(fields->at, (size_t)(tab - fields->at));
    size_t rest = (size_t)((end ? end : stop) - file);
    side->functions = buf_grow(side->functions, &side->function_capacity,
                               side->function_count + 1, sizeof *side->functions);
    side->functions[side->function_count++] = (struct runset_function){
        .key = key,
        .file = rest ? buf_copy_prefix(file, rest) : NULL,
        .module = end ? buf_copy_prefix(end + 1, (size_t)(stop - end - 1)) : NULL,
        .shown = buf_copy(key),
        .line = (uint32_t)side->function_count};
    return true;
}

static bool read_function(struct fields *fields, struct runset *side,
                          struct reading *reading)
{
    struct runset_run *run = &reading->run;
    for (size_t c = 0; c < run->column_count; c++) {
        struct runset_column *column = &run->columns[c];
        uint64_t value;
        if (!fields_decimal(fields, &value) || !fields_skip(fields, " "))
            return fields_wrong(fields, "a number for each measure is missing");
        if (column->total > UINT64_MAX - value)
            return fields_wrong(fields, "the counts are more than can be");
        column->total += value;
        column->values = buf_grow(column->values, &reading->capacity[c], run->count + 1,
                                  sizeof *column->values);
        column->values[run->count] = value;
    }
    if (!read_name(fields, side, reading->modules))
        return false;
    run->count++;
    return true;
}

/* Reads the rest of the line of a list after its numbers.  Sets *OUTCOME to the
   outcome, which the caller frees, or to NULL for a list of lines.  */
static bool read_outcome(struct fields *fields, char **outcome)
{
    *outcome = NULL;
    if (!fields_skip(fields, "\t"))
        return false;
    if (fields_skip(fields, "lines"))
        return fields_end_of_line(fields);
    size_t length = (size_t)(fields->stop - fields->at);
    if (!fields_skip(fields, "case ") || length == strlen("case ") ||
        memchr(fields->at, '\0', (size_t)(fields->stop - fields->at)))
        return false;
    *outcome = buf_copy_prefix(fields->at, (size_t)(fields->stop - fields->at));
    return true;
}

/* Reads a line of points, which begins with a blank.  The points belong to the last
   function.  */
static bool read_points(struct fields *fields, struct runset *side)
{
    struct linecounts *points = &side->points;
    if (!points->measured || side->function_count == 0)
        return fields_wrong(fields, "points without a heading or without a function");
    struct linecounts_list *list =
        linecounts_add_list(points, (uint32_t)side->function_count - 1, NULL);
    while (fields_skip(fields, " ")) {
        struct linecounts_point point = {0};
        if (!fields_decimal(fields, &point.count))
            return fields_wrong(fields, "a number is missing");
        linecounts_add_point(list, &point);
    }
    if (!read_outcome(fields, &list->outcome))
        return fields_wrong(fields,
                            "a tab and `lines' or `case' with its outcome are missing");
    if (linecounts_sum(list) == UINT64_MAX)
        return fields_wrong(fields, "the counts are more than can be");
    if (points->count > 1 && linecounts_order(list - 1, list) >= 0)
        return fields_wrong(fields, "the points of a function are not in their order");
    return true;
}

static bool is_end(struct fields *fields)
{
    const char *at = fields->at;
    bool is = fields_skip(fields, "end") && fields_end_of_line(fields);
    if (!is)
        fields->at = at;
    return is;
}

bool baseline_parse(struct runset *side, char **compiler, const char *path,
                    const char *text, size_t size, struct fault *fault)
{
    struct fields fields = {
        .path = path, .next = text, .end = text + size, .fault = fault};
    struct reading reading = {.compiler = compiler};
    bool good = read_head(&fields, side, &reading);
    while (good && (good = fields_next_line(&fields)) && !is_end(&fields)) {
        bool is_points = fields.at < fields.stop && *fields.at == ' ';
        good = is_points ? read_points(&fields, side)
                         : read_function(&fields, side, &reading);
    }
    if (good && fields.next != fields.end)
        good = fields_wrong(&fields, "there is something after the end");
    side->runs = buf_grow(side->runs, &side->run_capacity, 1, sizeof *side->runs);
    side->runs[side->run_count++] = reading.run;
    return good;
}
