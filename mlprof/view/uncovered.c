/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/uncovered.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

/* Of so many percent the remedy is told.  */
#define MUCH 5.0

/* Modules that are told each for itself, and from how many percent on.  */
#define TOLD_MOST  5
#define TOLD_LEAST 0.5

/* A module's samples outside of its tables.  */
struct part {
    uint32_t module; /* the profile's; PROFILE_NO_MODULE: none */
    uint64_t samples;
};

/* A function that is excluded or taken out (unprofile.h) has tables, perhaps, and is not
   covered all the same: the compiler may as well have left them away.  */
static bool is_covered(const struct program *program, const struct profile_node *node)
{
    struct tables *tables =
        node->module < program->count ? program->tables[node->module] : NULL;
    struct tables_point point;
    return tables && tables_find(tables, node->address, &point) &&
           function_innermost(tables_function(tables, point.function), point.point);
}

static int by_samples(const void *one, const void *other)
{
    const struct part *a = one, *b = other;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return (a->module > b->module) - (a->module < b->module);
}

/* The parts of all modules, then that of none, sorted; *TOTAL is their sum.  */
static struct part *find_parts(const struct profile *profile,
                               const struct program *program, uint64_t *total)
{
    size_t count = profile->module_count;
    struct part *parts = buf_alloc((count + 1) * sizeof *parts);
    for (size_t i = 0; i <= count; i++)
        parts[i].module = i < count ? (uint32_t)i : PROFILE_NO_MODULE;
    *total = 0;
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        if (node->count == 0 || node->module == PROFILE_LABEL ||
            is_covered(program, node))
            continue;
        parts[node->module < count ? node->module : count].samples += node->count;
        *total += node->count;
    }
    qsort(parts, count + 1, sizeof *parts, by_samples);
    return parts;
}

static double percent(const struct profile *profile, uint64_t samples)
{
    return 100 * (double)samples / (double)profile->samples;
}

static char *seconds_of(const struct profile *profile, uint64_t samples)
{
    return text_commas((double)samples / (double)profile->rate, 2);
}

static void print_part(FILE *out, const struct profile *profile, uint64_t samples,
                       const char *where, const char *more)
{
    char *seconds = seconds_of(profile, samples), *clean = text_clean(where);
    fprintf(out, "%8s s (%4.1f %%) in %s%s\n", seconds, percent(profile, samples), clean,
            more);
    free(clean);
    free(seconds);
}

static void print_module(FILE *out, const struct profile *profile,
                         const struct part *part, const struct program *program,
                         const char *executable)
{
    const char *partly =
        ", in assembly, excluded functions or files compiled without ccprof";
    if (part->module == PROFILE_NO_MODULE) {
        print_part(out, profile, part->samples, "no module", ": code made at run time");
        return;
    }
    bool has_tables = program->tables[part->module] != NULL &&
                      !tables_is_bare(program->tables[part->module]);
    print_part(out, profile, part->samples,
               part->module ? profile->modules[part->module].path : executable,
               has_tables ? partly : "");
}

void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown)
{
    uint64_t total, rest;
    struct part *parts = find_parts(profile, program, &total);
    if (total) {
        char *seconds = seconds_of(profile, total);
        fprintf(out, "%s s (%.1f %%) in code without ccprof%s:\n", seconds,
                percent(profile, total),
                shown            ? ""
                : profile->stack ? ", charged to its callers or <unprofiled>"
                                 : ", which is <unprofiled>");
        free(seconds);
    }
    rest = total;
    for (size_t i = 0; i < TOLD_MOST && i <= profile->module_count; i++) {
        if (parts[i].samples == 0 ||
            (i && percent(profile, parts[i].samples) < TOLD_LEAST))
            break;
        print_module(out, profile, &parts[i], program, executable);
        rest -= parts[i].samples;
    }
    if (rest)
        print_part(out, profile, rest, "others", "");
    if (total && percent(profile, total) >= MUCH)
        fprintf(out, "compile that with ccprof if you can%s\n",
                shown ? "" : ", or see its functions: -show-extern true");
    free(parts);
}
