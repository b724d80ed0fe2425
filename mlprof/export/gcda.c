/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the counts of a program compiled with the argument `train' as .gcda files,
   which gcc -fprofile-use reads. There is one file for each object (GCC: gcov-io.h,
   coverage.cc). The files are written next to the objects, or into one folder. In
   the second case, their names are made from the objects' paths, as GCC expects with
   -fprofile-use=FOLDER. */

#include "mlprof/base/buf.h"
#include "mlprof/names/readable.h"
#include "mlprof/base/text.h"
#include "mlprof/export/export.h"
#include "rt/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BESIDE "beside"

#define MAGIC        0x67636461 /* gcda */
#define TAG_FUNCTION 0x01000000
#define TAG_ARCS     0x01a10000
#define TAG_SUMMARY  0xa1000000
#define TAG_RANGES   0x01a30000
#define TAG_POWERS   0x01a50000
#define TAG_LISTS    0x01a70000
#define TAG_INDIRECT 0x01a90000
#define TAG_SIZES    0x01ab0000
#define TAG_FIRST    0x01af0000

/* The maximum number of values that GCC stores for a call or an operand
   (GCOV_TOPN_MAXIMUM_TRACKED_VALUES). */
#define VALUES_MOST 32

/* Returns the *COUNT values of call or list COUNTER. Values are numbered: first the
   indirect calls, then the lists. */
static const struct arccounts_value *values_of(const struct arccounts_function *function,
                                               size_t counter, size_t *count)
{
    const struct arccounts_value *values = function->values.list;
    size_t first = 0, end;
    while (first < function->values.count && values[first].counter < counter)
        first++;
    for (end = first; end < function->values.count && values[end].counter == counter;)
        end++;
    *count = end - first;
    return BUF_FROM(values, first);
}

static const struct arctables_list *list_of(const struct arccounts_function *function,
                                            size_t list)
{
    return &function->tables->lists.list[function->description->first_list + list];
}

/* Returns how often the operand of a list was used. Returns 0 if the function was
   never entered, because GCC then assumes that none of its blocks was executed. */
static uint64_t times_of(const struct arccounts_function *function, size_t list)
{
    return function->times[0] ? function->times[list_of(function, list)->block] : 0;
}

/* Sets VALUES to the values of a list and returns the number of values. The sum of
   the counts of these values is at most the number of uses of the operand. The value
   CCPROF_LIST_MOST is omitted, because its count includes all larger values. */
static size_t list_values(const struct arccounts_function *function, size_t list,
                          struct arccounts_value *values)
{
    size_t count, kept = 0;
    const struct arccounts_value *from =
        values_of(function, function->description->indirect + list, &count);
    uint64_t left = times_of(function, list);
    for (size_t i = 0; i < count && kept < VALUES_MOST && left; i++) {
        if (from[i].value == CCPROF_LIST_MOST)
            continue;
        values[kept] = from[i];
        if (values[kept].count > left)
            values[kept].count = left;
        left -= values[kept++].count;
    }
    return kept;
}

/* Writes the total count, the number of values, and each value with its count. */
static void put_values(FILE *out, uint64_t total, const struct arccounts_value *values,
                       size_t count)
{
    words_put_two(out, total);
    words_put_two(out, count);
    for (size_t i = 0; i < count; i++) {
        words_put_two(out, values[i].value);
        words_put_two(out, values[i].count);
    }
}

static void put_indirect(FILE *out, const struct arccounts_function *function)
{
    uint32_t calls = function->description->indirect;
    size_t words = 2 * (size_t)calls, count;
    for (uint32_t i = 0; i < calls; i++) {
        values_of(function, i, &count);
        words += 2 * (count < VALUES_MOST ? count : VALUES_MOST);
    }
    words_put_head(out, TAG_INDIRECT, words, false);
    for (uint32_t i = 0; i < calls; i++) {
        const struct arccounts_value *values = values_of(function, i, &count);
        __int128 total = 0;
        for (size_t k = 0; k < count; k++)
            total += values[k].count;
        put_values(out, (uint64_t)flowsums_clamp(total), values,
                   count < VALUES_MOST ? count : VALUES_MOST);
    }
}

/* A list whose operand was not counted gets a total of 0 and no values. */
static void put_lists(FILE *out, const struct arccounts_function *function)
{
    struct arccounts_value values[VALUES_MOST];
    size_t lists = function->description->lists, words = 2 * lists;
    for (size_t i = 0; i < lists; i++)
        words += 2 * list_values(function, i, values);
    words_put_head(out, TAG_LISTS, words, false);
    for (size_t i = 0; i < lists; i++) {
        size_t count = list_values(function, i, values);
        put_values(out, count ? times_of(function, i) : 0, values, count);
    }
}

/* Writes a record for the lists of KIND. PUT writes the counters of one list, which
   are WORDS. */
static void put_each(FILE *out, const struct arccounts_function *function, uint32_t tag,
                     enum ccprof_list kind, size_t words,
                     void (*put)(FILE *out, uint64_t times,
                                 const struct arccounts_value *values, size_t count))
{
    size_t lists = 0, count;
    for (size_t i = 0; i < function->description->lists; i++)
        lists += list_of(function, i)->kind == kind;
    if (lists)
        words_put_head(out, tag, words * lists, false);
    for (size_t i = 0; i < function->description->lists; i++) {
        const struct arccounts_value *values =
            values_of(function, function->description->indirect + i, &count);
        if (list_of(function, i)->kind == kind)
            put(out, times_of(function, i), values, count);
    }
}

/* Writes the counters of a remainder's quotient: it was never 0 or 1, so that GCC does
   not optimize it. The last counter is TIMES, because GCC compares the sum with the
   count of the block. */
static void put_range(FILE *out, uint64_t times, const struct arccounts_value *values,
                      size_t count)
{
    (void)values;
    (void)count;
    for (int k = 0; k < 3; k++)
        words_put_two(out, 0);
    words_put_two(out, times);
}

/* Writes how often the divisor of a remainder was not a power of two, and how often it
   was. */
static void put_power(FILE *out, uint64_t times, const struct arccounts_value *values,
                      size_t count)
{
    uint64_t powers = 0;
    for (size_t k = 0; k < count; k++)
        if (values[k].value && values[k].value < CCPROF_LIST_MOST &&
            !(values[k].value & (values[k].value - 1)))
            powers = saturate_add(powers, values[k].count);
    if (powers > times)
        powers = times;
    words_put_two(out, times - powers);
    words_put_two(out, powers);
}

/* Writes the sum and the number of sizes. Larger sizes count as CCPROF_LIST_MOST. */
static void put_size(FILE *out, uint64_t times, const struct arccounts_value *values,
                     size_t count)
{
    (void)times;
    __int128 sum = 0, number = 0;
    for (size_t k = 0; k < count; k++) {
        sum += (__int128)values[k].value * values[k].count;
        number += values[k].count;
    }
    words_put_two(out, (uint64_t)flowsums_clamp(sum));
    words_put_two(out, (uint64_t)flowsums_clamp(number));
}

/* Writes the values of a function (GCC: value-prof.h): the targets of its indirect
   calls, frequent operands, and the time of its first execution. GCC reads either all
   kinds of values or none. For the kinds that ccprof does not count, values are
   written that GCC ignores. */
static void put_all_values(FILE *out, const struct arccounts_function *function)
{
    put_each(out, function, TAG_RANGES, CCPROF_LIST_REMAINDER, 4, put_range);
    put_each(out, function, TAG_POWERS, CCPROF_LIST_REMAINDER, 2, put_power);
    if (function->description->lists)
        put_lists(out, function);
    if (function->description->indirect)
        put_indirect(out, function);
    put_each(out, function, TAG_SIZES, CCPROF_LIST_SIZE, 2, put_size);
    if (!function->first)
        return;
    words_put_head(out, TAG_FIRST, 1, false);
    words_put_two(out, function->first);
}

static void put_function(FILE *out, const struct arccounts_function *function)
{
    const struct arctables_function *description = function->description;
    words_put(out, TAG_FUNCTION);
    words_put(out, 12);
    words_put(out, description->ident);
    words_put(out, description->lineno);
    words_put(out, description->checksum);
    bool zeros = !function->executed;
    words_put_head(out, TAG_ARCS, description->arcs, zeros);
    for (uint32_t i = 0; i < description->arcs && !zeros; i++)
        words_put_two(out, (uint64_t)function->counts[i]);
    put_all_values(out, function);
}

/* Writes the number of runs, and the sum over all runs of the largest arc count, like
   GCC's runtime (libgcov-driver.c, dump_one_gcov). Each data file counts as a run,
   because data files that are slices of one run cannot be recognized. Numbers that do
   not fit into 32 bits become UINT32_MAX; GCC would truncate them. */
static void put_summary(FILE *out, const struct arccounts_runs *runs)
{
    uint64_t count = runs->count ? runs->count : 1;
    words_put(out, TAG_SUMMARY);
    words_put(out, 8);
    words_put(out, count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
    words_put(out, runs->peaks > UINT32_MAX ? UINT32_MAX : (uint32_t)runs->peaks);
}

/* Returns the content of an object's file, which has *SIZE bytes. The object's
   functions are NUMBERS[FIRST] to NUMBERS[END - 1]. */
static char *object_text(const struct arccounts *counts, const uint32_t *numbers,
                         size_t first, size_t end, size_t *size)
{
    char *text = NULL;
    FILE *out = buf_open(&text, size);
    words_put(out, MAGIC);
    words_put(out, counts->functions[numbers[first]].description->gcov);
    words_put(out, 0); /* stamp */
    words_put(out, 0); /* checksum */
    put_summary(out, &counts->runs[counts->functions[numbers[first]].object]);
    for (size_t i = first; i < end; i++)
        put_function(out, &counts->functions[numbers[i]]);
    words_put(out, 0);
    buf_close(out);
    return text;
}

/* Returns PATH as a file name: `#' instead of slashes, `^' instead of `..' (GCC:
   gcov-io.cc, mangle_path). The caller frees it. */
