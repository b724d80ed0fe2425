/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each line is written from its description in doc/mlmon.out.5, without using the code of
   the reader. */

#define _GNU_SOURCE
#include "testsuite/unit/profile_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Writes BEFORE and the numbers, each after a space. */
#define NUMBERS(out, before, ...)                                                        \
    write_numbers(out, before, (const uint64_t[]){__VA_ARGS__},                          \
                  sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void write_numbers(FILE *out, const char *before, const uint64_t *numbers,
                          size_t count)
{
    fputs(before, out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %" PRIu64, numbers[i]);
}

static void write_name(FILE *out, const char *before, const char *name)
{
    fputs(before, out);
    for (; *name; name++)
        if (*name == '\\' || *name == '\n')
            fputs(*name == '\n' ? "\\n" : "\\\\", out);
        else
            putc(*name, out);
}

/* Writes the names of the set bits, with SEPARATOR between them. */
static void write_bits(FILE *out, const char *before, unsigned bits,
                       const char *const *words, const char *separator)
{
    fputs(before, out);
    for (; bits; bits >>= 1, words++)
        if (bits & 1)
            fprintf(out, "%s%s", *words, bits > 1 ? separator : "");
}

static void write_origin(FILE *out, const struct origins *origins)
{
    const struct origins_origin *origin = &origins->origins[0];
    const char *host = origins_host(origins, 0);
    if (host)
        write_name(out, "\nhost ", host);
    if (origin->ranked)
        NUMBERS(out, "\nrank", origin->rank, origin->size);
}

static void write_head(FILE *out, const struct profile *profile)
{
    static const char *const kinds[] = {"time", "count", "alloc", "", "", "region"};
    static const char *const engines[] = {"task-clock", "thread-timer", "wall-timer"};
    static const char *const refused[] = CCPROF_REFUSED_NAMES;

    write_bits(out, "kind ", profile->kind, kinds, ",");
    for (uint32_t i = 0; i < profile->commands.count; i++)
        write_name(out, "\ncommand ", intern_text(&profile->commands, i));
    if (profile->origins.count == 1)
        write_origin(out, &profile->origins);
    for (uint32_t i = 0; i < profile->processes.count; i++)
        write_name(out, "\nprocess ", intern_text(&profile->processes, i));
    bool time = profile->kind & CCPROF_KIND_TIME;
    if (time) {
        write_bits(out, "\nengine ", profile->engines, engines, ",");
        fputs(profile->clock == PROFILE_CPU ? "\nclock cpu" : "\nclock wall", out);
        NUMBERS(out, "\nrate", profile->rate);
        fputs(profile->stack ? "\nstack yes" : "\nstack no", out);
    }
    NUMBERS(out, "\ncpu", profile->cpu);
    NUMBERS(out, "\nwall", profile->wall);
    NUMBERS(out, "\nthreads", profile->threads);
    if (profile->most_threads != profile->threads)
        NUMBERS(out, "\nmost-threads", profile->most_threads);
    NUMBERS(out, "\nwaits", profile->waits);
    if (time) {
        NUMBERS(out, "\nsamples", profile->samples);
        NUMBERS(out, "\nlost", profile->lost);
        fprintf(out, "\nelsewhere %" PRId64, profile->moved);
    }
    if (profile->interrupted)
        NUMBERS(out, "\ninterrupted", profile->interrupted);
    if (profile->weights.excess)
        fprintf(out, "\nweights %" PRIu64 " %" PRIu64, profile->weights.heaviest,
                profile->weights.excess);
    if (profile->refused)
        write_bits(out, "\nrefused ", profile->refused, refused, " ");
    for (uint32_t i = 0; i < profile->messages.count; i++)
        write_name(out, "\nmessage ", intern_text(&profile->messages, i));
    if (profile->ccprof_samples)
        NUMBERS(out, "\nown-samples", profile->ccprof_samples);
}

static void write_modules(FILE *out, const struct profile *profile)
{
    for (size_t i = 0; i < profile->module_count; i++) {
        const char *id = profile->modules[i].build_id;
        fprintf(out, "\nmodule %zu %s 0x0", i, id ? id : "-");
        write_name(out, " ", profile->modules[i].path);
    }
    for (size_t i = 0; i < profile->label_count; i++) {
        NUMBERS(out, "\nlabel", i);
        write_name(out, " ", profile->labels[i]);
    }
    for (uint32_t i = 0; i < profile->thread_names.count; i++)
        write_name(out, "\nthread ", intern_text(&profile->thread_names, i));
}

/* Writes a module and an address. */
static void write_code(FILE *out, const struct profile *profile, uint32_t module,
                       uint64_t address)
{
    if (module == PROFILE_THREAD)
        address =
            strtoull(intern_text(&profile->thread_names, (uint32_t)address), NULL, 10);
    if (module < PROFILE_MODULES)
        fprintf(out, "%" PRIu32, module);
    else
        fputs(module == PROFILE_LABEL    ? "label"
              : module == PROFILE_THREAD ? "thread"
                                         : "-",
              out);
    fprintf(out, " 0x%" PRIx64, address);
}

/* Writes the depth of a point, one more than its parent's, and stores it in DEPTHS. */
static void write_depth(FILE *out, size_t *depths, size_t number, uint32_t parent)
{
    depths[number] = parent == PROFILE_NO_NODE ? 0 : depths[parent] + 1;
    fprintf(out, "\n%zu ", depths[number]);
}

static void write_samples(FILE *out, const struct profile *profile)
{
    size_t *depths = calloc(profile->node_count + 1, sizeof *depths);
    const struct shares *times = &profile->times.shares;
    if (profile->times.width)
        NUMBERS(out, "\ntimes", profile->times.width, profile->times.span);
    NUMBERS(out, "\ncounts", profile->node_count + times->count);
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        uint64_t timed = 0;
        for (size_t k = 0; k < times->count; k++)
            timed += times->entries[k].owner == i ? times->entries[k].count : 0;
        write_depth(out, depths, i, node->parent);
        write_code(out, profile, node->module, node->address);
        NUMBERS(out, "", node->count - timed);
        for (size_t k = 0; k < times->count; k++)
            if (times->entries[k].owner == i)
                fprintf(out, "\n%zu time 0x%" PRIx32 " %" PRIu64, depths[i] + 1,
                        times->entries[k].bin, times->entries[k].count);
    }
    free(depths);
}

static void write_target(FILE *out, const struct profile *profile,
                         const struct profile_target *target)
{
    putc('\n', out);
    write_code(out, profile, target->site_module, target->site);
    putc(' ', out);
    write_code(out, profile, target->module, target->address);
}

static void write_counts(FILE *out, const struct profile *profile)
{
    if (profile->uncounted)
        NUMBERS(out, "\nuncounted", profile->uncounted);
    if (profile->switched)
        fputs("\nswitched", out);
    fputs("\ncounters", out);
    for (size_t i = 0; i < profile->counter_count; i++) {
        putc('\n', out);
        write_code(out, profile, profile->counters[i].module,
                   profile->counters[i].address);
        NUMBERS(out, "", profile->counters[i].count);
    }
    if (profile->target_count || profile->rest_count)
        fputs("\ntargets", out);
    for (size_t i = 0; i < profile->target_count; i++) {
        write_target(out, profile, &profile->targets[i]);
        NUMBERS(out, "", profile->targets[i].count);
    }
    for (size_t i = 0; i < profile->rest_count; i++) {
        write_target(out, profile, &profile->rests[i]);
        fputs(" rest", out);
    }
}

static void write_wide(FILE *out, regions_wide number)
{
    if (number >= 10)
        write_wide(out, number / 10);
    putc('0' + (int)(number % 10), out);
}

static void write_path(FILE *out, const struct regions_path *path)
{
    const struct regions_sums *sums = &path->sums;
    if (path->parent == REGIONS_NO_PATH)
        fputs("\npath -", out);
    else
        NUMBERS(out, "\npath", path->parent);
    NUMBERS(out, "", path->region, sums->count, sums->total, sums->nested, sums->self);
    putc(' ', out);
    write_wide(out, sums->squares);
    NUMBERS(out, "", sums->direct, sums->inside, sums->first, sums->min, sums->max);
    if (sums->has_cpu)
        NUMBERS(out, "", sums->cpu);
    NUMBERS(out, sums->has_cpu ? "" : " -", sums->left, sums->open, sums->spent,
            sums->cold, sums->cold_total, sums->cold_min, sums->cold_max);
    for (size_t i = 0; i < CCPROF_BUCKETS; i++)
        if (sums->buckets[i])
            NUMBERS(out, "\nbucket", i, sums->buckets[i]);
}

static void write_regions(FILE *out, const struct profile *profile)
{
    static const char *const clocks[] = {"", "tsc", "cntvct", "rdtime", "monotonic"};
    const struct regions *regions = &profile->regions;
    fprintf(out, "\nregions %s", clocks[regions->clock]);
    NUMBERS(out, "", regions->hz, regions->inner, regions->outer);
    for (size_t i = 0; i < regions->region_count; i++) {
        fprintf(out, "\nregion %zu ", i);
        write_code(out, profile, regions->regions[i].module, regions->regions[i].address);
        write_name(out, " ", intern_text(&regions->names, regions->regions[i].name));
    }
    for (size_t i = 0; i < regions->path_count; i++)
        write_path(out, &regions->paths[i]);
    if (regions->has_events)
        NUMBERS(out, "\nevents", regions->event_least);
    for (size_t i = 0; i < regions->event_count; i++) {
        const struct regions_event *event = &regions->events[i];
        NUMBERS(out, "\nevent", event->thread, event->path, event->start, event->length);
    }
}

/* Writes the amounts of the measures from FIRST to END - 1. */
static void write_amounts(FILE *out, const char *before,
                          const struct heapdata_amount *amounts, size_t first, size_t end)
{
    fputs(before, out);
    for (size_t i = first; i < end; i++)
        NUMBERS(out, "", amounts[i].blocks, amounts[i].bytes);
}

/* Writes when the blocks of a node were allocated and freed. Cells with the same
   allocation bucket are adjacent. */
static void write_born(FILE *out, const struct heaptimes *times, size_t node)
{
    const struct heaptimes_cell *cells = times->cells;
    for (size_t i = 0, end; i < times->cell_count; i = end) {
        uint64_t blocks = 0, bytes = 0;
        for (end = i; end < times->cell_count && cells[end].node == cells[i].node &&
                      cells[end].born == cells[i].born;
             end++) {
            blocks += cells[end].blocks;
            bytes += cells[end].bytes;
        }
        if (cells[i].node != node)
            continue;
        NUMBERS(out, "\nborn", cells[i].born, blocks, bytes);
        for (size_t k = i; k < end; k++)
            if (cells[k].freed != HEAPTIMES_ALIVE)
                NUMBERS(out, "", cells[k].freed, cells[k].blocks, cells[k].bytes);
    }
}

static void write_heap_head(FILE *out, const struct heapdata *heap)
{
    static const char *const words[] = {"\nallocated", "\nfreed", "\nalive", "\npeak"};
    const struct heaptimes *times = &heap->times;
    if (heap->sample)
        NUMBERS(out, "\nheap sampled", heap->sample);
    else
        fputs("\nheap exact", out);
    fputs(heap->ended ? " ended" : " running", out);
    for (size_t i = 0; i < HEAPDATA_POINT; i++)
        write_amounts(out, words[i], heap->sums, i, i + 1);
    NUMBERS(out, "", heap->peak_time);
    NUMBERS(out, "\nunknown", heap->unknown);
    NUMBERS(out, "\nunkept", heap->unkept);
    NUMBERS(out, "\nmemory", heap->memory);
    if (heap->reach || heap->unseen.blocks || heap->unseen.bytes)
        NUMBERS(out, "\nunseen", heap->unseen.blocks, heap->unseen.bytes);
    if (heap->reach)
        write_amounts(out, "\nreach", heap->sums, HEAPDATA_LOST, HEAPDATA_LEAKED);
    if (times->count) {
        NUMBERS(out, "\ntimes", times->width, times->count);
        fputs(times->cells_known ? " stacks" : " crowded", out);
    }
    for (uint32_t i = 0; i < times->count; i++)
        fprintf(out, "\n%" PRIu64 " %" PRIu64 " %" PRIu64, times->buckets[i].most,
                times->buckets[i].alive, times->buckets[i].resident);
}

static void write_heap(FILE *out, const struct profile *profile)
{
    const struct heapdata *heap = &profile->heap;
    size_t *depths = calloc(heap->node_count + 1, sizeof *depths);
    write_heap_head(out, heap);
    NUMBERS(out, "\nstacks", heap->node_count);
    for (size_t i = 0; i < heap->node_count; i++) {
        const struct heapdata_node *node = &heap->nodes[i];
        uint64_t lives = 0, reach = 0;
        write_depth(out, depths, i, node->parent);
        write_code(out, profile, node->module, node->address);
        write_amounts(out, "", node->amounts, 0, HEAPDATA_POINT);
        for (size_t k = HEAPDATA_POINT; k < HEAPDATA_YOUNG; k++)
            lives |= node->amounts[k].blocks;
        if (heap->lives && lives)
            write_amounts(out, "\nlife", node->amounts, HEAPDATA_POINT, HEAPDATA_YOUNG);
        for (size_t k = HEAPDATA_LOST; k < HEAPDATA_LEAKED; k++)
            reach |= node->amounts[k].blocks;
        if (reach)
            write_amounts(out, "\nreach", node->amounts, HEAPDATA_LOST, HEAPDATA_LEAKED);
        write_born(out, &heap->times, i);
    }
    free(depths);
}

char *profile_text(const struct profile *profile)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write_head(out, profile);
    write_modules(out, profile);
    if (profile->kind & CCPROF_KIND_TIME)
        write_samples(out, profile);
    if (profile->kind & CCPROF_KINDS_COUNTED)
        write_counts(out, profile);
    if (profile->regions.clock != REGIONS_NONE)
        write_regions(out, profile);
    if (profile->heap.measured)
        write_heap(out, profile);
    fputs("\nend\n", out);
    fclose(out);
    return text;
}
