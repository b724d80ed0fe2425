/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the heap for the viewers of two of valgrind's tools, Massif and DHAT.  Both
   use trees of call chains that start at the allocator.  The first part of this file
   makes the chains, the second part writes Massif's format, and the third part writes
   DHAT's format.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/export/export.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/stacks/stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A call chain.  FRAME is its outermost frame.  INSIDE is the chain of all other
   frames, which comes earlier in the list.  Chains with the same inner frames share
   the inner chain.  */
struct chain {
    uint32_t inside, frame; /* numbers of the inner chain and of the frame's text */
};

/* The innermost frame has no chain inside.  */
#define NO_CHAIN UINT32_MAX

/* In both formats, the text of a frame starts with an address.  The address of an
   allocation site is not known.  */
#define NO_ADDRESS "0x0: "

/* All zero except for VIEW at first.  */
struct chains {
    const struct view *view;
    struct intern frames; /* texts */
    struct index index;   /* key: inner chain, frame */
    struct chain *list;
    size_t count, capacity;
};

/* Returns the number of the chain that consists of the chain INSIDE, which may be
   NO_CHAIN, and the frame TEXT.  Frees TEXT.  */
static uint32_t chains_put(struct chains *chains, uint32_t inside, char *text)
{
    uint32_t frame = intern_put(&chains->frames, text);
    bool fresh;
    uint32_t number = index_put(&chains->index, inside, frame, 0, &fresh);
    if (fresh)
        BUF_NEXT(chains->list, chains->count, chains->capacity) =
            (struct chain){inside, frame};
    free(text);
    return number;
}

/* Like chains_put.  The frame is a source at a position of FILE, which may be NULL.
   If COLUMN is 0, it is omitted.  */
