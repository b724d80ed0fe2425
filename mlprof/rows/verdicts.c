/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the loop of each node in its copy, adds the samples up by loop of the source,
   and keeps one verdict for each different outcome. */

#include "mlprof/rows/verdicts.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"
#include "mlprof/program/remarked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A loop of a compiled function, and the loop of the source that it belongs to. */
struct placed {
    uint32_t loop;
    uint64_t cur;
    char *text, *messages;
    uint32_t into;
};

struct build {
    struct verdicts *verdicts;
    const struct rows *rows;
    const struct program *program;
    struct remarked *remarks;
    struct index heads; /* key: row, file and position of the head */
    struct intern files;
    struct index placed_index; /* key: module, function, number of the loop */
    struct placed *placed;
    size_t placed_capacity;
};

static void extend(struct verdicts_loop *loop, const struct remarktable_loop *other)
{
    if (index_pair(other->first_line, other->first_column) <
        index_pair(loop->first_line, loop->first_column)) {
        loop->first_line = other->first_line;
        loop->first_column = other->first_column;
    }
    if (index_pair(loop->last_line, loop->last_column) <
        index_pair(other->last_line, other->last_column)) {
        loop->last_line = other->last_line;
        loop->last_column = other->last_column;
    }
}

/* Returns the number of the source's loop, which is added if needed. SOURCE is the
   source of the stacks that contains it. */
static uint32_t put_loop(struct build *build, uint32_t source, const struct unit *unit,
                         const struct remarktable_loop *table)
{
    struct verdicts *verdicts = build->verdicts;
    uint32_t row = rows_of_source(build->rows, source);
    const char *file = unit_file(unit, table->file);
    bool fresh;
    uint32_t number =
        index_put(&build->heads, index_pair(row, intern_put(&build->files, file)),
                  index_pair(table->line, table->column), 0, &fresh);
    if (fresh)
        BUF_NEXT(verdicts->loops, verdicts->count, verdicts->capacity) =
            (struct verdicts_loop){.row = row,
                                   .source = source,
                                   .file = file,
                                   .line = table->line,
                                   .column = table->column,
                                   .first_line = table->first_line,
                                   .first_column = table->first_column,
                                   .last_line = table->last_line,
                                   .last_column = table->last_column,
                                   .outer = VERDICTS_NONE};
    extend(&verdicts->loops[number], table);
    return number;
}

/* Returns the number of the placed loop. */
static uint32_t place(struct build *build, const struct stacks_copy *copy,
                      const struct remarked_function *function, uint32_t number)
{
    const struct remarked_loop *loop = &function->loops[number];
    bool fresh;
    uint32_t placed =
        index_put(&build->placed_index, copy->module, copy->function, number, &fresh);
    if (!fresh)
        return placed;
    uint32_t loop_number = put_loop(build, copy->source, function->unit, loop->table);
    BUF_AT(build->placed, placed, build->placed_capacity) =
        (struct placed){.loop = loop_number,
                        .text = remarked_verdict(function, loop),
                        .messages = remarked_messages(function, loop),
                        .into = STACKS_NONE};
    uint32_t outer_number = loop->outer;
    if (outer_number != REMARKED_NONE &&
        function->loops[outer_number].copy == loop->copy) {
        uint32_t placed_around = place(build, copy, function, outer_number);
        uint32_t outer = build->placed[placed_around].loop;
        struct verdicts_loop *kept = &build->verdicts->loops[loop_number];
        if (outer != loop_number && kept->outer == VERDICTS_NONE)
            kept->outer = outer;
    }
    return placed;
}

/* Returns the row of the compiled function that the node's copy is in. */
static uint32_t compiled_row(const struct build *build, uint32_t node)
{
    const struct stacks *stacks = &build->rows->stacks;
    while (stacks->nodes.list[node].inlined &&
           stacks->nodes.list[node].parent != STACKS_NONE)
        node = stacks->nodes.list[node].parent;
    return rows_of_source(build->rows, stacks_source_of(stacks, node));
}

/* Returns the placed loop around a node in its own copy, or VERDICTS_NONE. */
static uint32_t find_placed(struct build *build, uint32_t number)
{
    const struct stacks *stacks = &build->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    const struct stacks_copy *copy = &stacks->copies.list[node->copy];
    if (copy->what != STACKS_CODE || copy->module == STACKS_NONE ||
        rows_of_source(build->rows, copy->source) == STACKS_NONE ||
        copy->module >= build->program->count || !build->program->tables[copy->module])
        return VERDICTS_NONE;
    const struct remarked_function *function =
        remarked_of(build->remarks, copy->module, copy->function);
    if (!function)
        return VERDICTS_NONE;
    const struct stacks_position *position = &stacks->positions.list[node->position];
    uint32_t loop = remarked_at(function, copy->copy, position->file, position->line,
                                position->column);
    if (loop == REMARKED_NONE)
        return VERDICTS_NONE;
    uint32_t placed = place(build, copy, function, loop);
    build->placed[placed].into = compiled_row(build, number);
    return placed;
}

