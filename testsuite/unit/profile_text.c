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
    for (uint32_t i = 0; i < profile->runs.commands.count; i++)
        write_name(out, "\ncommand ", intern_text(&profile->runs.commands, i));
    if (profile->origins.count == 1)
        write_origin(out, &profile->origins);
    for (uint32_t i = 0; i < profile->names.processes.count; i++)
        write_name(out, "\nprocess ", intern_text(&profile->names.processes, i));
    bool time = profile->kind & CCPROF_KIND_TIME;
    if (time) {
        write_bits(out, "\nengine ", profile->sampling.engines, engines, ",");
        fputs(profile->sampling.clock == PROFILE_CPU ? "\nclock cpu" : "\nclock wall",
              out);
        NUMBERS(out, "\nrate", profile->sampling.rate);
        fputs(profile->sampling.stack ? "\nstack yes" : "\nstack no", out);
    }
    NUMBERS(out, "\ncpu", profile->runs.cpu);
    NUMBERS(out, "\nwall", profile->runs.wall);
    NUMBERS(out, "\nthreads", profile->runs.threads);
    if (profile->runs.most_threads != profile->runs.threads)
        NUMBERS(out, "\nmost-threads", profile->runs.most_threads);
    NUMBERS(out, "\nwaits", profile->runs.waits);
    if (time) {
        NUMBERS(out, "\nsamples", profile->sampling.samples);
        NUMBERS(out, "\nlost", profile->sampling.lost);
        fprintf(out, "\nelsewhere %" PRId64, profile->sampling.moved);
    }
    if (profile->sampling.interrupted)
        NUMBERS(out, "\ninterrupted", profile->sampling.interrupted);
    if (profile->sampling.late)
        NUMBERS(out, "\nlate", profile->sampling.late);
    if (profile->sampling.weights.excess)
        fprintf(out, "\nweights %" PRIu64 " %" PRIu64, profile->sampling.weights.heaviest,
                profile->sampling.weights.excess);
    if (profile->sampling.refused)
        write_bits(out, "\nrefused ", profile->sampling.refused, refused, " ");
    for (uint32_t i = 0; i < profile->runs.messages.count; i++)
        write_name(out, "\nmessage ", intern_text(&profile->runs.messages, i));
    if (profile->sampling.ccprof_samples)
        NUMBERS(out, "\nown-samples", profile->sampling.ccprof_samples);
}

static void write_modules(FILE *out, const struct profile *profile)
{
    for (size_t i = 0; i < profile->modules.count; i++) {
        const char *id = profile->modules.list[i].build_id;
        fprintf(out, "\nmodule %zu %s 0x0", i, id ? id : "-");
        write_name(out, " ", profile->modules.list[i].path);
    }
    for (size_t i = 0; i < profile->names.labels.count; i++) {
        NUMBERS(out, "\nlabel", i);
        write_name(out, " ", profile->names.labels.list[i]);
    }
    for (uint32_t i = 0; i < profile->names.threads.count; i++)
        write_name(out, "\nthread ", intern_text(&profile->names.threads, i));
}

