/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the samples in code without tables, in the kernel, and with a broken stack, and
   the instructions that are not counted. show.c calls it below the tables. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/program/code-names.h"
#include "mlprof/rows/rows.h"
#include "mlprof/view/balance.h"

#include <stdlib.h>
#include <string.h>

/* The minimum percentage of uncovered time for which advice is printed. */
#define MUCH 5.0

/* The minimum percentage of samples with unknown callers for which a warning is
   printed. */
#define BROKEN_LEAST 1.0

/* The maximum number of modules, system calls or functions that are printed. The
   first is always printed; each of the others must have at least PRINTED_LEAST
   percent. */
#define PRINTED_MOST  5
#define PRINTED_LEAST 0.5

/* A module, or an activity of the kernel, with its samples. */
struct part {
    uint64_t number; /* index of the module in the profile, or PROFILE_NO_MODULE; for the
                        kernel, the address in its module */
    uint64_t samples;
};

/* Returns whether the tables cover the node's address. A function that was excluded
   or removed (names.h) counts as not covered even if it is in the tables, because the
   compiler may also omit such functions. */
static bool is_covered(const struct program *program, const struct profile_node *node)
{
    struct tables *tables =
        node->module < program->count ? program->tables[node->module] : NULL;
    struct tables_point point;
    return tables && tables_find(tables, node->address, &point) &&
           function_innermost(tables_function(tables, point.function), point.point);
}

/* By decreasing samples. */
BUF_COMPARE(by_samples, struct part,
            BUF_ORDER(b->samples, a->samples) ?: BUF_ORDER(a->number, b->number))

/* Returns the samples without tables of each module, and of no module, by decreasing
   samples. The caller frees the array. *TOTAL is their sum. */
static struct part *find_modules(const struct profile *profile,
                                 const struct program *program, uint64_t *total)
{
    size_t count = profile->modules.count;
    uint32_t kernel = kernel_module(profile);
    struct part *modules = buf_alloc((count + 1) * sizeof *modules);
    for (size_t i = 0; i <= count; i++)
        modules[i].number = i < count ? (uint32_t)i : PROFILE_NO_MODULE;
    *total = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        if (node->count == 0 || profile_is_around(node) || node->module == kernel ||
            is_covered(program, node))
            continue;
        modules[node->module < count ? node->module : count].samples += node->count;
        *total += node->count;
    }
    BUF_SORT(modules, count + 1, by_samples);
    return modules;
}

double uncovered_percent(const struct profile *profile, const struct program *program)
{
    uint64_t total;
    free(find_modules(profile, program, &total));
    return total ? rows_percent(total, profile->sampling.samples) : 0;
}

static char *seconds_of(const struct profile *profile, uint64_t samples)
{
    return text_commas((double)samples / (double)profile->sampling.rate, 2);
}

static void print_samples(FILE *out, const struct profile *profile, uint64_t samples,
                          const char *where, const char *more)
{
    BUF_OWN char *seconds = seconds_of(profile, samples), *clean = text_clean(where);
    fprintf(out, "%8s s (%4.1f %%) in %s%s\n", seconds,
            rows_percent(samples, profile->sampling.samples), clean, more);
}

static void print_module(FILE *out, const struct profile *profile,
                         const struct part *module, const struct program *program,
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
                  module->number ? profile->modules.list[module->number].path
                                 : executable,
                  has_tables ? partly : "");
}

void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown)
{
    uint64_t total, rest;
    BUF_OWN struct part *modules = find_modules(profile, program, &total);
    if (total) {
        BUF_OWN char *seconds = seconds_of(profile, total);
        fprintf(out, "%s s (%.1f %%) in code without ccprof%s:\n", seconds,
                rows_percent(total, profile->sampling.samples),
                shown                     ? ""
                : profile->sampling.stack ? ", charged to its callers or <unprofiled>"
                                          : ", which is <unprofiled>");
    }
    rest = total;
    for (size_t i = 0; i < PRINTED_MOST && i <= profile->modules.count; i++) {
        if (modules[i].samples == 0 ||
            (i &&
             rows_percent(modules[i].samples, profile->sampling.samples) < PRINTED_LEAST))
            break;
        print_module(out, profile, &modules[i], program, executable);
        rest -= modules[i].samples;
    }
    if (rest)
        print_samples(out, profile, rest, "others", "");
    if (total && rows_percent(total, profile->sampling.samples) >= MUCH)
        fprintf(out, "compile that with ccprof if you can%s\n",
                shown ? "" : ", or see its functions: -show-extern");
}

