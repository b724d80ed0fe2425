/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes allocations for the viewer of DHAT, a tool of valgrind: dh_view.html
   (valgrind: dhat/dh_main.c, version 2 of the format). The format is a tree of call
   chains that start at the allocator. The first part of this file makes the chains,
   the second part writes them. */

#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/base/encoding.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* A call chain. FRAME is its outermost frame. INSIDE is the chain of all other
   frames, which comes earlier in the list. Chains with the same inner frames share
   the inner chain. */
struct chain {
    uint32_t inside, frame; /* numbers of the inner chain and of the frame's text */
};

/* The innermost frame has no chain inside. */
#define NO_CHAIN UINT32_MAX

/* The text of a frame starts with an address. The address of an allocation site is not
   known. */
#define NO_ADDRESS "0x0: "

/* Memory allocated through a call chain. */
struct point {
    uint64_t blocks, bytes;
    uint32_t chain;
};

/* All zero except for VIEW at first. */
struct dhat {
    const struct view *view;
    struct intern frames;     /* texts */
    struct index chain_index; /* key: inner chain, frame */
    BUF_VECTOR(struct chain) chains;
    struct index by_chain;
    BUF_VECTOR(struct point) points;
};

/* Returns the number of the chain that consists of the chain INSIDE, which may be
   NO_CHAIN, and the frame TEXT. Frees TEXT. */
static uint32_t put_chain(struct dhat *dhat, uint32_t inside, char *text)
{
    uint32_t frame = intern_put(&dhat->frames, text);
    bool fresh;
    uint32_t number = index_put(&dhat->chain_index, inside, frame, 0, &fresh);
    if (fresh)
        BUF_PUSH(dhat->chains) = (struct chain){inside, frame};
    free(text);
    return number;
}

/* Like put_chain. The frame is a source at a position of FILE, which may be NULL. */
static uint32_t put_chain_source(struct dhat *dhat, uint32_t inside, uint32_t source,
                                 const char *file, uint32_t line, uint32_t column)
{
    const struct rows *rows = dhat->view->rows;
    struct rows_row row = {.source = rows->stacks.sources.list[source]};
    if (source < rows->source_count && rows->of_source[source] != STACKS_NONE)
        row.shown = rows->rows[rows->of_source[source]].shown;
    BUF_OWN char *name = view_name(dhat->view, &row);
    file = sourcefile_name(file);
    const char *row_file = sourcefile_name(row.source.file);
    char *text = !file || !line
                     ? buf_format(NO_ADDRESS "%s (%s)", name, row_file ? row_file : "???")
                 : column
                     ? buf_format(NO_ADDRESS "%s (%s:%" PRIu32 ":%" PRIu32 ")", name,
                                  file, line, column)
                     : buf_format(NO_ADDRESS "%s (%s:%" PRIu32 ")", name, file, line);
    return put_chain(dhat, inside, text);
}

/* If stacks have bytes, an allocation site has the frames of its stack, otherwise only
   its function. Sites with the same frames are added up. Lifetimes and accesses of
   blocks are not written. */

#define DHAT_VERSION 2

/* The viewer's root, the first of all frames. */
#define ROOT "[root]"

static void add_site(struct dhat *dhat, const struct allocs_site *site)
{
    const struct stacks *stacks = &dhat->view->rows->stacks;
    const struct measure *measure = profile_measure(dhat->view->profile);
    const char *allocator = *site->site->allocator ? site->site->allocator : "???";
    const char *type = site->site->type;
    uint32_t chain = NO_CHAIN;
    if (measure->kinds)
        chain = put_chain(
            dhat, NO_CHAIN,
            buf_format(NO_ADDRESS "%s%s%s", allocator, *type ? ": " : "", type));
    if (!measure->memory)
        chain = put_chain_source(dhat, chain, site->source, site->file, site->line,
                                 site->column);
    else
        for (uint32_t node = site->node; node != STACKS_NONE;
             node = stacks->nodes.list[node].parent) {
            const struct stacks_position *position =
                &stacks->positions.list[stacks->nodes.list[node].position];
            chain = put_chain_source(dhat, chain, stacks_source_of(stacks, node),
                                     position->file, position->line, position->column);
        }
    bool fresh;
    uint32_t number = index_put(&dhat->by_chain, chain, 0, 0, &fresh);
    if (fresh)
        BUF_PUSH(dhat->points) = (struct point){.chain = chain};
    dhat->points.list[number].blocks += site->blocks;
    dhat->points.list[number].bytes += site->bytes;
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
    for (size_t i = 0; i < dhat->points.count; i++) {
        json_open(json);
        json_unsigned_field(json, "tb", dhat->points.list[i].bytes);
        json_unsigned_field(json, "tbk", dhat->points.list[i].blocks);
        json_open_list_field(json, "fs");
        print_chain(json, dhat, dhat->points.list[i].chain);
        json_close_list(json);
        json_close(json);
    }
    json_close_list(json);
    json_open_list_field(json, "ftbl");
    json_text(json, ROOT);
    for (uint32_t i = 0; i < dhat->frames.count; i++)
        json_text(json, intern_text(&dhat->frames, i));
    json_close_list(json);
}

/* Prints the head. The viewer shows rates per million units of time. The unit is a
   microsecond, so these are rates per second. */
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
    json_unsigned_field(json, "te", input->view->profile->runs.cpu / 1000);
}

static void dhat_write(FILE *out, const struct export_input *input)
{
    const struct view *view = input->view;
    const struct allocs *allocs = &view->rows->stacks.allocs;
    if (view->profile->kind && !(view->profile->kind & CCPROF_KIND_ALLOC)) {
        fault_set(input->fault, FAULT_MISMATCH, "-dhat",
                  "no allocations were measured: compile with "
                  "-fplugin-arg-ccprof-profile=alloc");
        return;
    }
    struct dhat dhat = {.view = view};
    for (size_t i = 0; i < allocs->count; i++)
        add_site(&dhat, &allocs->sites[i]);
    struct json json = {.out = out};
    json_open(&json);
    print_head(&json, input);
    print_points(&json, &dhat);
    json_close(&json);
    putc('\n', out);
    intern_free(&dhat.frames);
    index_free(&dhat.chain_index);
    free(dhat.chains.list);
    index_free(&dhat.by_chain);
    free(dhat.points.list);
}

const struct export_format dhat_format = {
    .name = "dhat",
    .help = "write allocations for the viewer of DHAT",
    .kind = OUTPUTS_BLOCKS,
    .needs = EXPORT_WRAPPERS,
    .write = dhat_write,
};
