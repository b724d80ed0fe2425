/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the field `code', for page.c: machine code with its samples. The first half
   of the file finds expressions whose code the compiler has moved out of a loop to a
   place before the loop. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/cfg.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/program/code-names.h"
#include "mlprof/program/machine-code.h"

#include <inttypes.h>
#include <stdlib.h>

/* LINE of FILE has an expression with code before a loop. The loop has the lines FIRST
   to LAST of LOOP_FILE. These lines contain either the expression itself, or the call
   through which it was inlined. */
struct moved_line {
    int64_t file, line, loop_file, first, last;
};

/* All zero at first. */
struct moved {
    struct index index, loop_index;
    struct moved_line *places;
    size_t count, capacity;
};

/* The range of lines of one file that a copy has in a loop. */
struct lines {
    uint32_t first, last;
};

/* Code inside a loop. */
struct inside {
    struct index files;  /* key: copy, file; value: index in LINES */
    struct index places; /* key: copy, file and line, column */
    struct lines *lines;
    size_t count, capacity;
};

struct search {
    struct page_data *data;
    const struct function *function;
    uint64_t start;
    const struct cfg *cfg;
};

static struct function_frames frames_at(const struct search *search, uint32_t number)
{
    uint64_t address = search->cfg->code.list[number].address;
    return function_frames(search->function,
                           function_point_at(search->function, address - search->start));
}

static uint64_t line_of(const struct function_position *position)
{
    return (uint64_t)position->file << 32 | position->line;
}

static void put_inside(struct inside *inside, const struct search *search,
                       uint32_t number)
{
    struct function_frames walk = frames_at(search, number);
    struct function_frame frame;
    bool fresh;
    for (bool inner = true; function_frames_next(&walk, &frame); inner = false) {
        if (inner)
            index_put(&inside->places, frame.copy, line_of(&frame.position),
                      frame.position.column, &fresh);
        if (!frame.position.file || !frame.position.line)
            continue;
        uint32_t found =
            index_put(&inside->files, frame.copy, frame.position.file, 0, &fresh);
        if (fresh)
            BUF_NEXT(inside->lines, inside->count, inside->capacity) =
                (struct lines){frame.position.line, frame.position.line};
        struct lines *lines = &inside->lines[found];
        if (frame.position.line < lines->first)
            lines->first = frame.position.line;
        if (frame.position.line > lines->last)
            lines->last = frame.position.line;
    }
}

static int64_t file_of(const struct search *search, uint32_t file)
{
    const struct unit *unit = search->function->unit;
    return page_file(search->data, unit_file(unit, file));
}

static void put_place(struct moved *moved, const struct search *search,
                      const struct function_position *position, uint32_t loop_file,
                      const struct lines *lines)
{
    struct moved_line place = {.file = file_of(search, position->file),
                               .line = position->line,
                               .loop_file = file_of(search, loop_file),
                               .first = lines->first,
                               .last = lines->last};
    bool fresh;
    uint32_t loop = index_put(&moved->loop_index, (uint64_t)place.loop_file, lines->first,
                              lines->last, &fresh);
    index_put(&moved->index, (uint64_t)place.file << 32 | loop, position->line, 0,
              &fresh);
    if (fresh)
        BUF_NEXT(moved->places, moved->count, moved->capacity) = place;
}

/* Adds the place of an instruction that is always executed before the loop, if the
   line of the instruction, or of the call through which it was inlined, is in the
   loop. The first line of the loop does not count, because the start of a `for' is
   executed before the loop. If a place also has code inside the loop, its code was
   copied, not moved. */
static void add_if_moved(struct moved *moved, const struct search *search,
                         const struct inside *inside, uint32_t number)
{
    enum insns_transfer transfer = search->cfg->code.list[number].transfer;
    struct function_frames walk = frames_at(search, number);
    struct function_frame frame;
    struct function_position innermost = {0};
    if (transfer != INSNS_NEXT && transfer != INSNS_CALL)
        return;
    for (bool inner = true; function_frames_next(&walk, &frame); inner = false) {
        uint32_t found;
        if (inner)
            innermost = frame.position;
        if (!innermost.file || !innermost.line ||
            (inner && index_get(&inside->places, frame.copy, line_of(&innermost),
                                innermost.column, &found)))
            return;
        if (!index_get(&inside->files, frame.copy, frame.position.file, 0, &found))
            continue;
        const struct lines *lines = &inside->lines[found];
        if (frame.position.line > lines->first && frame.position.line <= lines->last) {
            put_place(moved, search, &innermost, frame.position.file, lines);
            return;
        }
    }
}

