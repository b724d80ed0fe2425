/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the format of speedscope (its file-format-schema.json).  A frame is a
   function with the position where it starts.  A sample is a stack, the outermost
   function first; its weight is the total of all samples with this stack. Each measure
   is a separate profile.  Only time has stacks; if time was not measured, only bytes
   have stacks.  */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/content.h"
#include "mlprof/export/export.h"
#include "mlprof/regions/regionevents.h"

#include <stdlib.h>

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct speedscope {
    const struct view *view;
    struct json json;
    struct functions functions;
    struct regionevents events;
};

static void print_samples(struct speedscope *speedscope, const struct tree *tree)
{
    struct json *json = &speedscope->json;
    struct tree_walk walk = {0};
    uint32_t *stack = NULL;
    size_t capacity = 0;
    json_open_list_field(json, "samples");
    while (tree_walk_next(tree, &walk)) {
        const struct tree_node *node = &tree->nodes[walk.node];
        stack = buf_grow(stack, &capacity, walk.depth, sizeof *stack);
        stack[walk.depth - 1] = functions_of_row(&speedscope->functions, node->row);
        if (node->count == 0)
            continue;
        json_open_list(json);
        for (size_t i = 0; i < walk.depth; i++)
            json_unsigned(json, stack[i]);
        json_close_list(json);
    }
    json_close_list(json);
    free(stack);
}

/* Prints the weights of the samples.  Returns their sum.  */
static uint64_t print_weights(struct speedscope *speedscope, const struct tree *tree,
                              const struct values_value *value)
{
    struct json *json = &speedscope->json;
    uint64_t sum = 0;
    json_open_list_field(json, "weights");
    for (struct tree_walk walk = {0}; tree_walk_next(tree, &walk);) {
        uint64_t count = tree->nodes[walk.node].count;
        uint64_t weight = values_unit(value) == MEASURE_NANOSECONDS
                              ? profile_nanoseconds(speedscope->view->profile, count)
                              : count;
        if (count)
            json_unsigned(json, weight);
        sum += weight;
    }
    json_close_list(json);
    return sum;
}

static void print_profile(struct speedscope *speedscope, const struct values_value *value)
{
    static const char *const units[] = {[MEASURE_NANOSECONDS] = "nanoseconds",
                                        [MEASURE_COUNT] = "none",
                                        [MEASURE_BYTES] = "bytes"};
    const struct view *view = speedscope->view;
    BUF_OWN char *name = values_name(value, view->profile);
    struct json *json = &speedscope->json;
    struct tree tree;
    values_tree(&tree, value, view->rows, view->profile);
    json_open(json);
    json_text_field(json, "type", "sampled");
    json_text_field(json, "name", name);
    json_text_field(json, "unit", units[values_unit(value)]);
    json_unsigned_field(json, "startValue", 0);
    print_samples(speedscope, &tree);
    json_unsigned_field(json, "endValue", print_weights(speedscope, &tree, value));
    json_close(json);
    tree_free(&tree);
}

/* Prints the start or end of a call.  Frames of regions have the numbers after the
   last function, because all functions have been added before.  */
static void print_event(void *context, const struct regionevents_call *call, bool begin,
                        uint64_t at)
{
    struct speedscope *speedscope = context;
    const struct view *view = speedscope->view;
    size_t region = view->regions[REGIONROWS_NAMES].of_path[call->path];
    struct json *json = &speedscope->json;
    json_open(json);
    json_text_field(json, "type", begin ? "O" : "C");
    json_unsigned_field(json, "frame", speedscope->functions.count + region);
    json_unsigned_field(json, "at", at);
    json_close(json);
}

/* Prints the calls of regions in one thread.  */
static void print_evented(struct speedscope *speedscope, size_t lane)
{
    struct json *json = &speedscope->json;
    BUF_OWN char *name = buf_format("regions of %s", speedscope->events.lanes[lane].name);
    json_open(json);
    json_text_field(json, "type", "evented");
    json_text_field(json, "name", name);
    json_text_field(json, "unit", "nanoseconds");
    json_unsigned_field(json, "startValue", 0);
    json_unsigned_field(json, "endValue", speedscope->events.end);
    json_open_list_field(json, "events");
    regionevents_visit(&speedscope->events, lane, print_event, speedscope);
    json_close_list(json);
    json_close(json);
}

static void print_regions(struct speedscope *speedscope)
{
    const struct regionrows *regions = &speedscope->view->regions[REGIONROWS_NAMES];
    struct json *json = &speedscope->json;
    for (size_t i = 0; i < regions->count; i++) {
        json_open(json);
        json_text_field(json, "name", regions->rows[i].name);
        if (regions->rows[i].position)
            json_text_field(json, "file", regions->rows[i].position);
        json_close(json);
    }
}

/* Prints all functions of the profiles, followed by the regions.  */
static void print_frames(struct speedscope *speedscope)
{
    struct json *json = &speedscope->json;
    json_open_field(json, "shared");
    json_open_list_field(json, "frames");
    for (size_t i = 0; i < speedscope->functions.count; i++) {
        const struct functions_function *function = &speedscope->functions.list[i];
        json_open(json);
        json_text_field(json, "name", function->name);
        if (*function->file)
            json_text_field(json, "file", function->file);
        if (function->line)
            json_unsigned_field(json, "line", function->line);
        if (function->line && function->column)
            json_unsigned_field(json, "col", function->column);
        json_close(json);
    }
    if (speedscope->events.count)
        print_regions(speedscope);
    json_close_list(json);
    json_close(json);
}

static bool speedscope_write(FILE *out, const struct export_input *input,
                             struct fault *fault)
{
    (void)fault;
    const struct view *view = input->view;
    struct speedscope speedscope = {
        .view = view, .json.out = out, .functions.view = view};
    struct json *json = &speedscope.json;
    json_open(json);
    json_text_field(json, "$schema", SCHEMA);
    json_text_field(json, "name", input->title ? input->title : input->program);
    json_text_field(json, "exporter", input->maker);
    json_unsigned_field(json, "activeProfileIndex", 0);
    json_open_list_field(json, "profiles");
    for (struct values_value value = {0}; values_next(&value, view->profile);)
        print_profile(&speedscope, &value);
    regionevents_fill(&speedscope.events, view->profile);
    for (size_t i = 0; i < speedscope.events.lane_count; i++)
        print_evented(&speedscope, i);
    json_close_list(json);
    print_frames(&speedscope);
    json_close(json);
    fputc('\n', out);
    functions_free(&speedscope.functions);
    regionevents_free(&speedscope.events);
    return true;
}

const struct export_format speedscope_format = {
    .name = "speedscope",
    .help = "write the stacks for speedscope",
    .affected_by = VIEWS_BY_COPIES VIEWS_BY_MEASURE EXPORT_BY_TITLE EXPORT_BY_BUILDS,
    .write = speedscope_write,
};