static char *mangle(const char *path)
{
    char *name = buf_alloc(strlen(path) + 1), *to = name;
    for (;;) {
        size_t length = strcspn(path, "/");
        if (length == 2 && memcmp(path, "..", 2) == 0) {
            *to++ = '^';
        } else {
            memcpy(to, path, length);
            to += length;
        }
        path += length;
        if (!*path)
            return name;
        *to++ = '#';
        path++;
    }
}

/* Returns the path of an object's .gcda file. The caller frees it. */
static char *place_of(const char *folder, const char *object)
{
    if (strcmp(folder, BESIDE) == 0)
        return buf_format("%s.gcda", object);
    char *name = mangle(object), *place = buf_format("%s/%s.gcda", folder, name);
    free(name);
    return place;
}

/* Returns the numbers of the functions, sorted by object; functions of one object keep
   their order. The caller frees the array. Sets FIRST to the index of each object's
   first function in the array, followed by the number of functions. */
static uint32_t *sort_by_object(const struct arccounts *counts, size_t *first)
{
    uint32_t *numbers = buf_alloc((counts->count + 1) * sizeof *numbers);
    size_t objects = counts->objects.count;
    for (size_t i = 0; i < counts->count; i++)
        first[counts->functions[i].object + 1]++;
    for (size_t i = 0; i < objects; i++)
        first[i + 1] += first[i];
    BUF_OWN size_t *next = buf_alloc((objects + 1) * sizeof *next);
    memcpy(next, first, objects * sizeof *next);
    for (uint32_t i = 0; i < counts->count; i++)
        numbers[next[counts->functions[i].object]++] = i;
    return numbers;
}