static void find_moved(struct moved *moved, const struct search *search,
                       const struct cfg_loops *loops, uint32_t number)
{
    const struct cfg_loop *loop = &loops->loops[number];
    struct inside inside = {0};
    for (size_t i = 0; i < loop->count; i++)
        put_inside(&inside, search, loop->inside[i]);
    for (uint32_t instruction = loops->dominator[loop->head];
         instruction != CFG_LOOPS_NONE; instruction = loops->dominator[instruction])
        /* Skip instructions in loops that do not contain this loop. */
        if (loops->inner[instruction] == CFG_LOOPS_NONE ||
            cfg_loops_is_in(loops, number, loops->inner[instruction]))
            add_if_moved(moved, search, &inside, instruction);
    index_free(&inside.files);
    index_free(&inside.places);
    free(inside.lines);
}

/* Adds the moved expressions of a function of the tables. The function starts at
   START, and CFG is its code. */
static void moved_add(struct moved *moved, struct page_data *data,
                      const struct function *function, uint64_t start,
                      const struct cfg *cfg)
{
    const struct search search = {data, function, start, cfg};
    struct cfg_loops loops;
    if (cfg_loops_find(&loops, cfg))
        for (uint32_t i = 0; i < loops.count; i++)
            find_moved(moved, &search, &loops, i);
    cfg_loops_free(&loops);
}

static const struct datacolumns_column moved_columns[] = {
    DATACOLUMNS_MEMBER(moved_line, file),      DATACOLUMNS_MEMBER(moved_line, line),
    DATACOLUMNS_MEMBER(moved_line, loop_file), DATACOLUMNS_MEMBER(moved_line, first),
    DATACOLUMNS_MEMBER(moved_line, last),      {0}};

static void moved_free(struct moved *moved)
{
    index_free(&moved->index);
    index_free(&moved->loop_index);
    free(moved->places);
}

/* The maximum number of instructions in a page. This number takes half a megabyte. */
#define MOST_INSNS 40000

/* A compiled function. */
struct body {
    uint32_t module, number; /* NUMBER: index in the module's tables */
    uint64_t samples, calls;
    uint64_t start, insns; /* address, and number of instructions */
};

/* A copy of a source function inside a body. */
struct part {
    uint32_t body, copy;
    int64_t parent;     /* the part into which it is inlined */
    int64_t function;   /* the function's row */
    char *name;         /* only for a function without a row, otherwise NULL */
    int64_t file, line; /* position of the call */
};

struct place {
    int64_t file, line, column;
};

struct instruction {
    int64_t size, text, part, place, to, label;
};

struct page_code {
    struct page_data *data;
    struct machine_code *code;
    struct code_names *names;
    struct index body_index, part_index, place_index;
    BUF_VECTOR(struct body) bodies;
    BUF_VECTOR(struct part) parts;
    BUF_VECTOR(struct place) places;
    BUF_VECTOR(struct instruction) insns;
    struct moved moved;
    uint64_t left_out, left_samples; /* bodies that do not fit or cannot be read */
};

static struct body *body_of(struct page_code *page, uint32_t module, uint32_t function)
{
    bool fresh;
    uint32_t number = index_put(&page->body_index, module, function, 0, &fresh);
    if (fresh)
        BUF_PUSH(page->bodies) = (struct body){.module = module, .number = function};
    return &page->bodies.list[number];
}

int64_t page_row_of(const struct page_data *data, const struct unit_source *source)
{
    return page_number(rows_of_unit(data->view->rows, source));
}

/* Finds the compiled functions with samples. If calls were counted, includes
   functions that were called. If the heap is shown, includes functions with any
   measure of the heap. */
static void find_bodies(struct page_code *page)
{
    const struct view *view = page->data->view;
    const struct stacks *stacks = &view->rows->stacks;
    for (size_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        const struct stacks_copy *copy = &stacks->copies.list[node->copy];
        if (node->count && node->address && copy->module != STACKS_NONE)
            body_of(page, copy->module, copy->function)->samples += node->count;
    }
    for (size_t i = 0; i < stacks->values.count; i++) {
        const struct stacks_node *node =
            &stacks->nodes.list[stacks->values.entries[i].owner];
        const struct stacks_copy *copy = &stacks->copies.list[node->copy];
        if (node->address && copy->module != STACKS_NONE)
            body_of(page, copy->module, copy->function);
    }
    for (uint32_t module = 0;
         (view->profile->kind & CCPROF_KIND_COUNT) && module < view->program->count;
         module++) {
        struct tables *tables = view->program->tables[module];
        for (uint32_t i = 0; tables && i < tables_function_count(tables); i++) {
            const struct function *function = tables_function(tables, i);
            const struct unit_source *source =
                unit_shown_itself(function->unit, function->copies.list[0].source);
            int64_t row = page_row_of(page->data, source);
            uint64_t calls = row >= 0 ? rows_calls(&view->rows->rows[row]) : 0;
            if (calls)
                body_of(page, module, i)->calls = calls;
        }
    }
}

