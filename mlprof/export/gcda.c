/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what a program that was compiled with the argument `train' has counted as the
   .gcda files that gcc -fprofile-use reads, one for each object (GCC: gcov-io.h,
   coverage.cc).  They stand beside the objects, or in one folder with the objects' paths
   as names, as GCC has them there with -fprofile-use=FOLDER.  */

#include "mlprof/export/export.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/base/text.h"
#include "mlprof/flow/arccounts.h"
#include "mlprof/names/readable.h"
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
#define TAG_RANGES   0x01a30000
#define TAG_POWERS   0x01a50000
#define TAG_LISTS    0x01a70000
#define TAG_INDIRECT 0x01a90000
#define TAG_SIZES    0x01ab0000
#define TAG_FIRST    0x01af0000
#define TAG_SUMMARY  0xa1000000

/* Of a call or an operand; GCC has no more (GCOV_TOPN_MAXIMUM_TRACKED_VALUES).  */
#define VALUES_MOST 32

static void put_word(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 0xff), out);
}

static void put_counter(FILE *out, uint64_t count)
{
    put_word(out, (uint32_t)count);
    put_word(out, (uint32_t)(count >> 32));
}

static uint64_t largest(const struct arccounts_function *function)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < function->of->arcs; i++)
        if (function->counts[i] > most)
            most = function->counts[i];
    return (uint64_t)most;
}

/* Counters that are all 0 are their negative length alone.  */
static void put_tag(FILE *out, uint32_t tag, size_t counters, bool zeros)
{
    int32_t length = (int32_t)(8 * counters);
    put_word(out, tag);
    put_word(out, (uint32_t)(zeros ? -length : length));
}

static void put_arcs(FILE *out, const struct arccounts_function *function)
{
    bool zeros = largest(function) == 0;
    put_tag(out, TAG_ARCS, function->of->arcs, zeros);
    for (uint32_t i = 0; i < function->of->arcs && !zeros; i++)
        put_counter(out, (uint64_t)function->counts[i]);
}

/* Values are told of the calls and then of the lists.  */
static const struct arccounts_value *values_of(const struct arccounts_function *function,
                                               size_t of, size_t *count)
{
    const struct arccounts_value *first = function->values;
    const struct arccounts_value *end = first + function->value_count;
    while (first < end && first->of < of)
        first++;
    *count = 0;
    while (first + *count < end && first[*count].of == of)
        ++*count;
    return first;
}

static const struct arctables_list *list_of(const struct arccounts_function *function,
                                            size_t list)
{
    return &function->tables->lists[function->of->first_list + list];
}

/* What is told of a list: no more in all than the operand was used, and not of those that
   are larger than all that are told apart.  Gives how many, in VALUES.  */
static size_t list_values(const struct arccounts_function *function, size_t list,
                          struct arccounts_value *values)
{
    size_t count, kept = 0;
    const struct arccounts_value *from =
        values_of(function, function->of->indirect + list, &count);
    uint64_t left = function->lists[list];
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

/* How often there was any value, how many values there are, and each with its count.  */
static void put_values(FILE *out, uint64_t total, const struct arccounts_value *values,
                       size_t count)
{
    put_counter(out, total);
    put_counter(out, count);
    for (size_t i = 0; i < count; i++) {
        put_counter(out, values[i].value);
        put_counter(out, values[i].count);
    }
}

static size_t limit(size_t values)
{
    return values < VALUES_MOST ? values : VALUES_MOST;
}

static void put_indirect(FILE *out, const struct arccounts_function *function)
{
    uint32_t calls = function->of->indirect;
    size_t words = 2 * (size_t)calls, count;
    for (uint32_t i = 0; i < calls; i++) {
        values_of(function, i, &count);
        words += 2 * limit(count);
    }
    put_tag(out, TAG_INDIRECT, words, false);
    for (uint32_t i = 0; i < calls; i++) {
        const struct arccounts_value *values = values_of(function, i, &count);
        uint64_t total = 0;
        for (size_t k = 0; k < count; k++)
            total += values[k].count;
        put_values(out, total, values, limit(count));
    }
}

/* Nothing is told of a list whose operand is not counted.  */
static void put_lists(FILE *out, const struct arccounts_function *function)
{
    struct arccounts_value values[VALUES_MOST];
    size_t lists = function->of->lists, words = 2 * lists;
    for (size_t i = 0; i < lists; i++)
        words += 2 * list_values(function, i, values);
    put_tag(out, TAG_LISTS, words, false);
    for (size_t i = 0; i < lists; i++) {
        size_t count = list_values(function, i, values);
        put_values(out, count ? function->lists[i] : 0, values, count);
    }
}

static size_t count_lists(const struct arccounts_function *function,
                          enum ccprof_list kind)
{
    size_t count = 0;
    for (size_t i = 0; i < function->of->lists; i++)
        count += list_of(function, i)->kind == kind;
    return count;
}

/* Of each remainder: the quotient was never 0 or 1, so that GCC makes nothing of it.  But
   GCC compares the sum with the count of the block.  */
static void put_ranges(FILE *out, const struct arccounts_function *function)
{
    put_tag(out, TAG_RANGES, 4 * count_lists(function, CCPROF_LIST_REMAINDER), false);
    for (size_t i = 0; i < function->of->lists; i++) {
        if (list_of(function, i)->kind != CCPROF_LIST_REMAINDER)
            continue;
        for (int k = 0; k < 3; k++)
            put_counter(out, 0);
        put_counter(out, function->lists[i]);
    }
}

/* Of each remainder how often its divisor was no power of two, and how often one.  */
static void put_powers(FILE *out, const struct arccounts_function *function)
{
    size_t count;
    put_tag(out, TAG_POWERS, 2 * count_lists(function, CCPROF_LIST_REMAINDER), false);
    for (size_t i = 0; i < function->of->lists; i++) {
        uint64_t powers = 0;
        if (list_of(function, i)->kind != CCPROF_LIST_REMAINDER)
            continue;
        const struct arccounts_value *values =
            values_of(function, function->of->indirect + i, &count);
        for (size_t k = 0; k < count; k++)
            if (values[k].value && values[k].value < CCPROF_LIST_MOST &&
                !(values[k].value & (values[k].value - 1)))
                powers += values[k].count;
        if (powers > function->lists[i])
            powers = function->lists[i];
        put_counter(out, function->lists[i] - powers);
        put_counter(out, powers);
    }
}

/* Of each size the sum and how many there were; those that are larger than all that are
   told apart count as CCPROF_LIST_MOST.  */
static void put_sizes(FILE *out, const struct arccounts_function *function)
{
    size_t count;
    put_tag(out, TAG_SIZES, 2 * count_lists(function, CCPROF_LIST_SIZE), false);
    for (size_t i = 0; i < function->of->lists; i++) {
        uint64_t sum = 0, number = 0;
        if (list_of(function, i)->kind != CCPROF_LIST_SIZE)
            continue;
        const struct arccounts_value *values =
            values_of(function, function->of->indirect + i, &count);
        for (size_t k = 0; k < count; k++) {
            sum += values[k].value * values[k].count;
            number += values[k].count;
        }
        put_counter(out, sum);
        put_counter(out, number);
    }
}

static void put_function(FILE *out, const struct arccounts_function *function)
{
    const struct arctables_function *of = function->of;
    put_word(out, TAG_FUNCTION);
    put_word(out, 12);
    put_word(out, of->ident);
    put_word(out, of->lineno);
    put_word(out, of->checksum);
    put_arcs(out, function);
    if (count_lists(function, CCPROF_LIST_REMAINDER)) {
        put_ranges(out, function);
        put_powers(out, function);
    }
    if (of->lists)
        put_lists(out, function);
    if (of->indirect)
        put_indirect(out, function);
    if (count_lists(function, CCPROF_LIST_SIZE))
        put_sizes(out, function);
    if (!function->first)
        return;
    put_tag(out, TAG_FIRST, 1, false);
    put_counter(out, function->first);
}

/* What all files say: how many runs there were, and the largest counter.  */
struct summary {
    uint32_t runs, most;
};

static struct summary sum_up(const struct arccounts *counts,
                             const struct profile *profile)
{
    uint64_t most = 0, runs = profile->files ? profile->files : 1;
    for (size_t i = 0; i < counts->count; i++) {
        uint64_t one = largest(&counts->functions[i]);
        most = one > most ? one : most;
    }
    return (struct summary){runs > UINT32_MAX ? UINT32_MAX : (uint32_t)runs,
                            most > UINT32_MAX ? UINT32_MAX : (uint32_t)most};
}

/* Functions of one object stand in a row in NUMBERS, from FIRST up to but not END.  */
static char *object_text(const struct arccounts *counts, const uint32_t *numbers,
                         size_t first, size_t end, struct summary summary, size_t *size)
{
    char *text = NULL;
    FILE *out = buf_open(&text, size);
    put_word(out, MAGIC);
    put_word(out, counts->functions[numbers[first]].of->gcov);
    put_word(out, 0); /* stamp */
    put_word(out, 0); /* checksum */
    put_word(out, TAG_SUMMARY);
    put_word(out, 8);
    put_word(out, summary.runs);
    put_word(out, summary.most);
    for (size_t i = first; i < end; i++)
        put_function(out, &counts->functions[numbers[i]]);
    put_word(out, 0);
    buf_close(out);
    return text;
}

/* The path as one name: `#' in place of slashes, `^' in place of `..' (GCC: gcov-io.cc,
   mangle_path).  To be freed.  */
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