static void print_sum(const struct arccounts *counts, const struct profile *profile)
{
    uint64_t executed = 0, with = 0;
    bool *seen = buf_alloc((counts->objects.count + 1) * sizeof *seen);
    for (size_t i = 0; i < counts->count; i++) {
        executed += counts->functions[i].executed;
        with += !seen[counts->functions[i].object];
        seen[counts->functions[i].object] = true;
    }
    free(seen);
    BUF_OWN char *objects = text_number(with, "object");
    BUF_OWN char *functions = text_number(counts->count, "function");
    BUF_OWN char *runs =
        text_number(profile->runs.files ? profile->runs.files : 1, "data file");
    printf("%s, %s, %" PRIu64 " of them executed, from %s%s\n", objects, functions,
           executed, runs, profile->weighted ? ", weighted" : "");
}

BUF_COMPARE(by_what, struct arccounts_change, BUF_ORDER(a->what, b->what) ?:
            strcmp(a->object, b->object) ?:
            strcmp(a->function->name.symbol, b->function->name.symbol))

/* Prints a line for each function that the builds do not have in common. */
static void print_changes(struct arccounts *counts)
{
    static const char *const words[] = {
        [ARCCOUNTS_CHANGED] = "changed, only new counts",
        [ARCCOUNTS_NEW] = "new",
        [ARCCOUNTS_GONE] = "gone",
    };
    struct arccounts_change *changes = counts->changes.list;
    BUF_SORT(changes, counts->changes.count, by_what);
    for (size_t i = 0; i < counts->changes.count; i++) {
        const struct arctables_function *function = changes[i].function;
        BUF_OWN char *full = demangle(function->name.symbol);
        BUF_OWN char *name = readable(full ? full : function->name.symbol, READABLE_MOST);
        BUF_OWN char *clean = text_clean(name), *object = text_clean(changes[i].object);
        printf("%s: %s, of %s\n", words[changes[i].what], clean, object);
    }
}