static uint32_t chains_put_source(struct chains *chains, uint32_t inside, uint32_t source,
                                  const char *file, uint32_t line, uint32_t column)
{
    const struct rows *rows = chains->view->rows;
    struct rows_row row = {.source = rows->stacks.sources[source]};
    if (source < rows->source_count && rows->of_source[source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[source]].shown;
    BUF_OWN char *name = view_name(chains->view, &row);
    file = sourcefile_name(file);
    const char *own = sourcefile_name(row.source.file);
    char *text =
        !file || !line ? buf_format(NO_ADDRESS "%s (%s)", name, own ? own : "???")
        : column ? buf_format(NO_ADDRESS "%s (%s:%" PRIu32 ":%" PRIu32 ")", name, file,
                              line, column)
                 : buf_format(NO_ADDRESS "%s (%s:%" PRIu32 ")", name, file, line);
    return chains_put(chains, inside, text);
}

/* Like chains_put.  The frame is a node of the view's stacks.  */
static uint32_t chains_put_node(struct chains *chains, uint32_t inside, uint32_t node,
                                bool columns)
{
    const struct stacks *stacks = &chains->view->rows->stacks;
    const struct stacks_position *position =
        &stacks->positions[stacks->nodes[node].position];
    return chains_put_source(chains, inside, stacks_source_of(stacks, node),
                             position->file, position->line,
                             columns ? position->column : 0);
}

static void chains_free(struct chains *chains)
{
    intern_free(&chains->frames);
    index_free(&chains->index);
    free(chains->list);
}

/* Massif's format, for ms_print and massif-visualizer (valgrind: massif/ms_main.c,
   coregrind/m_xtree.c).  A file has a snapshot at the end of each bucket of time, a
   snapshot at the peak, and a snapshot at the end.  The snapshots at the peak and at
   the end have trees of call chains.  As in Massif, all places with less than one
   percent of their snapshot's bytes are added up in one line.  */

/* The minimum fraction of a snapshot's bytes for a line of its own, and its text for
   printf.  */
#define THRESHOLD      0.01
#define THRESHOLD_TEXT "1.00%%"

struct massif {
    FILE *out;
    struct chains chains;
    uint64_t *bytes[2]; /* by chain, including longer chains: peak, live */
    size_t capacity[2];
    uint64_t sums[2];
    unsigned snapshots; /* number of printed snapshots */
};

enum tree { PEAK, LIVE, EMPTY };

static const uint32_t bins[] = {
    [PEAK] = HEAPPOINTS_BYTES(HEAPDATA_PEAK), [LIVE] = HEAPPOINTS_BYTES(HEAPDATA_LIVE)};

/* Adds BYTES to the chains of NODE and of all frames around it.  */
static void add(struct massif *massif, uint32_t node, const uint64_t bytes[2])
{
    const struct stacks *stacks = &massif->chains.view->rows->stacks;
    uint32_t chain = NO_CHAIN;
    for (; node != STACKS_NONE; node = stacks->nodes[node].parent) {
        size_t before = massif->chains.count;
        chain = chains_put_node(&massif->chains, chain, node, false);
        for (enum tree tree = PEAK; tree <= LIVE; tree++) {
            uint64_t *sum = &BUF_AT(massif->bytes[tree], chain, massif->capacity[tree]);
            *sum = massif->chains.count > before ? bytes[tree] : *sum + bytes[tree];
        }
    }
    massif->sums[PEAK] += bytes[PEAK];
    massif->sums[LIVE] += bytes[LIVE];
}

static void collect(struct massif *massif)
{
    const struct stacks *stacks = &massif->chains.view->rows->stacks;
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

/* A call chain that may be printed.  */
struct place {
    uint32_t inside, chain; /* INSIDE: number of the inner chain plus 1; 0: none */
    uint64_t bytes;
};

static int by_size(const void *first, const void *second)
{
    const struct place *a = first, *b = second;
    return BUF_ORDER(a->inside, b->inside)
               ?: BUF_ORDER(b->bytes, a->bytes)
               ?: BUF_ORDER(a->chain, b->chain);
}

/* The places of a tree, sorted by the number INSIDE of their inner chain.  The places
   with INSIDE i are of[begin[i]] to of[begin[i + 1] - 1].  */
struct places {
    struct place *of;
    size_t *begin;
    uint64_t least; /* minimum bytes for a line of its own */
};

/* Prints the line TEXT with BYTES, and below it the callers: the places with this
   INSIDE.  */
static void print_places(struct massif *massif, const struct places *places,
                         uint32_t inside, const char *text, uint64_t bytes,
                         unsigned depth)
{
    const size_t begin = places->begin[inside], end = places->begin[inside + 1];
    size_t shown = begin;
    uint64_t rest = 0;
    while (shown < end && places->of[shown].bytes >= places->least)
        shown++;
    for (size_t i = shown; i < end; i++)
        rest += places->of[i].bytes;
    size_t lines = shown - begin + (rest ? 1 : 0);
    fprintf(massif->out, "%*sn%zu: %" PRIu64 " %s\n", (int)depth, "", lines, bytes, text);
    for (size_t i = begin; i < shown; i++) {
        const struct place *place = &places->of[i];
        uint32_t frame = massif->chains.list[place->chain].frame;
        BUF_OWN char *clean = text_clean(intern_text(&massif->chains.frames, frame));
        print_places(massif, places, place->chain + 1, clean, place->bytes, depth + 1);
    }
    if (!rest)
        return;
    size_t count = 0;
    for (size_t i = shown; i < end; i++)
        count += places->of[i].bytes != 0;
    fprintf(massif->out,
            "%*sn0: %" PRIu64 " in %zu place%s, %sbelow massif's threshold "
            "(" THRESHOLD_TEXT ")\n",
            (int)depth + 1, "", rest, count, count == 1 ? "" : "s",
            count == 1 ? "" : "all ");
}

static void print_tree(struct massif *massif, enum tree tree)
{
    const size_t count = massif->chains.count;
    struct places places = {
        .of = buf_alloc((count + 1) * sizeof *places.of),
        .begin = buf_alloc((count + 2) * sizeof *places.begin),
        .least = (uint64_t)(THRESHOLD * (double)massif->sums[tree]),
    };
    for (size_t i = 0; i < count; i++)
        places.of[i] = (struct place){.inside = massif->chains.list[i].inside + 1,
                                      .chain = (uint32_t)i,
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

/* If the data has no times, because it is from several runs, print the peak before the
   end.  */
static void print_snapshots(struct massif *massif)
{
    const struct heapdata *heap = &massif->chains.view->profile->heap;
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
                         "this format is only for the heap: add -heap");
    struct massif massif = {.out = out, .chains = {.view = input->view}};
    char *manner = heapdata_manner(heap);
    char *program = text_clean(input->program);
    fprintf(out, "desc: ccprof, %s\ncmd: %s\ntime_unit: ms\n", manner, program);
    free(program);
    free(manner);
    collect(&massif);
    print_snapshots(&massif);
    chains_free(&massif.chains);
    free(massif.bytes[PEAK]);
    free(massif.bytes[LIVE]);
    return true;
}

const struct export_format massif_format = {
    .name = "massif",
    .help = "write the heap over time for viewers of Massif",
    .affected_by = VIEWS_BY_STACKS "heap measure range ",
    .needs = EXPORT_HEAP | EXPORT_WRAPPERS,
    .write = massif_write,
};

/* DHAT's format, for its viewer, dh_view.html (valgrind: dhat/dh_main.c, version 2 of
   the format).  If stacks have bytes, an allocation site has the frames of its stack,
   otherwise only its function.  Sites with the same frames are added up.  Lifetimes
   and accesses of blocks are not written.  */

#define DHAT_VERSION 2

/* The viewer's root, the first of all frames.  */
#define ROOT "[root]"

/* Memory allocated through a call chain.  */
struct point {
    uint64_t blocks, bytes;
    uint32_t chain;
};

struct dhat {
    struct chains chains;
    struct index by_chain;
    struct point *points;
    size_t point_count, point_capacity;
};

static void add_site(struct dhat *dhat, const struct allocs_site *site)
{
    const struct stacks *stacks = &dhat->chains.view->rows->stacks;
    const struct measure *measure = profile_measure(dhat->chains.view->profile);
    const char *allocator = *site->site->allocator ? site->site->allocator : "???";
    const char *type = site->site->type;
    uint32_t chain = NO_CHAIN;
    if (measure->kinds)
        chain = chains_put(
            &dhat->chains, NO_CHAIN,
            buf_format(NO_ADDRESS "%s%s%s", allocator, *type ? ": " : "", type));
    if (!measure->memory)
        chain = chains_put_source(&dhat->chains, chain, site->source, site->file,
                                  site->line, site->column);
    else
        for (uint32_t node = site->node; node != STACKS_NONE;
             node = stacks->nodes[node].parent)
            chain = chains_put_node(&dhat->chains, chain, node, true);
    bool fresh;
    uint32_t number = index_put(&dhat->by_chain, chain, 0, 0, &fresh);
    if (fresh)
        BUF_NEXT(dhat->points, dhat->point_count, dhat->point_capacity) =
            (struct point){.chain = chain};
    dhat->points[number].blocks += site->blocks;
    dhat->points[number].bytes += site->bytes;
}

static void print_chain(struct json *json, const struct dhat *dhat, uint32_t chain)
{
    BUF_OWN uint32_t *frames = NULL;
    size_t count = 0, capacity = 0;
    for (; chain != NO_CHAIN; chain = dhat->chains.list[chain].inside)
        BUF_NEXT(frames, count, capacity) = dhat->chains.list[chain].frame;
    while (count)
        json_unsigned(json, frames[--count] + 1);
}

static void print_points(struct json *json, const struct dhat *dhat)
{
    json_open_list_field(json, "pps");
    for (size_t i = 0; i < dhat->point_count; i++) {
        json_open(json);
        json_unsigned_field(json, "tb", dhat->points[i].bytes);
        json_unsigned_field(json, "tbk", dhat->points[i].blocks);
        json_open_list_field(json, "fs");
        print_chain(json, dhat, dhat->points[i].chain);
        json_close_list(json);
        json_close(json);
    }
    json_close_list(json);
    json_open_list_field(json, "ftbl");
    json_text(json, ROOT);
    for (uint32_t i = 0; i < dhat->chains.frames.count; i++)
        json_text(json, intern_text(&dhat->chains.frames, i));
    json_close_list(json);
}

/* Prints the head.  The viewer shows rates per million units of time.  The unit is a
   microsecond, so these are rates per second.  */
static void print_head(struct json *json, const struct export_input *input)
{
    json_unsigned_field(json, "dhatFileVersion", DHAT_VERSION);
    json_text_field(json, "mode", "heap");
    json_text_field(json, "verb", "Allocated");
    json_bool_field(json, "bklt", false);
    json_bool_field(json, "bkacc", false);
    json_text_field(json, "tu", "us");
    json_text_field(json, "Mtu", "s");
    json_text_field(json, "cmd", input->program);
    json_unsigned_field(json, "pid", 0);
    json_unsigned_field(json, "te", input->view->profile->cpu / 1000);
}

static bool dhat_write(FILE *out, const struct export_input *input, struct fault *fault)
{
    const struct view *view = input->view;
    const struct allocs *allocs = &view->rows->stacks.allocs;
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC))
        return fault_set(fault, FAULT_MISMATCH, "-dhat",
                         "no allocations were measured: compile with "
                         "-fplugin-arg-ccprof-profile=alloc");
    struct dhat dhat = {.chains = {.view = view}};
    for (size_t i = 0; i < allocs->count; i++)
        add_site(&dhat, &allocs->sites[i]);
    struct json json = {.out = out};
    json_open(&json);
    print_head(&json, input);
    print_points(&json, &dhat);
    json_close(&json);
    putc('\n', out);
    chains_free(&dhat.chains);
    index_free(&dhat.by_chain);
    free(dhat.points);
    return true;
}

const struct export_format dhat_format = {
    .name = "dhat",
    .help = "write allocations for the viewer of DHAT",
    .affected_by = VIEWS_BY_STACKS "heap measure range ",
    .needs = EXPORT_WRAPPERS,
    .write = dhat_write,
};
