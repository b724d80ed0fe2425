/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each line is written as doc/mlmon.out.5 describes it, without the code that reads it.
 */

#define _GNU_SOURCE
#include "testsuite/unit/profile_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void write_name(FILE *out, const char *before, const char *name)
{
    fputs(before, out);
    for (; *name; name++)
        if (*name == '\\' || *name == '\n')
            fputs(*name == '\n' ? "\\n" : "\\\\", out);
        else
            putc(*name, out);
    putc('\n', out);
}

/* Writes the words of the bits, with SEPARATOR between them, and ends the line.  */
static void write_bits(FILE *out, const char *before, unsigned bits,
                       const char *const *words, const char *separator)
{
    fputs(before, out);
    for (; bits; bits >>= 1, words++)
        if (bits & 1)
            fprintf(out, "%s%s", *words, bits > 1 ? separator : "");
    putc('\n', out);
}

static void write_head(FILE *out, const struct profile *profile)
{
    static const char *const kinds[] = {"time", "count", "alloc", "", "", "region"};
    static const char *const engines[] = {"task-clock", "thread-timer", "wall-timer"};
    static const char *const refused[] = CCPROF_REFUSED_NAMES;

    write_bits(out, "kind ", profile->kind, kinds, ",");
    for (uint32_t i = 0; i < profile->commands.count; i++)
        write_name(out, "command ", intern_text(&profile->commands, i));
    bool time = profile->kind & CCPROF_KIND_TIME;
    if (time) {
        write_bits(out, "engine ", profile->engines, engines, ",");
        fprintf(out, "clock %s\nrate %" PRIu64 "\nstack %s\n",
                profile->clock == PROFILE_CPU ? "cpu" : "wall", profile->rate,
                profile->stack ? "yes" : "no");
    }
    fprintf(out, "cpu %" PRIu64 "\nwall %" PRIu64 "\nthreads %" PRIu64 "\n", profile->cpu,
            profile->wall, profile->threads);
    if (profile->most_threads != profile->threads)
        fprintf(out, "most-threads %" PRIu64 "\n", profile->most_threads);
    fprintf(out, "waits %" PRIu64 "\n", profile->waits);
    if (time)
        fprintf(out, "samples %" PRIu64 "\nlost %" PRIu64 "\nelsewhere %" PRId64 "\n",
                profile->samples, profile->lost, profile->moved);
    if (profile->interrupted)
        fprintf(out, "interrupted %" PRIu64 "\n", profile->interrupted);
    if (profile->refused)
        write_bits(out, "refused ", profile->refused, refused, " ");
    if (profile->own)
        fprintf(out, "own-samples %" PRIu64 "\n", profile->own);
}

static void write_modules(FILE *out, const struct profile *profile)
{
    for (size_t i = 0; i < profile->module_count; i++) {
        const struct profile_module *module = &profile->modules[i];
        fprintf(out, "module %zu %s 0x0", i, module->build_id ? module->build_id : "-");
        write_name(out, " ", module->path);
    }
    for (size_t i = 0; i < profile->label_count; i++) {
        fprintf(out, "label %zu", i);
        write_name(out, " ", profile->labels[i]);
    }
    for (uint32_t i = 0; i < profile->thread_names.count; i++)
        write_name(out, "thread ", intern_text(&profile->thread_names, i));
}

/* Writes where a point is, and sets its element of DEPTHS.  */
static void write_place(FILE *out, const struct profile *profile, size_t *depths,
                        size_t number, const uint32_t place[2], uint64_t address)
{
    depths[number] = place[0] == PROFILE_NO_NODE ? 0 : depths[place[0]] + 1;
    fprintf(out, "%zu ", depths[number]);
    if (place[1] == PROFILE_THREAD)
        address =
            strtoull(intern_text(&profile->thread_names, (uint32_t)address), NULL, 10);
    if (place[1] < PROFILE_MODULES)
        fprintf(out, "%" PRIu32, place[1]);
    else
        fputs(place[1] == PROFILE_LABEL    ? "label"
              : place[1] == PROFILE_THREAD ? "thread"
                                           : "-",
              out);
    fprintf(out, " 0x%" PRIx64, address);
}