static void tell_doubts(const char *program, const struct arccounts *counts)
{
    if (counts->mended)
        fault_message("%s: in %zu functions the counts contradict each other, since "
                      "control left by longjmp or the end of a run; the counts of some "
                      "arcs were raised to make them agree",
                      program, counts->mended);
    if (counts->contradicted)
        fault_message("%s: %zu functions of one object are in two modules, compiled in "
                      "different ways; the first ones are written",
                      program, counts->contradicted);
}

/* Creates the folder, as GCC does, unless it exists. */
static bool make_folder(const char *folder, struct fault *fault)
{
    if (strcmp(folder, BESIDE) == 0 || mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    return fault_set(fault, FAULT_FILE, folder, "%s", strerror(errno));
}

static void put_objects(const struct arccounts *counts, const char *folder,
                        export_sink *sink, void *data)
{
    size_t *first = buf_alloc((counts->objects.count + 1) * sizeof *first), size;
    uint32_t *numbers = sort_by_object(counts, first);
    for (uint32_t i = 0; i < counts->objects.count; i++) {
        if (first[i] == first[i + 1])
            continue;
        char *text = object_text(counts, numbers, first[i], first[i + 1], &size);
        const char *object = intern_text(&counts->objects, i);
        sink(data, place_of(folder, object), text, size);
    }
    free(numbers);
    free(first);
}

static void gcda_write(const char *folder, const struct export_input *input,
                       export_sink *sink, void *data)
{
    const struct view *view = input->view;
    struct fault *fault = input->fault;
    struct arccounts counts;
    if (arccounts_solve(&counts, view->profile, view->program, view->sources, fault) &&
        arccounts_any(&counts, input->program, fault) && make_folder(folder, fault)) {
        tell_doubts(input->program, &counts);
        print_sum(&counts, view->profile);
        print_changes(&counts);
        put_objects(&counts, folder, sink, data);
    }
    arccounts_free(&counts);
}

const struct export_format gcda_format = {
    .name = "gcda",
    .argument = "<folder>",
    .help = "write .gcda files for gcc -fprofile-use",
    .details = "If <folder> is the word beside, each file is written beside its object.\n"
               "Needs a program compiled with train.",
    .kind = OUTPUTS_GCDA,
    .needs = EXPORT_RUNS,
    .write_files = gcda_write,
};