/* Returns the *COUNT activities of the kernel by decreasing samples. The caller frees
   them. *TOTAL is the sum of their samples. */
static struct part *find_kernel_activities(const struct profile *profile, size_t *count,
                                           uint64_t *total)
{
    struct index index = {0};
    struct part *list = NULL;
    size_t capacity = 0;
    uint32_t kernel = kernel_module(profile);
    *count = 0;
    *total = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        bool fresh;
        if (node->module != kernel)
            continue;
        uint32_t number = index_put(&index, node->address, 0, 0, &fresh);
        if (fresh)
            BUF_NEXT(list, *count, capacity) = (struct part){.number = node->address};
        list[number].samples += node->count;
        *total += node->count;
    }
    index_free(&index);
    BUF_SORT(list, *count, by_samples);
    return list;
}

static void print_share(FILE *out, const struct profile *profile, const char *name,
                        uint64_t samples)
{
    BUF_OWN char *seconds =
        text_commas((double)samples / (double)profile->sampling.rate, 2);
    fprintf(out, "%s %s s (%.1f %%)", name, seconds,
            rows_percent(samples, profile->sampling.samples));
}

void uncovered_print_kernel(FILE *out, const struct profile *profile,
                            const struct program *program)
{
    size_t count;
    uint64_t total, rest;
    BUF_OWN struct part *list = find_kernel_activities(profile, &count, &total);
    if (total) {
        print_share(out, profile, "user",
                    profile->sampling.samples - profile->sampling.lost - total);
        print_share(out, profile, ", kernel", total);
        const char *before = ":";
        rest = total;
        for (size_t i = 0; i < count && i < PRINTED_MOST; i++) {
            if (i &&
                rows_percent(list[i].samples, profile->sampling.samples) < PRINTED_LEAST)
                break;
            if (list[i].number == CCPROF_KERNEL_UNKNOWN)
                continue;
            BUF_OWN char *name = kernel_name(program, list[i].number);
            fprintf(out, "%s %s %.1f %%", before, name,
                    rows_percent(list[i].samples, profile->sampling.samples));
            before = ",";
            rest -= list[i].samples;
        }
        if (rest)
            fprintf(out, "%s others %.1f %%", before,
                    rows_percent(rest, profile->sampling.samples));
        putc('\n', out);
    }
}

/* Returns the row for missing frames, or NULL if there is none. */
static const struct rows_row *broken_row(const struct rows *rows)
{
    if (rows->key != ROWS_FUNCTIONS)
        return NULL;
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->rows[i].source.name, STACKS_BROKEN) == 0)
            return &rows->rows[i];
    return NULL;
}

uint64_t uncovered_broken_samples(const struct rows *rows)
{
    const struct rows_row *row = broken_row(rows);
    return row ? rows_total(row) : 0;
}

/* By decreasing samples. */
BUF_COMPARE(by_weight, struct rows_edge,
            BUF_ORDER(b->weight, a->weight) ?: BUF_ORDER(a->callee, b->callee))

/* Prints the functions with unknown callers. They are the callees of ROW, the row for
   missing frames. */
static void print_functions(FILE *out, const struct view *view, uint32_t row)
{
    const struct rows *rows = view->rows;
    size_t all, count = 0;
    const struct rows_edge *list = rows_edges(rows, &all);
    BUF_OWN struct rows_edge *edges = buf_alloc((all + 1) * sizeof *edges);
    for (size_t i = 0; i < all; i++)
        if (list[i].caller == row)
            edges[count++] = list[i];
    BUF_SORT(edges, count, by_weight);
    for (size_t i = 0; i < count && i < PRINTED_MOST; i++) {
        BUF_OWN char *name = view_name(view, &rows->rows[edges[i].callee]);
        fprintf(out, "%s %s", i ? "," : "", name);
    }
    if (count > PRINTED_MOST)
        fprintf(out, " and %zu others", count - PRINTED_MOST);
}