/* Writes a module and an address. */
static void write_code(FILE *out, const struct profile *profile, uint32_t module,
                       uint64_t address)
{
    if (module == PROFILE_THREAD)
        address =
            strtoull(intern_text(&profile->names.threads, (uint32_t)address), NULL, 10);
    if (module < PROFILE_MODULES)
        fprintf(out, "%" PRIu32, module);
    else
        fputs(module == PROFILE_LABEL         ? "label"
              : module == PROFILE_PARALLELISM ? "parallelism"
              : module == PROFILE_THREAD      ? "thread"
              : module == PROFILE_PROCESS     ? "process"
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
    size_t *depths = calloc(profile->nodes.count + 1, sizeof *depths);
    const struct shares *times = &profile->times.shares;
    if (profile->times.width)
        NUMBERS(out, "\ntimes", profile->times.width, profile->times.span);
    NUMBERS(out, "\ncounts", profile->nodes.count + times->count);
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
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
    if (profile->runs.uncounted)
        NUMBERS(out, "\nuncounted", profile->runs.uncounted);
    if (profile->runs.switched)
        fputs("\nswitched", out);
    fputs("\ncounters", out);
    for (size_t i = 0; i < profile->counts.counters.count; i++) {
        putc('\n', out);
        write_code(out, profile, profile->counts.counters.list[i].module,
                   profile->counts.counters.list[i].address);
        NUMBERS(out, "", profile->counts.counters.list[i].count);
    }
    if (profile->counts.targets.count || profile->counts.rests.count)
        fputs("\ntargets", out);
    for (size_t i = 0; i < profile->counts.targets.count; i++) {
        write_target(out, profile, &profile->counts.targets.list[i]);
        NUMBERS(out, "", profile->counts.targets.list[i].count);
    }
    for (size_t i = 0; i < profile->counts.rests.count; i++) {
        write_target(out, profile, &profile->counts.rests.list[i]);
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
    if (regions->unplaced)
        NUMBERS(out, "\nunplaced", regions->unplaced);
    for (size_t i = 0; i < regions->regions.count; i++) {
        fprintf(out, "\nregion %zu ", i);
        write_code(out, profile, regions->regions.list[i].module,
                   regions->regions.list[i].address);
        write_name(out, " ", intern_text(&regions->names, regions->regions.list[i].name));
    }
    for (size_t i = 0; i < regions->paths.count; i++)
        write_path(out, &regions->paths.list[i]);
    if (regions->has_events)
        NUMBERS(out, "\nevents", regions->event_least);
    for (size_t i = 0; i < regions->events.count; i++) {
        const struct regions_event *event = &regions->events.list[i];
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
    const struct heaptimes_cell *cells = times->cells.list;
    for (size_t i = 0, end; i < times->cells.count; i = end) {
        uint64_t blocks = 0, bytes = 0;
        for (end = i; end < times->cells.count && cells[end].node == cells[i].node &&
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
    size_t *depths = calloc(heap->nodes.count + 1, sizeof *depths);
    write_heap_head(out, heap);
    NUMBERS(out, "\nstacks", heap->nodes.count);
    for (size_t i = 0; i < heap->nodes.count; i++) {
        const struct heapdata_node *node = &heap->nodes.list[i];
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

static void write_above(FILE *out, uint32_t number)
{
    if (number == WAITDATA_NONE)
        fputs(" -", out);
    else
        NUMBERS(out, "", number);
}

static void write_wait(FILE *out, const struct profile *profile,
                       const struct waitdata_wait *wait)
{
    static const char *const reasons[] = CCPROF_WAIT_NAMES;
    static const char *const ends[] = CCPROF_WAIT_END_NAMES;
    fprintf(out, "\n%" PRIu32 " %s", wait->stack, reasons[wait->reason]);
    write_above(out, wait->object);
    write_above(out, wait->held);
    fprintf(out, " %s", ends[wait->end]);
    write_above(out, wait->cause);
    putc(' ', out);
    write_code(out, profile, wait->taken_module, wait->taken);
    NUMBERS(out, "", wait->count, wait->time, wait->longest);
}

static void write_waits(FILE *out, const struct profile *profile)
{
    const struct waitdata *waits = &profile->waits;
    size_t *depths = calloc(waits->nodes.count + 1, sizeof *depths);
    uint64_t least = 0;
    NUMBERS(out, "\nwaits", waits->least, waits->unrecorded);
    NUMBERS(out, "\nstates", waits->states.count);
    for (size_t i = 0; i < waits->states.count; i++) {
        const struct waitdata_state *state = &waits->states.list[i];
        const char *thread = intern_text(&profile->names.threads, state->thread);
        fprintf(out, "\n%" PRIu64, (uint64_t)strtoull(thread, NULL, 10));
        NUMBERS(out, "", state->start, state->wall, state->cpu);
        if (state->no_ready)
            fputs(" -", out);
        else
            NUMBERS(out, "", state->ready);
    }
    NUMBERS(out, "\nobjects", waits->objects.count);
    for (size_t i = 0; i < waits->objects.count; i++) {
        const struct waitdata_object *object = &waits->objects.list[i];
        putc('\n', out);
        write_code(out, profile, object->module, object->address);
        write_name(out, " ",
                   object->name == WAITDATA_NONE
                       ? "?"
                       : intern_text(&waits->names, object->name));
    }
    NUMBERS(out, "\nstacks", waits->nodes.count);
    for (size_t i = 0; i < waits->nodes.count; i++) {
        const struct waitdata_node *node = &waits->nodes.list[i];
        write_depth(out, depths, i, node->parent);
        write_code(out, profile, node->module, node->address);
    }
    NUMBERS(out, "\nwaiting", waits->waits.count);
    for (size_t i = 0; i < waits->waits.count; i++)
        write_wait(out, profile, &waits->waits.list[i]);
    for (size_t i = 0; i < waits->longest.count; i++)
        if (i == 0 || waits->longest.list[i].time < least)
            least = waits->longest.list[i].time;
    NUMBERS(out, "\nlongest", least, waits->longest.count);
    for (size_t i = 0; i < waits->longest.count; i++) {
        const struct waitdata_single *single = &waits->longest.list[i];
        fprintf(out, "\n%" PRIu32, single->wait);
        NUMBERS(out, "", single->start, single->length, single->time);
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
    if (profile->waits.measured)
        write_waits(out, profile);
    fputs("\nend\n", out);
    fclose(out);
    return text;
}