BUF_COMPARE(by_weight, struct body, BUF_ORDER(b->samples, a->samples) ?:
            BUF_ORDER(b->calls, a->calls) ?: BUF_ORDER(a->module, b->module) ?:
            BUF_ORDER(a->number, b->number))

static int64_t place_of(struct page_code *page, const struct unit *unit,
                        const struct function_position *position)
{
    bool fresh;
    if (!position->file)
        return DATACOLUMNS_NONE;
    int64_t file = page_file(page->data, unit_file(unit, position->file));
    uint32_t number = index_put(&page->place_index, (uint64_t)file, position->line,
                                position->column, &fresh);
    if (fresh)
        BUF_PUSH(page->places) = (struct place){file, position->line, position->column};
    return number;
}

/* Returns the number of the part to which the innermost frame of WALK belongs. If
   this part and the parts around it are new, adds them. Sets *POSITION to the
   position of the innermost frame. */
static int64_t part_of(struct page_code *page, uint32_t body,
                       struct function_frames *walk, struct function_position *position)
{
    struct function_frame frame;
    const struct function *function = walk->function;
    int64_t first = DATACOLUMNS_NONE;
    size_t inner = 0;
    for (bool any = false; function_frames_next(walk, &frame); any = true) {
        bool fresh;
        uint32_t number = index_put(&page->part_index, body, frame.copy, 0, &fresh);
        if (any) {
            struct part *part = &page->parts.list[inner];
            bool linked = part->parent >= 0;
            part->parent = number;
            part->file = frame.position.file
                             ? page_file(page->data,
                                         unit_file(function->unit, frame.position.file))
                             : DATACOLUMNS_NONE;
            part->line = frame.position.line;
            if (linked)
                return first;
        } else {
            first = number;
            *position = frame.position;
        }
        inner = number;
        if (!fresh)
            continue;
        struct part *part = &BUF_PUSH(page->parts);
        *part = (struct part){.body = body,
                              .copy = frame.copy,
                              .parent = DATACOLUMNS_NONE,
                              .function = page_row_of(page->data, frame.source),
                              .file = DATACOLUMNS_NONE};
        if (part->function < 0) {
            const struct identity_source identity =
                identity_of(function->unit, frame.source);
            part->name = names_of(&identity, &(struct names_style){.form = NAMES_READABLE,
                                                                   .long_name = true});
        }
    }
    return first;
}

/* The context of name_address. */
struct naming {
    struct page_code *page;
    uint32_t module;
    const struct cfg *cfg;
    const int64_t *labels; /* by instruction of CFG; 0: none */
};

/* Returns the numbers of the labels: targets of jumps, in the order of addresses. The
   caller frees them. */
static int64_t *number_labels(const struct cfg *cfg)
{
    int64_t *labels = buf_alloc((cfg->code.count + 1) * sizeof *labels), count = 0;
    for (size_t i = 0; i < cfg->code.count; i++)
        if (cfg_is_target(cfg, i))
            labels[i] = ++count;
    return labels;
}

/* Names an address, for machine_code_text. */
static char *name_address(void *context, uint64_t address, bool data)
{
    const struct naming *naming = context;
    size_t to = data ? naming->cfg->code.count : cfg_at(naming->cfg, address);
    if (naming->labels[to])
        return buf_format(".L%" PRId64, naming->labels[to]);
    BUF_OWN char *place =
        code_names_place(naming->page->names, naming->module, address, data);
    return place ? view_place_name(naming->page->data->view, place) : NULL;
}

static void add_body(struct page_code *page, uint32_t number, const struct cfg *cfg)
{
    struct body *body = &page->bodies.list[number];
    struct tables *tables = page->data->view->program->tables[body->module];
    const struct function *function = tables_function(tables, body->number);
    uint64_t end;
    size_t first = page->insns.count;
    tables_function_range(tables, body->number, &body->start, &end);
    BUF_OWN int64_t *labels = number_labels(cfg);
    struct naming naming = {page, body->module, cfg, labels};
    for (size_t i = 0; i < cfg->code.count; i++) {
        const struct insn *insn = &cfg->code.list[i];
        struct function_position position = {0};
        struct function_frames walk = function_frames(
            function, function_point_at(function, insn->address - body->start));
        uint64_t next = i + 1 < cfg->code.count ? cfg->code.list[i + 1].address : end;
        size_t to = insn->target ? cfg_at(cfg, insn->target) : cfg->code.count;
        bool inside = to < cfg->code.count;
        BUF_OWN char *text = machine_code_text(page->code, body->module, insn->address,
                                               name_address, &naming);
        struct instruction *entry = &BUF_PUSH(page->insns);
        entry->size = (int64_t)(next - insn->address);
        entry->text = datacolumns_text(&page->data->columns, text);
        entry->part = part_of(page, number, &walk, &position);
        entry->place = place_of(page, function->unit, &position);
        entry->to = inside ? (int64_t)(first + to) : DATACOLUMNS_NONE;
        entry->label = labels[i];
    }
    body->insns = page->insns.count - first;
    moved_add(&page->moved, page->data, function, body->start, cfg);
}