/* Where the .gcda file of an object is to stand; to be freed.  */
static char *place_of(const char *folder, const char *object)
{
    if (strcmp(folder, BESIDE) == 0)
        return buf_format("%s.gcda", object);
    char *name = mangle(object), *place = buf_format("%s/%s.gcda", folder, name);
    free(name);
    return place;
}

/* The numbers of the functions by object, and in an object as they stand in its file; to
   be freed.  FIRST gets the place of each object's first function there, and the end.  */
static uint32_t *sort_by_object(const struct arccounts *counts, size_t *first)
{
    uint32_t *numbers = buf_alloc((counts->count + 1) * sizeof *numbers);
    size_t objects = counts->objects.count;
    for (size_t i = 0; i < counts->count; i++)
        first[counts->functions[i].object + 1]++;
    for (size_t i = 0; i < objects; i++)
        first[i + 1] += first[i];
    size_t *next = buf_alloc((objects + 1) * sizeof *next);
    memcpy(next, first, objects * sizeof *next);
    for (uint32_t i = 0; i < counts->count; i++)
        numbers[next[counts->functions[i].object]++] = i;
    free(next);
    return numbers;
}

static void tell_sum(const struct arccounts *counts, const struct profile *profile)
{
    uint64_t executed = 0, with = 0;
    bool *seen = buf_alloc((counts->objects.count + 1) * sizeof *seen);
    for (size_t i = 0; i < counts->count; i++) {
        executed += largest(&counts->functions[i]) > 0;
        with += !seen[counts->functions[i].object];
        seen[counts->functions[i].object] = true;
    }
    free(seen);
    char *objects = text_number(with, "object");
    char *functions = text_number(counts->count, "function");
    char *runs = text_number(profile->files ? profile->files : 1, "data file");
    printf("%s, %s, %" PRIu64 " of them executed, from %s\n", objects, functions,
           executed, runs);
    free(objects);
    free(functions);
    free(runs);
}