static void write_samples(FILE *out, const struct profile *profile)
{
    size_t *depths = calloc(profile->node_count + 1, sizeof *depths);
    const struct times *times = &profile->times;
    if (times->width)
        fprintf(out, "times %" PRIu64 " %" PRIu64 "\n", times->width, times->span);
    fprintf(out, "counts %zu\n", profile->node_count);
    for (size_t i = 0; i < profile->node_count; i++) {
        const struct profile_node *node = &profile->nodes[i];
        uint64_t untimed = node->count;
        for (size_t k = 0; k < times->shares.count; k++)
            if (times->shares.entries[k].owner == i)
                untimed -= times->shares.entries[k].count;
        write_place(out, profile, depths, i, (uint32_t[]){node->parent, node->module},
                    node->address);
        fprintf(out, " %" PRIu64 "\n", untimed);
        for (size_t k = 0; k < times->shares.count; k++)
            if (times->shares.entries[k].owner == i)
                fprintf(out, "%zu time 0x%" PRIx32 " %" PRIu64 "\n", depths[i] + 1,
                        times->shares.entries[k].bin, times->shares.entries[k].count);
    }
    free(depths);
}

/* Writes a module and an address.  */
static void write_code(FILE *out, uint32_t module, uint64_t address)
{
    if (module == PROFILE_NO_MODULE)
        fprintf(out, "- 0x%" PRIx64 " ", address);
    else
        fprintf(out, "%" PRIu32 " 0x%" PRIx64 " ", module, address);
}

static void write_counts(FILE *out, const struct profile *profile)
{
    if (profile->uncounted)
        fprintf(out, "uncounted %" PRIu64 "\n", profile->uncounted);
    fputs("counters\n", out);
    for (size_t i = 0; i < profile->counter_count; i++) {
        write_code(out, profile->counters[i].module, profile->counters[i].address);
        fprintf(out, "%" PRIu64 "\n", profile->counters[i].count);
    }
    if (profile->target_count || profile->rest_count)
        fputs("targets\n", out);
    for (size_t i = 0; i < profile->target_count + profile->rest_count; i++) {
        bool rest = i >= profile->target_count;
        const struct profile_target *target =
            rest ? &profile->rests[i - profile->target_count] : &profile->targets[i];
        write_code(out, target->site_module, target->site);
        write_code(out, target->module, target->address);
        if (rest)
            fputs("rest\n", out);
        else
            fprintf(out, "%" PRIu64 "\n", target->count);
    }
}

static void write_path(FILE *out, const struct regions_path *path)
{
    const struct regions_sums *sums = &path->sums;
    char digits[40], *at = digits + sizeof digits - 1;
    *at = '\0';
    regions_wide squares = sums->squares;
    do
        *--at = (char)('0' + (int)(squares % 10));
    while (squares /= 10);
    if (path->parent == REGIONS_NO_PATH)
        fputs("path -", out);
    else
        fprintf(out, "path %" PRIu32, path->parent);
    fprintf(out, " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s",
            path->region, sums->count, sums->total, sums->nested, sums->self, at);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
            sums->direct, sums->inside, sums->first, sums->min, sums->max);
    if (sums->has_cpu)
        fprintf(out, " %" PRIu64, sums->cpu);
    else
        fputs(" -", out);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64, sums->left, sums->open,
            sums->spent);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", sums->cold,
            sums->cold_total, sums->cold_min, sums->cold_max);
    for (size_t i = 0; i < CCPROF_BUCKETS; i++)
        if (sums->buckets[i])
            fprintf(out, "bucket %zu %" PRIu64 "\n", i, sums->buckets[i]);
}

static void write_regions(FILE *out, const struct regions *regions)
{
    static const char *const clocks[] = {"", "tsc", "cntvct", "rdtime", "monotonic"};
    fprintf(out, "regions %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
            clocks[regions->clock], regions->hz, regions->inner, regions->outer);
    for (size_t i = 0; i < regions->region_count; i++) {
        const struct regions_region *region = &regions->regions[i];
        fprintf(out, "region %zu ", i);
        write_code(out, region->module, region->address);
        write_name(out, "", intern_text(&regions->names, region->name));
    }
    for (size_t i = 0; i < regions->path_count; i++)
        write_path(out, &regions->paths[i]);
    if (regions->has_events)
        fprintf(out, "events %" PRIu64 "\n", regions->event_least);
    for (size_t i = 0; i < regions->event_count; i++) {
        const struct regions_event *event = &regions->events[i];
        fprintf(out, "event %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n",
                event->thread, event->path, event->start, event->length);
    }
}