static void add_bodies(struct page_code *page)
{
    size_t kept = 0;
    BUF_SORT(page->bodies.list, page->bodies.count, by_weight);
    for (size_t i = 0; i < page->bodies.count; i++) {
        struct body body = page->bodies.list[i];
        const struct cfg *cfg = machine_code_cfg(page->code, body.module, body.number);
        if (!cfg || page->insns.count + cfg->code.count > MOST_INSNS) {
            page->left_out++;
            page->left_samples += body.samples;
        } else {
            page->bodies.list[kept] = body;
            add_body(page, (uint32_t)kept++, cfg);
        }
        machine_code_forget(page->code, body.module, body.number);
    }
    page->bodies.count = kept;
}

static const struct datacolumns_column body_columns[] = {DATACOLUMNS_MEMBER(body, module),
                                                         DATACOLUMNS_MEMBER(body, number),
                                                         DATACOLUMNS_MEMBER(body, start),
                                                         DATACOLUMNS_MEMBER(body, insns),
                                                         {0}};

static const struct datacolumns_column part_columns[] = {
    DATACOLUMNS_MEMBER(part, body),   DATACOLUMNS_MEMBER(part, copy),
    DATACOLUMNS_MEMBER(part, parent), DATACOLUMNS_MEMBER(part, function),
    DATACOLUMNS_MEMBER(part, name),   DATACOLUMNS_MEMBER(part, file),
    DATACOLUMNS_MEMBER(part, line),   {0}};

static const struct datacolumns_column place_columns[] = {
    DATACOLUMNS_MEMBER(place, file),
    DATACOLUMNS_MEMBER(place, line),
    DATACOLUMNS_MEMBER(place, column),
    {0}};

static const struct datacolumns_column insn_columns[] = {
    DATACOLUMNS_MEMBER(instruction, size),
    DATACOLUMNS_MEMBER(instruction, text),
    DATACOLUMNS_MEMBER(instruction, part),
    DATACOLUMNS_MEMBER(instruction, place),
    DATACOLUMNS_MEMBER(instruction, to),
    DATACOLUMNS_MEMBER(instruction, label),
    {0}};

static void print_names(struct page_code *page)
{
    struct json *json = &page->data->columns.json;
    json_open_list_field(json, "symbols");
    for (size_t i = 0; i < page->bodies.count; i++)
        json_text(json, code_names_at(page->names, page->bodies.list[i].module,
                                      page->bodies.list[i].start));
    json_close_list(json);
}

static void free_code(struct page_code *page)
{
    code_names_free(page->names);
    for (size_t i = 0; i < page->parts.count; i++)
        free(page->parts.list[i].name);
    machine_code_free(page->code);
    index_free(&page->body_index);
    index_free(&page->part_index);
    index_free(&page->place_index);
    moved_free(&page->moved);
    free(page->bodies.list);
    free(page->parts.list);
    free(page->places.list);
    free(page->insns.list);
}

void page_code_print(struct page_data *data)
{
    const struct program *program = data->view->program;
    struct datacolumns *columns = &data->columns;
    struct page_code page = {.data = data, .code = machine_code_new(program)};
    page.names = code_names_new(program, page.code);
    find_bodies(&page);
    add_bodies(&page);
    json_open_field(&columns->json, "code");
    datacolumns_print(columns, "bodies", data, page.bodies.list, page.bodies.count,
                      body_columns);
    print_names(&page);
    datacolumns_print(columns, "parts", data, page.parts.list, page.parts.count,
                      part_columns);
    datacolumns_print(columns, "places", data, page.places.list, page.places.count,
                      place_columns);
    datacolumns_print(columns, "insns", data, page.insns.list, page.insns.count,
                      insn_columns);
    datacolumns_print(columns, "moved", data, page.moved.places, page.moved.count,
                      moved_columns);
    json_unsigned_field(&columns->json, "left", page.left_out);
    json_unsigned_field(&columns->json, "left_samples", page.left_samples);
    json_close(&columns->json);
    free_code(&page);
}