/* Finds the loop of each node, and adds up the samples. */
static void find_loops(struct build *build)
{
    const struct stacks *stacks = &build->rows->stacks;
    struct verdicts *verdicts = build->verdicts;
    BUF_OWN uint32_t *placed = buf_alloc((stacks->nodes.count + 1) * sizeof *placed);
    verdicts->of_node = buf_alloc((stacks->nodes.count + 1) * sizeof *verdicts->of_node);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        placed[i] = node->weight || node->others ? find_placed(build, i) : VERDICTS_NONE;
        verdicts->of_node[i] =
            placed[i] == VERDICTS_NONE ? VERDICTS_NONE : build->placed[placed[i]].loop;
        if (placed[i] == VERDICTS_NONE && node->inlined && node->parent != STACKS_NONE)
            placed[i] = placed[node->parent];
        if (placed[i] != VERDICTS_NONE && node->count) {
            build->placed[placed[i]].cur += node->count;
            verdicts->loops[build->placed[placed[i]].loop].cur += node->count;
        }
    }
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Adds the verdict of a placed loop, which loses its texts. */
static void add_verdict(struct verdicts *verdicts, struct placed *placed)
{
    for (size_t i = 0; i < verdicts->list.count; i++) {
        struct verdicts_verdict *known = &verdicts->list.list[i];
        if (known->loop != placed->loop || !is_same_text(known->text, placed->text))
            continue;
        known->cur += placed->cur;
        known->copies++;
        if (placed->cur > known->most) {
            known->most = placed->cur;
            known->into = placed->into;
        }
        free(placed->text);
        free(placed->messages);
        return;
    }
    BUF_PUSH(verdicts->list) = (struct verdicts_verdict){.loop = placed->loop,
                                                         .text = placed->text,
                                                         .messages = placed->messages,
                                                         .cur = placed->cur,
                                                         .copies = 1,
                                                         .into = placed->into,
                                                         .most = placed->cur};
}

BUF_COMPARE(by_loop, struct verdicts_verdict, BUF_ORDER(a->loop, b->loop) ?:
            BUF_ORDER(b->cur, a->cur) ?: BUF_ORDER(b->copies, a->copies) ?:
            strcmp(a->text ? a->text : "", b->text ? b->text : ""))

static void find_verdicts(struct build *build)
{
    struct verdicts *verdicts = build->verdicts;
    for (size_t i = 0; i < build->placed_index.count; i++)
        add_verdict(verdicts, &build->placed[i]);
    BUF_SORT(verdicts->list.list, verdicts->list.count, by_loop);
    for (size_t i = verdicts->list.count; i-- > 0;) {
        struct verdicts_loop *loop = &verdicts->loops[verdicts->list.list[i].loop];
        loop->first = i;
        loop->count++;
    }
}

void verdicts_fill(struct verdicts *verdicts, const struct rows *rows,
                   const struct program *program)
{
    struct build build = {.verdicts = verdicts, .rows = rows, .program = program};
    memset(verdicts, 0, sizeof *verdicts);
    if (!remarked_any(program))
        return;
    build.remarks = remarked_new(program);
    find_loops(&build);
    find_verdicts(&build);
    remarked_free(build.remarks);
    index_free(&build.heads);
    intern_free(&build.files);
    index_free(&build.placed_index);
    free(build.placed);
}

void verdicts_free(struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->list.count; i++) {
        free(verdicts->list.list[i].text);
        free(verdicts->list.list[i].messages);
    }
    free(verdicts->list.list);
    free(verdicts->loops);
    free(verdicts->of_node);
    memset(verdicts, 0, sizeof *verdicts);
}

char *verdicts_text(const struct verdicts *verdicts, const struct verdicts_loop *loop)
{
    const struct verdicts_verdict *list = &verdicts->list.list[loop->first];
    char *text = NULL;
    size_t size;
    uint32_t copies = 0;
    for (size_t i = 0; i < loop->count; i++)
        copies += list[i].copies;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < loop->count; i++) {
        if (!list[i].text)
            continue;
        buf_separate(out, "; ");
        fputs(list[i].text, out);
        if (loop->count > 1)
            fprintf(out, " (%" PRIu32 " of %" PRIu32 " copies)", list[i].copies, copies);
    }
    return buf_close_text(out, &text);
}

char *verdicts_messages(const struct verdicts *verdicts, const struct verdicts_loop *loop)
{
    const struct verdicts_verdict *list = &verdicts->list.list[loop->first];
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < loop->count; i++)
        if (list[i].messages) {
            buf_separate(out, "; ");
            fputs(list[i].messages, out);
        }
    return buf_close_text(out, &text);
}
