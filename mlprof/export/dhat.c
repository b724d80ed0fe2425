/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was allocated in the format of valgrind's DHAT, for its viewer,
   dh_view.html (valgrind: dhat/dh_main.c, version 2 of the format).

   If stacks have bytes, an allocation site has the frames of its stack, otherwise only
   its function.  Sites with the same frames are added up.  There are no lifetimes and no
   accesses.  */

#include "mlprof/export/export.h"
#include "mlprof/export/ways.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"

#include <stdlib.h>

#define VERSION 2

/* The viewer's root, the first of all frames.  */
#define ROOT "[root]"

/* A way from the allocator outwards, and what was allocated by it.  */
struct point {
    uint64_t blocks, bytes;
    uint32_t way;
};

struct dhat {
    struct ways ways;
    struct index by_way;
    struct point *points;
    size_t point_count, point_capacity;
};

static void add_site(struct dhat *dhat, const struct allocs_site *site)
{
    const struct stacks *stacks = &dhat->ways.view->rows->stacks;
    const struct measure *measure = profile_measure(dhat->ways.view->profile);
    const char *allocator = *site->site->allocator ? site->site->allocator : "???";
    const char *type = site->site->type;
    uint32_t way = WAYS_NONE;
    if (measure->kinds)
        way = ways_put(
            &dhat->ways, WAYS_NONE,
            buf_format(WAYS_ADDRESS "%s%s%s", allocator, *type ? ": " : "", type));
    if (!measure->memory)
        way = ways_put_source(&dhat->ways, way, site->source, site->file, site->line,
                              site->column);
    else
        for (uint32_t node = site->node; node != STACKS_NONE;
             node = stacks->nodes[node].parent)
            way = ways_put_node(&dhat->ways, way, node, true);
    bool fresh;
    uint32_t number = index_put(&dhat->by_way, way, 0, 0, &fresh);
    if (fresh)
        BUF_NEXT(dhat->points, dhat->point_count, dhat->point_capacity) =
            (struct point){.way = way};
    dhat->points[number].blocks += site->blocks;
    dhat->points[number].bytes += site->bytes;
}

/* Prints the frames of a way, from the allocator outwards.  */
static void print_way(struct json *json, const struct dhat *dhat, uint32_t way)
{
    BUF_OWN uint32_t *frames = NULL;
    size_t count = 0, capacity = 0;
    for (; way != WAYS_NONE; way = dhat->ways.list[way].inside)
        BUF_NEXT(frames, count, capacity) = dhat->ways.list[way].frame;
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
        print_way(json, dhat, dhat->points[i].way);
        json_close_list(json);
        json_close(json);
    }
    json_close_list(json);
    json_open_list_field(json, "ftbl");
    json_text(json, ROOT);
    for (uint32_t i = 0; i < dhat->ways.frames.count; i++)
        json_text(json, intern_text(&dhat->ways.frames, i));
    json_close_list(json);
}

/* Prints the head.  The viewer shows rates for a million units of time, which is a second
   if the unit is a microsecond.  */
static void print_head(struct json *json, const struct export_input *input)
{
    json_unsigned_field(json, "dhatFileVersion", VERSION);
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
    struct dhat dhat = {.ways = {.view = view}};
    for (size_t i = 0; i < allocs->count; i++)
        add_site(&dhat, &allocs->sites[i]);
    struct json json = {.out = out};
    json_open(&json);
    print_head(&json, input);
    print_points(&json, &dhat);
    json_close(&json);
    putc('\n', out);
    ways_free(&dhat.ways);
    index_free(&dhat.by_way);
    free(dhat.points);
    return true;
}

const struct export_format dhat_format = {
    .name = "dhat",
    .help = "write what was allocated for DHAT's viewer",
    .goes_by = VIEWS_BY_STACKS "heap measure range ",
    .needs = EXPORT_WRAPPERS,
    .write = dhat_write,
};
