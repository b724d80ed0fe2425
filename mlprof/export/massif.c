/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the heap in the format of valgrind's Massif, for ms_print and massif-visualizer
   (valgrind: massif/ms_main.c, coregrind/m_xtree.c): a snapshot at the end of each bucket
   of time, one at the peak, and one at the end, of which the last two have trees from the
   allocations outwards.

   As Massif does, a place that has less than a hundredth of its snapshot's bytes is not
   told apart from others.  */

#include "mlprof/export/export.h"
#include "mlprof/export/ways.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The part of a snapshot's bytes that a place needs, and how printf writes it.  */
#define THRESHOLD      0.01
#define THRESHOLD_TEXT "1.00%%"

struct massif {
    FILE *out;
    struct ways ways;
    uint64_t *bytes[2]; /* by way, those of all longer ways included: peak, live */
    size_t capacity[2];
    uint64_t sums[2];
    unsigned snapshots; /* that were printed */
};

enum tree { PEAK, LIVE, EMPTY };

static const uint32_t bins[] = {
    [PEAK] = HEAPPOINTS_BYTES(HEAPDATA_PEAK), [LIVE] = HEAPPOINTS_BYTES(HEAPDATA_LIVE)};

/* Adds BYTES to the ways from NODE outwards.  */
static void add(struct massif *massif, uint32_t node, const uint64_t bytes[2])
{
    const struct stacks *stacks = &massif->ways.view->rows->stacks;
    uint32_t way = WAYS_NONE;
    for (; node != STACKS_NONE; node = stacks->nodes[node].parent) {
        size_t before = massif->ways.count;
        way = ways_put_node(&massif->ways, way, node, false);
        for (enum tree tree = PEAK; tree <= LIVE; tree++) {
            uint64_t *sum = &BUF_AT(massif->bytes[tree], way, massif->capacity[tree]);
            *sum = massif->ways.count > before ? bytes[tree] : *sum + bytes[tree];
        }
    }
    massif->sums[PEAK] += bytes[PEAK];
    massif->sums[LIVE] += bytes[LIVE];
}

static void collect(struct massif *massif)
{
    const struct stacks *stacks = &massif->ways.view->rows->stacks;
    size_t at = 0;
    for (uint32_t i = 0; i < stacks->node_count; i++) {
        struct shares_own own = shares_of(&stacks->heap, i, &at);
        uint64_t bytes[2] = {0, 0};
        for (size_t k = 0; k < own.count; k++)
            for (enum tree tree = PEAK; tree <= LIVE; tree++)
                if (own.entries[k].bin == bins[tree])
                    bytes[tree] += own.entries[k].count;
        if (bytes[PEAK] || bytes[LIVE])
            add(massif, i, bytes);
    }
}

/* A way that may be printed.  */
struct place {
    uint32_t inside, way; /* INSIDE: one more than its number, 0: none */
    uint64_t bytes;
};

static int by_size(const void *first, const void *second)
{
    const struct place *a = first, *b = second;
    return BUF_ORDER(a->inside, b->inside)
               ?: BUF_ORDER(b->bytes, a->bytes)
               ?: BUF_ORDER(a->way, b->way);
}

/* The places of a tree, and by INSIDE where those outside of a way begin; the entry
   behind them is where they end.  */
struct places {
    struct place *of;
    size_t *begin;
    uint64_t least; /* bytes of a place that is told */
};

/* Prints the places outside of a way, whose number is INSIDE - 1.  */
static void print_places(struct massif *massif, const struct places *places,
                         uint32_t inside, const char *text, uint64_t bytes,
                         unsigned depth)
{
    const size_t begin = places->begin[inside], end = places->begin[inside + 1];
    size_t told = begin;
    uint64_t rest = 0;
    while (told < end && places->of[told].bytes >= places->least)
        told++;
    for (size_t i = told; i < end; i++)
        rest += places->of[i].bytes;
    size_t lines = told - begin + (rest ? 1 : 0);
    fprintf(massif->out, "%*sn%zu: %" PRIu64 " %s\n", (int)depth, "", lines, bytes, text);
    for (size_t i = begin; i < told; i++) {
        const struct place *place = &places->of[i];
        uint32_t frame = massif->ways.list[place->way].frame;
        BUF_OWN char *clean = text_clean(intern_text(&massif->ways.frames, frame));
        print_places(massif, places, place->way + 1, clean, place->bytes, depth + 1);
    }
    if (!rest)
        return;
    size_t count = 0;
    for (size_t i = told; i < end; i++)
        count += places->of[i].bytes != 0;
    fprintf(massif->out,
            "%*sn0: %" PRIu64 " in %zu place%s, %sbelow massif's threshold "
            "(" THRESHOLD_TEXT ")\n",
            (int)depth + 1, "", rest, count, count == 1 ? "" : "s",
            count == 1 ? "" : "all ");
}

