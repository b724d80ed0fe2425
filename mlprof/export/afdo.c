/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what a program that was compiled with the argument `train' has counted as a
   profile for gcc -fauto-profile (GCC: auto-profile.cc; google/autofdo: gcov.cc,
   profile_writer.cc).  GCC looks a statement up by its function's symbol and by how many
   lines it stands behind the function's first one: so the profile still holds where other
   functions have changed.  The version of the format is that of the GCC that compiled the
   program: 2 up to GCC 15, 3 from GCC 16 on.  */

#include "mlprof/export/export.h"
#include "mlprof/base/buf.h"
#include "mlprof/export/gcovwords.h"
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
    gcovwords_word(out, (uint32_t)size);
    fwrite(text, 1, size, out);
}

static void put_names(FILE *out, const struct autoprofile *profile)
{
    bool files = version_of(profile) == 3;
    gcovwords_word(out, TAG_NAMES);
    gcovwords_word(out, 0);
    if (files) {
        gcovwords_word(out, (uint32_t)profile->files.count);
        for (uint32_t i = 0; i < profile->files.count; i++)
            put_text(out, intern_text(&profile->files, i));
    }
    gcovwords_word(out, (uint32_t)profile->names.count);
    for (uint32_t i = 0; i < profile->names.count; i++) {
        put_text(out, intern_text(&profile->names, i));
        if (files)
            gcovwords_word(out, profile->file_of[i]);
    }
}

static void put_position(FILE *out, const struct autoprofile *profile,
                         const struct autoprofile_position *position)
{
    uint32_t targets = 0;
    for (uint32_t i = position->targets; i != AUTOPROFILE_NONE;
         i = profile->targets[i].next)
        targets++;
    gcovwords_word(out, position->place);
    gcovwords_word(out, targets);
    gcovwords_counter(out, position->count);
    for (uint32_t i = position->targets; i != AUTOPROFILE_NONE;
         i = profile->targets[i].next) {
        gcovwords_word(out, TARGET);
        gcovwords_counter(out, profile->targets[i].name);
        gcovwords_counter(out, profile->targets[i].count);
    }
}

/* Of blocks that have no count GCC derives one from those around them.  */
static bool is_known(const struct autoprofile_position *position)
{
    return !position->differs || position->targets != AUTOPROFILE_NONE;
}

static void put_body(FILE *out, const struct autoprofile *profile,
                     const struct autoprofile_body *body)
{
    uint32_t positions = 0, inner = 0;
    for (uint32_t i = body->positions; i != AUTOPROFILE_NONE;
         i = profile->positions[i].next)
        positions += is_known(&profile->positions[i]);
    for (uint32_t i = body->inner; i != AUTOPROFILE_NONE; i = profile->bodies[i].next)
        inner++;
    gcovwords_word(out, body->name);
    gcovwords_word(out, positions);
    gcovwords_word(out, inner);
    for (uint32_t i = body->positions; i != AUTOPROFILE_NONE;
         i = profile->positions[i].next)
        if (is_known(&profile->positions[i]))
            put_position(out, profile, &profile->positions[i]);
    for (uint32_t i = body->inner; i != AUTOPROFILE_NONE; i = profile->bodies[i].next) {
        gcovwords_word(out, profile->bodies[i].place);
        put_body(out, profile, &profile->bodies[i]);
    }
}

static bool is_told(const struct autoprofile_body *body)
{
    return body->around == AUTOPROFILE_NONE && body->executed;
}

static uint32_t count_functions(const struct autoprofile *profile)
{
    uint32_t functions = 0;
    for (size_t i = 0; i < profile->body_count; i++)
        functions += is_told(&profile->bodies[i]);
    return functions;
}

static void put_functions(FILE *out, const struct autoprofile *profile)
{
    gcovwords_word(out, TAG_FUNCTIONS);
    gcovwords_word(out, 0);
    gcovwords_word(out, count_functions(profile));
    for (size_t i = 0; i < profile->body_count; i++) {
        const struct autoprofile_body *body = &profile->bodies[i];
        if (!is_told(body))
            continue;
        gcovwords_counter(out, body->head);
        if (version_of(profile) == 3)
            gcovwords_counter(out, body->first); /* when, of which GCC takes the order */
        put_body(out, profile, body);
    }
}

static int by_count(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a < b) - (a > b);
}

/* Which part of all executions what is executed most makes, in millionths: of each part
   how often the last of these was executed, and how many they are.  */
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
        gcovwords_word(out, parts[i]);
        gcovwords_counter(out, seen ? counts[seen - 1] : 0);
        gcovwords_counter(out, seen);
    }
}

static void put_summary(FILE *out, const struct autoprofile *profile)
{
    uint64_t *counts = buf_alloc((profile->position_count + 1) * sizeof *counts);
    uint64_t head = 0;
    size_t count = 0;
    unsigned __int128 total = 0;
    for (size_t i = 0; i < profile->position_count; i++) {
        if (!is_known(&profile->positions[i]) || !profile->positions[i].count)
            continue;
        counts[count] = profile->positions[i].count;
        total += counts[count++];
    }
    for (size_t i = 0; i < profile->body_count; i++)
        if (profile->bodies[i].head > head)
            head = profile->bodies[i].head;
    qsort(counts, count, sizeof *counts, by_count);
    gcovwords_word(out, TAG_SUMMARY);
    gcovwords_counter(out, total > UINT64_MAX ? UINT64_MAX : (uint64_t)total);
    gcovwords_counter(out, counts[0]);
    gcovwords_counter(out, head);
    gcovwords_counter(out, count);
    gcovwords_counter(out, count_functions(profile));
    gcovwords_counter(out, 16);
    put_parts(out, counts, count, total);
    free(counts);
}

static void put_profile(FILE *out, const struct autoprofile *profile)
{
    gcovwords_word(out, MAGIC);
    gcovwords_word(out, version_of(profile));
    gcovwords_word(out, 0);
    if (version_of(profile) == 3)
        put_summary(out, profile);
    put_names(out, profile);
    put_functions(out, profile);
    gcovwords_word(out, TAG_MODULES);
    gcovwords_word(out, 0);
    gcovwords_word(out, 0);
}

static bool afdo_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    const struct view *view = input->view;
    struct arccounts counts;
    struct autoprofile profile = {0};
    bool good = arccounts_solve(&counts, view->profile, view->program, NULL, fault) &&
                arccounts_any(&counts, input->program, fault) &&
                autoprofile_make(&profile, &counts, input->program, fault);
    if (good)
        put_profile(out, &profile);
    autoprofile_free(&profile);
    arccounts_free(&counts);
    return good;
}

const struct export_format afdo_format = {
    .name = "afdo",
    .help = "write a profile for gcc -fauto-profile",
    .details = "For sources that have changed since. Needs a program that was trained.",
    .goes_by = VIEWS_BY_DATA EXPORT_BY_BUILDS "weight",
    .unprinted = true,
    .needs = EXPORT_RUNS,
    .write = afdo_write,
};