/* Writes the amounts of the measures from FIRST to before END.  */
static void write_amounts(FILE *out, const char *before,
                          const struct heapdata_amount *amounts, size_t first, size_t end)
{
    fputs(before, out);
    for (size_t i = first; i < end; i++)
        fprintf(out, " %" PRIu64 " %" PRIu64, amounts[i].blocks, amounts[i].bytes);
}

/* Writes when the blocks of a node were made and freed.  Cells that were made in one
   bucket stand side by side.  */
static void write_born(FILE *out, const struct heaptimes *times, size_t node)
{
    for (size_t i = 0, end; i < times->cell_count; i = end) {
        const struct heaptimes_cell *cells = times->cells;
        struct heapdata_amount made = {0, 0};
        for (end = i; end < times->cell_count && cells[end].node == cells[i].node &&
                      cells[end].born == cells[i].born;
             end++) {
            made.blocks += cells[end].blocks;
            made.bytes += cells[end].bytes;
        }
        if (cells[i].node != node)
            continue;
        fprintf(out, "born %d %" PRIu64 " %" PRIu64, cells[i].born, made.blocks,
                made.bytes);
        for (size_t k = i; k < end; k++)
            if (cells[k].freed != HEAPTIMES_ALIVE)
                fprintf(out, " %d %" PRIu64 " %" PRIu64, cells[k].freed, cells[k].blocks,
                        cells[k].bytes);
        putc('\n', out);
    }
}

static void write_heap_head(FILE *out, const struct heapdata *heap)
{
    const struct heaptimes *times = &heap->times;
    fputs("heap ", out);
    if (heap->sample)
        fprintf(out, "sampled %" PRIu64, heap->sample);
    fprintf(out, "%s %s\n", heap->sample ? "" : "exact",
            heap->ended ? "ended" : "running");
    write_amounts(out, "allocated", heap->sums, HEAPDATA_TOTAL, HEAPDATA_TOTAL + 1);
    write_amounts(out, "\nfreed", heap->sums, HEAPDATA_FREED, HEAPDATA_FREED + 1);
    write_amounts(out, "\nalive", heap->sums, HEAPDATA_LIVE, HEAPDATA_LIVE + 1);
    write_amounts(out, "\npeak", heap->sums, HEAPDATA_PEAK, HEAPDATA_PEAK + 1);
    fprintf(out, " %" PRIu64 "\nunknown %" PRIu64 "\nunkept %" PRIu64, heap->peak_time,
            heap->unknown, heap->unkept);
    fprintf(out, "\nmemory %" PRIu64 "\n", heap->memory);
    if (times->count)
        fprintf(out, "times %" PRIu64 " %" PRIu32 " %s\n", times->width, times->count,
                times->cells_known ? "stacks" : "crowded");
    for (uint32_t i = 0; i < times->count; i++)
        fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", times->buckets[i].most,
                times->buckets[i].alive, times->buckets[i].resident);
}

static void write_heap(FILE *out, const struct profile *profile)
{
    const struct heapdata *heap = &profile->heap;
    size_t *depths = calloc(heap->node_count + 1, sizeof *depths);
    write_heap_head(out, heap);
    fprintf(out, "stacks %zu\n", heap->node_count);
    for (size_t i = 0; i < heap->node_count; i++) {
        const struct heapdata_node *node = &heap->nodes[i];
        uint64_t lives = 0;
        write_place(out, profile, depths, i, (uint32_t[]){node->parent, node->module},
                    node->address);
        write_amounts(out, "", node->of, 0, HEAPDATA_POINT);
        putc('\n', out);
        for (size_t k = HEAPDATA_POINT; k < HEAPDATA_YOUNG; k++)
            lives |= node->of[k].blocks;
        if (heap->lives && lives) {
            write_amounts(out, "life", node->of, HEAPDATA_POINT, HEAPDATA_YOUNG);
            putc('\n', out);
        }
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
        write_regions(out, &profile->regions);
    if (profile->heap.measured)
        write_heap(out, profile);
    fputs("end\n", out);
    fclose(out);
    return text;
}