static int by_what(const void *one, const void *other)
{
    const struct arccounts_change *a = one, *b = other;
    int objects = strcmp(a->object, b->object);
    if (a->what != b->what)
        return a->what < b->what ? -1 : 1;
    return objects ? objects : strcmp(a->of->symbol, b->of->symbol);
}

/* Functions that the builds do not have in common, a line each.  */
static void tell_changes(struct arccounts *counts)
{
    static const char *const words[] = {
        [ARCCOUNTS_CHANGED] = "changed, new counts alone",
        [ARCCOUNTS_NEW] = "new",
        [ARCCOUNTS_GONE] = "gone",
    };
    struct arccounts_change *changes = counts->changes;
    if (counts->change_count)
        qsort(changes, counts->change_count, sizeof *changes, by_what);
    for (size_t i = 0; i < counts->change_count; i++) {
        const struct arctables_function *of = changes[i].of;
        char *full = demangle(of->symbol);
        char *name = readable(full ? full : of->symbol, READABLE_MOST);
        printf("%s: %s, of %s\n", words[changes[i].what], name, changes[i].object);
        free(name);
        free(full);
    }
}

static void tell_doubts(const char *program, const struct arccounts *counts)
{
    if (counts->mended)
        fault_say("%s: in %zu functions what was counted contradicts itself, since "
                  "control left in another way, by longjmp or the end of a run; some "
                  "arcs have more, so that it agrees",
                  program, counts->mended);
    if (counts->contradicted)
        fault_say("%s: %zu functions of one object are in two modules, compiled in "
                  "different ways; the first ones are written",
                  program, counts->contradicted);
}

/* Makes the folder, as GCC does, unless it is there.  */
static bool make_folder(const char *folder, struct fault *fault)
{
    if (strcmp(folder, BESIDE) == 0 || mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    return fault_set(fault, FAULT_FILE, folder, "%s", strerror(errno));
}

static void put_objects(const struct arccounts *counts, const char *folder,
                        const struct view *view, export_sink *sink, void *data)
{
    size_t *first = buf_alloc((counts->objects.count + 1) * sizeof *first), size;
    uint32_t *numbers = sort_by_object(counts, first);
    struct summary summary = sum_up(counts, view->profile);
    for (uint32_t i = 0; i < counts->objects.count; i++) {
        if (first[i] == first[i + 1])
            continue;
        char *text = object_text(counts, numbers, first[i], first[i + 1], summary, &size);
        const char *object = intern_text(&counts->objects, i);
        sink(data, place_of(folder, object), text, size);
    }
    free(numbers);
    free(first);
}

static bool gcda_write(const char *folder, const struct export_input *input,
                       export_sink *sink, void *data, struct fault *fault)
{
    const struct view *view = input->view;
    struct arccounts counts;
    bool good =
        arccounts_solve(&counts, view->profile, view->program, view->sources, fault);
    if (good && counts.count == 0)
        good = fault_set(fault, FAULT_UNPROFILED, input->program,
                         "its arcs are not counted; compile with "
                         "-fplugin-arg-ccprof-train");
    good = good && make_folder(folder, fault);
    if (good) {
        tell_doubts(input->program, &counts);
        tell_sum(&counts, view->profile);
        tell_changes(&counts);
        put_objects(&counts, folder, view, sink, data);
    }
    arccounts_free(&counts);
    return good;
}

const struct export_format gcda_format = {
    .name = "gcda",
    .argument = "<folder>",
    .help = "write .gcda files for gcc -fprofile-use",
    .details = "`beside' means beside each object. Needs a program that was trained.",
    .goes_by = VIEWS_BY_DATA EXPORT_BY_BUILDS "source-map",
    .write_files = gcda_write,
};