static void print_tree(struct massif *massif, enum tree tree)
{
    const size_t count = massif->ways.count;
    struct places places = {
        .of = buf_alloc((count + 1) * sizeof *places.of),
        .begin = buf_alloc((count + 2) * sizeof *places.begin),
        .least = (uint64_t)(THRESHOLD * (double)massif->sums[tree]),
    };
    for (size_t i = 0; i < count; i++)
        places.of[i] = (struct place){.inside = massif->ways.list[i].inside + 1,
                                      .way = (uint32_t)i,
                                      .bytes = massif->bytes[tree][i]};
    BUF_SORT(places.of, count, by_size);
    for (size_t inside = 0, at = 0; inside < count + 2; inside++) {
        while (at < count && places.of[at].inside < inside)
            at++;
        places.begin[inside] = at;
    }
    if (places.least == 0)
        places.least = 1;
    print_places(massif, &places, 0,
                 "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.",
                 massif->sums[tree], 0);
    free(places.of);
    free(places.begin);
}

static void print_snapshot(struct massif *massif, uint64_t time, uint64_t bytes,
                           enum tree tree)
{
    static const char *const names[] = {
        [PEAK] = "peak", [LIVE] = "detailed", [EMPTY] = "empty"};
    fprintf(massif->out,
            "#-----------\nsnapshot=%u\n#-----------\ntime=%" PRIu64
            "\nmem_heap_B=%" PRIu64
            "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n",
            massif->snapshots++, time, bytes, names[tree]);
    if (tree != EMPTY)
        print_tree(massif, tree);
}

/* Several runs have no time; then the peak comes before the end.  */
static void print_snapshots(struct massif *massif)
{
    const struct heapdata *heap = &massif->ways.view->profile->heap;
    const struct heaptimes *times = &heap->times;
    uint64_t peak = heap->peak_time / 1000000, time = 0;
    bool has_peak = false;
    print_snapshot(massif, 0, 0, EMPTY);
    for (uint32_t i = 0; i < times->count; i++) {
        time = (i + 1) * times->width;
        if (!has_peak && (peak <= time || i + 1 == times->count)) {
            print_snapshot(massif, peak, heap->sums[HEAPDATA_PEAK].bytes, PEAK);
            has_peak = true;
        }
        if (i + 1 < times->count)
            print_snapshot(massif, time, times->buckets[i].alive, EMPTY);
    }
    if (!has_peak)
        print_snapshot(massif, time = peak, heap->sums[HEAPDATA_PEAK].bytes, PEAK);
    print_snapshot(massif, time > peak ? time : peak, heap->sums[HEAPDATA_LIVE].bytes,
                   LIVE);
}

static bool massif_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    const struct heapdata *heap = &input->view->profile->heap;
    if (profile_measure(input->view->profile)->kinds)
        return fault_set(fault, FAULT_MISMATCH, "-massif",
                         "the format has the heap alone: give -heap, too");
    struct massif massif = {.out = out, .ways = {.view = input->view}};
    char *manner = heapdata_manner(heap);
    char *program = text_clean(input->program);
    fprintf(out, "desc: ccprof, %s\ncmd: %s\ntime_unit: ms\n", manner, program);
    free(program);
    free(manner);
    collect(&massif);
    print_snapshots(&massif);
    ways_free(&massif.ways);
    free(massif.bytes[PEAK]);
    free(massif.bytes[LIVE]);
    return true;
}

const struct export_format massif_format = {
    .name = "massif",
    .help = "write the heap over time, for Massif's viewers",
    .goes_by = VIEWS_BY_STACKS "heap measure range ",
    .needs = EXPORT_HEAP | EXPORT_WRAPPERS,
    .write = massif_write,
};