/* Returns the number of samples with guessed callers. */
static uint64_t guessed_samples(const struct profile *profile)
{
    BUF_OWN bool *below = buf_alloc((profile->nodes.count + 1) * sizeof *below);
    uint64_t sum = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        below[i] = (node->parent != PROFILE_NO_NODE && below[node->parent]) ||
                   (node->module == PROFILE_NO_MODULE && node->count == 0 &&
                    node->address == CCPROF_POINT_GUESSED);
        sum += below[i] ? node->count : 0;
    }
    return sum;
}

void uncovered_print_broken(FILE *out, const struct view *view)
{
    uint64_t guessed = guessed_samples(view->profile);
    if (rows_percent(guessed, view->profile->sampling.samples) >= PRINTED_LEAST) {
        print_share(out, view->profile, "guessed callers", guessed);
        fprintf(out, ": of code without unwind tables (.eh_frame)\n");
    }
    const struct rows *rows = view->rows;
    const struct rows_row *row = broken_row(rows);
    uint64_t broken = uncovered_broken_samples(rows);
    if (!broken || rows_percent(broken, rows->total) < BROKEN_LEAST)
        return;
    BUF_OWN char *amount = view_amount(view, broken);
    fprintf(out,
            "warning: of %s (%.1f %%) not all callers are known, <broken>: there is "
            "no way (.eh_frame) to those of",
            amount, rows_percent(broken, rows->total));
    print_functions(out, view, (uint32_t)(row - rows->rows));
    putc('\n', out);
}

static void put_own(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *counters = text_number(rest->counters, "instruction");
    if (rest->counters)
        fprintf(out, "not in the numbers: %s of ccprof's counters (%.1f%% of all)\n",
                counters, rows_percent(rest->counters, rest->all + rest->counters));
    BUF_OWN char *padding = text_number(rest->padding, "no-operation");
    if (rest->padding)
        fprintf(out, "not in the numbers: %s that align code (%.1f%%)\n", padding,
                rows_percent(rest->padding, rest->all + rest->padding));
}

/* Prints a line about code without counters, whose instructions are not known. */
static void put_outside(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *calls = text_number(rest->calls, "call");
    BUF_OWN char *system = text_number(rest->system, "system call");
    if (rest->calls)
        fprintf(out, "not in the numbers: code without counters, such as libraries (%s)",
                calls);
    if (rest->system)
        fprintf(out, "%s (%s)",
                rest->calls ? ", and the kernel" : "not in the numbers: the kernel",
                system);
    if (rest->calls || rest->system)
        putc('\n', out);
}

static void put_once(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *repeats = text_number(rest->repeats, "repeated instruction");
    BUF_OWN char *unknown = text_number(rest->unknown, "byte");
    if (rest->repeats)
        fprintf(out, "counted once, not as often as they repeat: %s (rep)\n", repeats);
    BUF_OWN char *loops = text_number(rest->loops, "loop");
    if (rest->loops)
        fprintf(out, "counted once, not as often as they repeat: %s inside assembly\n",
                loops);
    BUF_OWN char *skips = text_number(rest->skips, "instruction");
    if (rest->skips)
        fprintf(out, "counted, although jumps inside assembly may skip them: %s\n",
                skips);
    if (rest->unknown)
        fprintf(out, "counted as one instruction each: %s that mlprof cannot decode\n",
                unknown);
}

static void put_inexact(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *inexact = text_number(rest->inexact, "instruction");
    if (rest->inexact)
        fprintf(out,
                "counted wrongly in totals, but not in self: %s of assembly, or of code "
                "that the linker changed\n",
                inexact);
    BUF_OWN char *tails = text_number(rest->tails, "call");
    if (rest->tails)
        fprintf(out, "not in their callers' totals: %s in tail position (jumps)\n",
                tails);
}

/* Code that other kinds have added is not the plain build's. */
static void put_inside(FILE *out, const struct profile *profile)
{
    if (profile->kind & CCPROF_KIND_COUNT)
        fputs("in the numbers: the counters of calls, because profile=count was given, "
              "too\n",
              out);
}

char *uncovered_instructions(const struct view *view)
{
    const struct instructions_rest *rest = &view->report->instructions;
    char *text = NULL;
    size_t size;
    if (!rest->measured)
        return NULL;
    FILE *out = buf_open(&text, &size);
    put_own(out, rest);
    put_outside(out, rest);
    put_once(out, rest);
    put_inexact(out, rest);
    put_inside(out, view->profile);
    return buf_close_text(out, &text);
}
