/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/kernel-time.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/program/code-names.h"
#include "mlprof/rows/rows.h"

#include <stdlib.h>

/* How many system calls are named at most, and the least percentage of all but the
   first.  */
#define NAMED_MOST  5
#define NAMED_LEAST 0.5

/* What the kernel did, and its samples.  */
struct done {
    uint64_t address; /* in the kernel's module */
    uint64_t samples;
};

static int by_samples(const void *one, const void *other)
{
    const struct done *a = one, *b = other;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

/* By address, what is in the kernel's module; to be freed.  *TOTAL is their sum.  */
static struct done *find_done(const struct profile *profile, size_t *count,
                              uint64_t *total)
{
    struct index index = {0};
    struct done *list = NULL;
    size_t capacity = 0;
    uint32_t kernel = kernel_module(profile);
    *count = 0;
    *total = 0;
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        bool fresh;
        if (node->module != kernel)
            continue;
        uint32_t number = index_put(&index, node->address, 0, 0, &fresh);
        if (fresh) {
            list = buf_grow(list, &capacity, *count + 1, sizeof *list);
            list[(*count)++] = (struct done){.address = node->address};
        }
        list[number].samples += node->count;
        *total += node->count;
    }
    index_free(&index);
    if (list)
        qsort(list, *count, sizeof *list, by_samples);
    return list;
}

static void print_share(FILE *out, const struct profile *profile, const char *name,
                        uint64_t samples)
{
    BUF_OWN char *seconds = text_commas((double)samples / (double)profile->rate, 2);
    fprintf(out, "%s %s s (%.1f %%)", name, seconds,
            rows_percent(samples, profile->samples));
}

void kernel_time_print(FILE *out, const struct profile *profile,
                       const struct program *program)
{
    size_t count;
    uint64_t total, rest;
    BUF_OWN struct done *list = find_done(profile, &count, &total);
    if (total) {
        print_share(out, profile, "user", profile->samples - profile->lost - total);
        print_share(out, profile, ", kernel", total);
        const char *before = ":";
        rest = total;
        for (size_t i = 0; i < count && i < NAMED_MOST; i++) {
            if (i && rows_percent(list[i].samples, profile->samples) < NAMED_LEAST)
                break;
            if (list[i].address == CCPROF_KERNEL_UNKNOWN)
                continue;
            BUF_OWN char *name = kernel_name(program, list[i].address);
            fprintf(out, "%s %s %.1f %%", before, name,
                    rows_percent(list[i].samples, profile->samples));
            before = ",";
            rest -= list[i].samples;
        }
        if (rest)
            fprintf(out, "%s others %.1f %%", before,
                    rows_percent(rest, profile->samples));
        putc('\n', out);
    }
}
