/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what a program that was compiled with the argument `train' has counted as the
   .gcda files that gcc -fprofile-use reads, one for each object (GCC: gcov-io.h,
   coverage.cc).  They stand beside the objects, or in one folder with the objects' paths
   as names, as GCC has them there with -fprofile-use=FOLDER.  */

#include "mlprof/export/export.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/base/text.h"
#include "mlprof/export/gcda-values.h"
#include "mlprof/export/gcovwords.h"
#include "mlprof/names/readable.h"

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

static void put_arcs(FILE *out, const struct arccounts_function *function)
{
    bool zeros = !function->executed;
    gcovwords_tag(out, TAG_ARCS, function->of->arcs, zeros);
    for (uint32_t i = 0; i < function->of->arcs && !zeros; i++)
        gcovwords_counter(out, (uint64_t)function->counts[i]);
}

static void put_function(FILE *out, const struct arccounts_function *function)
{
    const struct arctables_function *of = function->of;
    gcovwords_word(out, TAG_FUNCTION);
    gcovwords_word(out, 12);
    gcovwords_word(out, of->ident);
    gcovwords_word(out, of->lineno);
    gcovwords_word(out, of->checksum);
    put_arcs(out, function);
    gcda_values_put(out, function);
}

/* As GCC's own runtime adds runs up (libgcov-driver.c, dump_one_gcov): how many there
   were, and of each the count of the arc that was executed most.  A data file is a run:
   that several are slices of one is not told in them.  What is too large for 32 bits,
   which GCC writes the low ones of, is the largest number.  */
static void put_summary(FILE *out, const struct arccounts_runs *runs)
{
    uint64_t count = runs->count ? runs->count : 1;
    gcovwords_word(out, TAG_SUMMARY);
    gcovwords_word(out, 8);
    gcovwords_word(out, count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
    gcovwords_word(out, runs->peaks > UINT32_MAX ? UINT32_MAX : (uint32_t)runs->peaks);
}

/* Functions of one object stand in a row in NUMBERS, from FIRST up to but not END.  */
static char *object_text(const struct arccounts *counts, const uint32_t *numbers,
                         size_t first, size_t end, size_t *size)
{
    char *text = NULL;
    FILE *out = buf_open(&text, size);
    gcovwords_word(out, MAGIC);
    gcovwords_word(out, counts->functions[numbers[first]].of->gcov);
    gcovwords_word(out, 0); /* stamp */
    gcovwords_word(out, 0); /* checksum */
    put_summary(out, &counts->runs[counts->functions[numbers[first]].object]);
    for (size_t i = first; i < end; i++)
        put_function(out, &counts->functions[numbers[i]]);
    gcovwords_word(out, 0);
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
        executed += counts->functions[i].executed;
        with += !seen[counts->functions[i].object];
        seen[counts->functions[i].object] = true;
    }
    free(seen);
    char *objects = text_number(with, "object");
    char *functions = text_number(counts->count, "function");
    char *runs = text_number(profile->files ? profile->files : 1, "data file");
    printf("%s, %s, %" PRIu64 " of them executed, from %s%s\n", objects, functions,
           executed, runs, profile->weighted ? ", weighted" : "");
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
    return objects ? objects : strcmp(a->of->name.symbol, b->of->name.symbol);
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
        char *full = demangle(of->name.symbol);
        char *name = readable(full ? full : of->name.symbol, READABLE_MOST);
        char *clean = text_clean(name), *object = text_clean(changes[i].object);
        printf("%s: %s, of %s\n", words[changes[i].what], clean, object);
        free(object);
        free(clean);
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

static bool gcda_write(const char *folder, const struct export_input *input,
                       export_sink *sink, void *data, struct fault *fault)
{
    const struct view *view = input->view;
    struct arccounts counts;
    bool good =
        arccounts_solve(&counts, view->profile, view->program, view->sources, fault) &&
        arccounts_any(&counts, input->program, fault);
    good = good && make_folder(folder, fault);
    if (good) {
        tell_doubts(input->program, &counts);
        tell_sum(&counts, view->profile);
        tell_changes(&counts);
        put_objects(&counts, folder, sink, data);
    }
    arccounts_free(&counts);
    return good;
}

const struct export_format gcda_format = {
    .name = "gcda",
    .argument = "<folder>",
    .help = "write .gcda files for gcc -fprofile-use",
    .details = "`beside' means beside each object. Needs a program that was trained.",
    .goes_by = VIEWS_BY_DATA EXPORT_BY_BUILDS "source-map weight",
    .unprinted = true,
    .needs = EXPORT_RUNS,
    .write_files = gcda_write,
};
