/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/uncovered.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/program/code-names.h"
#include "mlprof/rows/rows.h"

#include <stdlib.h>

/* The percentage from which on the remedy is told.  */
#define MUCH 5.0

/* How many modules have a line of their own at most, and the least percentage of all but
   the first.  */
#define TOLD_MOST  5
#define TOLD_LEAST 0.5

/* A module, and its samples in code without tables.  */
struct module {
    uint32_t number; /* of the module in the profile; PROFILE_NO_MODULE: none */
    uint64_t samples;
};

/* Whether the tables cover the node's address.  A function that was excluded or taken out
   (names.h) counts as not covered even if it has tables, since the compiler might
   have left them out.  */
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
    const struct module *a = one, *b = other;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* All modules and `none', by decreasing samples; to be freed.  *TOTAL is their sum.  */
static struct module *find_modules(const struct profile *profile,
                                   const struct program *program, uint64_t *total)
{
    size_t count = profile->module_count;
    uint32_t kernel = kernel_module(profile);
    struct module *modules = buf_alloc((count + 1) * sizeof *modules);
    for (size_t i = 0; i <= count; i++)
        modules[i].number = i < count ? (uint32_t)i : PROFILE_NO_MODULE;
    *total = 0;
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        if (node->count == 0 || profile_is_around(node) || node->module == kernel ||
            is_covered(program, node))
            continue;
        modules[node->module < count ? node->module : count].samples += node->count;
        *total += node->count;
    }
    qsort(modules, count + 1, sizeof *modules, by_samples);
    return modules;
}

double uncovered_percent(const struct profile *profile, const struct program *program)
{
    uint64_t total;
    free(find_modules(profile, program, &total));
    return total ? rows_percent(total, profile->samples) : 0;
}

static char *seconds_of(const struct profile *profile, uint64_t samples)
{
    return text_commas((double)samples / (double)profile->rate, 2);
}

static void print_samples(FILE *out, const struct profile *profile, uint64_t samples,
                          const char *where, const char *more)
{
    BUF_OWN char *seconds = seconds_of(profile, samples), *clean = text_clean(where);
    fprintf(out, "%8s s (%4.1f %%) in %s%s\n", seconds,
            rows_percent(samples, profile->samples), clean, more);
}

static void print_module(FILE *out, const struct profile *profile,
                         const struct module *module, const struct program *program,
                         const char *executable)
{
    const char *partly =
        ", in assembly, excluded functions or files compiled without ccprof";
    if (module->number == PROFILE_NO_MODULE) {
        print_samples(out, profile, module->samples, "no module",
                      ": code made at run time");
        return;
    }
    bool has_tables = program->tables[module->number] != NULL &&
                      !tables_is_bare(program->tables[module->number]);
    print_samples(out, profile, module->samples,
                  module->number ? profile->modules[module->number].path : executable,
                  has_tables ? partly : "");
}

void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown)
{
    uint64_t total, rest;
    BUF_OWN struct module *modules = find_modules(profile, program, &total);
    if (total) {
        BUF_OWN char *seconds = seconds_of(profile, total);
        fprintf(out, "%s s (%.1f %%) in code without ccprof%s:\n", seconds,
                rows_percent(total, profile->samples),
                shown            ? ""
                : profile->stack ? ", charged to its callers or <unprofiled>"
                                 : ", which is <unprofiled>");
    }
    rest = total;
    for (size_t i = 0; i < TOLD_MOST && i <= profile->module_count; i++) {
        if (modules[i].samples == 0 ||
            (i && rows_percent(modules[i].samples, profile->samples) < TOLD_LEAST))
            break;
        print_module(out, profile, &modules[i], program, executable);
        rest -= modules[i].samples;
    }
    if (rest)
        print_samples(out, profile, rest, "others", "");
    if (total && rows_percent(total, profile->samples) >= MUCH)
        fprintf(out, "compile that with ccprof if you can%s\n",
                shown ? "" : ", or see its functions: -show-extern true");
}
