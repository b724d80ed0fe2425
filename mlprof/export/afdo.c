/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the counts of a program compiled with the argument `train' as a profile for
   gcc -fauto-profile (GCC: auto-profile.cc; google/autofdo: gcov.cc,
   profile_writer.cc). GCC identifies a statement by the symbol of its function and
   its line relative to the function's first line. So the profile remains valid for a
   function when other functions change. The version of the format depends on the GCC
   that compiled the program: 2 up to GCC 15, 3 from GCC 16 on. */

#include "mlprof/base/buf.h"
#include "mlprof/export/export.h"
#include "mlprof/flow/autoprofile.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC         0x67636461 /* gcda */
#define TAG_SUMMARY   0xa8000000
#define TAG_NAMES     0xaa000000
#define TAG_FUNCTIONS 0xac000000
#define TAG_MODULES   0xae000000
#define TARGET        7 /* GCC: HIST_TYPE_INDIR_CALL_TOPN */

static unsigned version_of(const struct autoprofile *profile)
{
    return profile->major < 16 ? 2 : 3;
}

static void put_text(FILE *out, const char *text)
{
    size_t size = strlen(text) + 1;
    words_put(out, (uint32_t)size);
    fwrite(text, 1, size, out);
}

static void put_names(FILE *out, const struct autoprofile *profile)
{
    bool files = version_of(profile) == 3;
    words_put(out, TAG_NAMES);
    words_put(out, 0);
    if (files) {
        words_put(out, (uint32_t)profile->files.count);
        for (uint32_t i = 0; i < profile->files.count; i++)
            put_text(out, intern_text(&profile->files, i));
    }
    words_put(out, (uint32_t)profile->names.count);
    for (uint32_t i = 0; i < profile->names.count; i++) {
        put_text(out, intern_text(&profile->names, i));
        if (files)
            words_put(out, profile->file_of[i]);
    }
}

static void put_position(FILE *out, const struct autoprofile *profile,
                         const struct autoprofile_position *position)
{
    uint32_t targets = 0;
    for (uint32_t i = position->targets; i != AUTOPROFILE_NONE;
         i = profile->targets.list[i].next)
        targets++;
    words_put(out, position->place);
    words_put(out, targets);
    words_put_two(out, position->count);
    for (uint32_t i = position->targets; i != AUTOPROFILE_NONE;
         i = profile->targets.list[i].next) {
        words_put(out, TARGET);
        words_put_two(out, profile->targets.list[i].name);
        words_put_two(out, profile->targets.list[i].count);
    }
}

/* Positions without a count are omitted. GCC derives counts of their blocks from
   neighbouring blocks. */
static bool is_known(const struct autoprofile_position *position)
{
    return !position->differs || position->targets != AUTOPROFILE_NONE;
}

static void put_body(FILE *out, const struct autoprofile *profile,
                     const struct autoprofile_body *body)
{
    uint32_t positions = 0, inner = 0;
    for (uint32_t i = body->positions; i != AUTOPROFILE_NONE;
         i = profile->positions.list[i].next)
        positions += is_known(&profile->positions.list[i]);
    for (uint32_t i = body->inner; i != AUTOPROFILE_NONE;
         i = profile->bodies.list[i].next)
        inner++;
    words_put(out, body->name);
    words_put(out, positions);
    words_put(out, inner);
    for (uint32_t i = body->positions; i != AUTOPROFILE_NONE;
         i = profile->positions.list[i].next)
        if (is_known(&profile->positions.list[i]))
            put_position(out, profile, &profile->positions.list[i]);
    for (uint32_t i = body->inner; i != AUTOPROFILE_NONE;
         i = profile->bodies.list[i].next) {
        words_put(out, profile->bodies.list[i].place);
        put_body(out, profile, &profile->bodies.list[i]);
    }
}

static bool is_written(const struct autoprofile_body *body)
{
    return body->outer == AUTOPROFILE_NONE && body->executed;
}

static uint32_t count_functions(const struct autoprofile *profile)
{
    uint32_t functions = 0;
    for (size_t i = 0; i < profile->bodies.count; i++)
        functions += is_written(&profile->bodies.list[i]);
    return functions;
}

static void put_functions(FILE *out, const struct autoprofile *profile)
{
    words_put(out, TAG_FUNCTIONS);
    words_put(out, 0);
    words_put(out, count_functions(profile));
    for (size_t i = 0; i < profile->bodies.count; i++) {
        const struct autoprofile_body *body = &profile->bodies.list[i];
        if (!is_written(body))
            continue;
        words_put_two(out, body->head);
        if (version_of(profile) == 3)
            words_put_two(out, body->first); /* GCC uses only the order of these times */
        put_body(out, profile, body);
    }
}

BUF_COMPARE(by_count, uint64_t, BUF_ORDER(*b, *a))

/* Writes a table of shares of all executions, in millionths. Each share is reached by
   adding up positions, the most executed positions first. For each share, writes the
   count of the last position added, and the number of positions added. */
static void put_parts(FILE *out, const uint64_t *counts, size_t count,
                      unsigned __int128 total)
{
    static const uint32_t parts[] = {10000,  100000, 200000, 300000, 400000, 500000,
                                     600000, 700000, 800000, 900000, 950000, 990000,
                                     999000, 999900, 999990, 999999};
    unsigned __int128 sum = 0;
    size_t seen = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        while (seen < count && sum * 1000000 < total * parts[i])
            sum += counts[seen++];
        words_put(out, parts[i]);
        words_put_two(out, seen ? counts[seen - 1] : 0);
        words_put_two(out, seen);
    }
}

static void put_summary(FILE *out, const struct autoprofile *profile)
{
    uint64_t *counts = buf_alloc((profile->positions.count + 1) * sizeof *counts);
    uint64_t head = 0;
    size_t count = 0;
    unsigned __int128 total = 0;
    for (size_t i = 0; i < profile->positions.count; i++) {
        if (!is_known(&profile->positions.list[i]) || !profile->positions.list[i].count)
            continue;
        counts[count] = profile->positions.list[i].count;
        total += counts[count++];
    }
    for (size_t i = 0; i < profile->bodies.count; i++)
        if (profile->bodies.list[i].head > head)
            head = profile->bodies.list[i].head;
    BUF_SORT(counts, count, by_count);
    words_put(out, TAG_SUMMARY);
    words_put_two(out, total > UINT64_MAX ? UINT64_MAX : (uint64_t)total);
    words_put_two(out, counts[0]);
    words_put_two(out, head);
    words_put_two(out, count);
    words_put_two(out, count_functions(profile));
    words_put_two(out, 16);
    put_parts(out, counts, count, total);
    free(counts);
}

static void put_profile(FILE *out, const struct autoprofile *profile)
{
    words_put(out, MAGIC);
    words_put(out, version_of(profile));
    words_put(out, 0);
    if (version_of(profile) == 3)
        put_summary(out, profile);
    put_names(out, profile);
    put_functions(out, profile);
    words_put(out, TAG_MODULES);
    words_put(out, 0);
    words_put(out, 0);
}

static void afdo_write(FILE *out, const struct export_input *input)
{
    const struct view *view = input->view;
    struct arccounts counts;
    struct autoprofile profile = {0};
    if (arccounts_solve(&counts, view->profile, view->program, NULL, input->fault) &&
        arccounts_any(&counts, input->program, input->fault) &&
        autoprofile_make(&profile, &counts, input->program, input->fault))
        put_profile(out, &profile);
    autoprofile_free(&profile);
    arccounts_free(&counts);
}

const struct export_format afdo_format = {
    .name = "afdo",
    .help = "write a profile for gcc -fauto-profile",
    .details = "Use it if the sources have changed since. Needs a program compiled with\n"
               "train.",
    .kind = OUTPUTS_AFDO,
    .needs = EXPORT_RUNS,
    .write = afdo_write,
};
