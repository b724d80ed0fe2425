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

/* An expression at LINE and COLUMN of FILE that has code before a loop. The loop has
   the lines FIRST to LAST of LOOP_FILE. These lines contain either the expression
   itself, or the call through which it was inlined. */
struct moved_expression {
    int64_t file, line, column, loop_file, first, last;
};

/* All zero at first. */
struct moved {
    struct index index, loop_index;
    struct moved_expression *places;
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
        if (fresh) {
            inside->lines = buf_grow(inside->lines, &inside->capacity, found + (size_t)1,
                                     sizeof *inside->lines);
            inside->lines[inside->count++] =
                (struct lines){frame.position.line, frame.position.line};
        }
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
    return page_files_put(&search->data->files, unit_file(unit, file));
}

static void put_place(struct moved *moved, const struct search *search,
                      const struct function_position *position, uint32_t loop_file,
                      const struct lines *lines)
{
    struct moved_expression place = {.file = file_of(search, position->file),
                                     .line = position->line,
                                     .column = position->column,
                                     .loop_file = file_of(search, loop_file),
                                     .first = lines->first,
                                     .last = lines->last};
    bool fresh;
    uint32_t loop = index_put(&moved->loop_index, (uint64_t)place.loop_file, lines->first,
                              lines->last, &fresh);
    index_put(&moved->index, (uint64_t)place.file << 32 | loop, position->line,
              position->column, &fresh);
    if (!fresh)
        return;
    moved->places = buf_grow(moved->places, &moved->capacity, moved->count + 1,
                             sizeof *moved->places);
    moved->places[moved->count++] = place;
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

PAGE_VALUE(moved_file, moved_expression, row->file)
PAGE_VALUE(moved_line, moved_expression, row->line)
PAGE_VALUE(moved_column, moved_expression, row->column)
PAGE_VALUE(moved_loop_file, moved_expression, row->loop_file)
PAGE_VALUE(moved_first, moved_expression, row->first)
PAGE_VALUE(moved_last, moved_expression, row->last)

static const struct datacolumns_column moved_columns[] = {{"file", moved_file},
                                                          {"line", moved_line},
                                                          {"column", moved_column},
                                                          {"loop_file", moved_loop_file},
                                                          {"first", moved_first},
                                                          {"last", moved_last},
                                                          {0}};

/* Prints the field `moved'. */
static void moved_print(struct moved *moved, struct page_data *data)
{
    datacolumns_print(&data->columns, "moved", data, moved->places, moved->count,
                      moved_columns);
}

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
    uint32_t module, function; /* FUNCTION: index in the module's tables */
    uint64_t samples, calls;
    int64_t insns; /* number of instructions */
};

/* A copy of a source function inside a body. */
struct part {
    uint32_t body, copy;
    int64_t parent, row; /* the part into which it is inlined, and the function's row */
    char *name;          /* only for a function without a row, otherwise NULL */
    int64_t file, line;  /* position of the call */
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
    struct body *bodies;
    size_t body_count, body_capacity;
    struct part *parts;
    size_t part_count, part_capacity;
    struct place *places;
    size_t place_count, place_capacity;
    struct instruction *insns;
    size_t insn_count, insn_capacity;
    struct moved moved;
    uint64_t left_out, left_samples; /* bodies that do not fit or cannot be read */
};

static struct body *body_of(struct page_code *page, uint32_t module, uint32_t function)
{
    bool fresh;
    uint32_t number = index_put(&page->body_index, module, function, 0, &fresh);
    if (fresh) {
        page->bodies = buf_grow(page->bodies, &page->body_capacity, number + (size_t)1,
                                sizeof *page->bodies);
        page->bodies[page->body_count++] =
            (struct body){.module = module, .function = function};
    }
    return &page->bodies[number];
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
    for (size_t i = 0; i < stacks->node_count; i++) {
        const struct stacks_node *node = &stacks->nodes[i];
        const struct stacks_copy *copy = &stacks->copies[node->copy];
        if (node->count && node->address && copy->module != STACKS_NONE)
            body_of(page, copy->module, copy->function)->samples += node->count;
    }
    for (size_t i = 0; i < stacks->values.count; i++) {
        const struct stacks_node *node = &stacks->nodes[stacks->values.entries[i].owner];
        const struct stacks_copy *copy = &stacks->copies[node->copy];
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
                unit_shown_itself(function->unit, function->copies[0].source);
            int64_t row = page_row_of(page->data, source);
            uint64_t calls = row >= 0 ? rows_calls(&view->rows->rows[row]) : 0;
            if (calls)
                body_of(page, module, i)->calls = calls;
        }
    }
}

static int by_weight(const void *one, const void *other)
{
    const struct body *a = one, *b = other;
    if (a->samples != b->samples)
        return a->samples < b->samples ? 1 : -1;
    if (a->calls != b->calls)
        return a->calls < b->calls ? 1 : -1;
    return BUF_ORDER(a->module, b->module) ?: BUF_ORDER(a->function, b->function);
}

static int64_t place_of(struct page_code *page, const struct unit *unit,
                        const struct function_position *position)
{
    bool fresh;
    if (!position->file)
        return DATACOLUMNS_NONE;
    int64_t file = page_files_put(&page->data->files, unit_file(unit, position->file));
    uint32_t number = index_put(&page->place_index, (uint64_t)file, position->line,
                                position->column, &fresh);
    if (fresh) {
        page->places = buf_grow(page->places, &page->place_capacity, number + (size_t)1,
                                sizeof *page->places);
        page->places[page->place_count++] =
            (struct place){file, position->line, position->column};
    }
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
            struct part *part = &page->parts[inner];
            bool linked = part->parent >= 0;
            part->parent = number;
            part->file =
                frame.position.file
                    ? page_files_put(&page->data->files,
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
        page->parts = buf_grow(page->parts, &page->part_capacity, number + (size_t)1,
                               sizeof *page->parts);
        struct part *part = &page->parts[page->part_count++];
        *part = (struct part){.body = body,
                              .copy = frame.copy,
                              .parent = DATACOLUMNS_NONE,
                              .row = page_row_of(page->data, frame.source),
                              .file = DATACOLUMNS_NONE};
        if (part->row < 0) {
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
    struct body *body = &page->bodies[number];
    struct tables *tables = page->data->view->program->tables[body->module];
    const struct function *function = tables_function(tables, body->function);
    uint64_t start, end;
    int64_t first = (int64_t)page->insn_count;
    tables_function_range(tables, body->function, &start, &end);
    BUF_OWN int64_t *labels = number_labels(cfg);
    struct naming naming = {page, body->module, cfg, labels};
    for (size_t i = 0; i < cfg->code.count; i++) {
        const struct insn *insn = &cfg->code.list[i];
        struct function_position position = {0};
        struct function_frames walk =
            function_frames(function, function_point_at(function, insn->address - start));
        uint64_t next = i + 1 < cfg->code.count ? cfg->code.list[i + 1].address : end;
        size_t to = insn->target ? cfg_at(cfg, insn->target) : cfg->code.count;
        bool inside = to < cfg->code.count;
        BUF_OWN char *text = machine_code_text(page->code, body->module, insn->address,
                                               name_address, &naming);
        page->insns = buf_grow(page->insns, &page->insn_capacity, page->insn_count + 1,
                               sizeof *page->insns);
        struct instruction *entry = &page->insns[page->insn_count++];
        entry->size = (int64_t)(next - insn->address);
        entry->text = datacolumns_text(&page->data->columns, text);
        entry->part = part_of(page, number, &walk, &position);
        entry->place = place_of(page, function->unit, &position);
        entry->to = inside ? first + (int64_t)to : DATACOLUMNS_NONE;
        entry->label = labels[i];
    }
    body->insns = (int64_t)page->insn_count - first;
    moved_add(&page->moved, page->data, function, start, cfg);
}

static void add_bodies(struct page_code *page)
{
    size_t kept = 0;
    BUF_SORT(page->bodies, page->body_count, by_weight);
    for (size_t i = 0; i < page->body_count; i++) {
        struct body body = page->bodies[i];
        const struct cfg *cfg = machine_code_cfg(page->code, body.module, body.function);
        if (!cfg || page->insn_count + cfg->code.count > MOST_INSNS) {
            page->left_out++;
            page->left_samples += body.samples;
        } else {
            page->bodies[kept] = body;
            add_body(page, (uint32_t)kept++, cfg);
        }
        machine_code_forget(page->code, body.module, body.function);
    }
    page->body_count = kept;
}

static int64_t start_of(const struct page_data *data, const struct body *body)
{
    uint64_t start, end;
    tables_function_range(data->view->program->tables[body->module], body->function,
                          &start, &end);
    return (int64_t)start;
}

PAGE_VALUE(body_module, body, row->module)
PAGE_VALUE(body_function, body, row->function)
PAGE_VALUE(body_start, body, start_of(data, row))
PAGE_VALUE(body_insns, body, row->insns)

static const struct datacolumns_column body_columns[] = {{"module", body_module},
                                                         {"number", body_function},
                                                         {"start", body_start},
                                                         {"insns", body_insns},
                                                         {0}};

PAGE_VALUE(part_body, part, row->body)
PAGE_VALUE(part_copy, part, row->copy)
PAGE_VALUE(part_parent, part, row->parent)
PAGE_VALUE(part_row, part, row->row)
PAGE_VALUE(part_name, part, datacolumns_text(&data->columns, row->name))
PAGE_VALUE(part_file, part, row->file)
PAGE_VALUE(part_line, part, row->line)

static const struct datacolumns_column part_columns[] = {
    {"body", part_body},     {"copy", part_copy},
    {"parent", part_parent}, {"function", part_row},
    {"name", part_name},     {"file", part_file},
    {"line", part_line},     {0}};

PAGE_VALUE(place_file, place, row->file)
PAGE_VALUE(place_line, place, row->line)
PAGE_VALUE(place_column, place, row->column)

static const struct datacolumns_column place_columns[] = {
    {"file", place_file}, {"line", place_line}, {"column", place_column}, {0}};

PAGE_VALUE(insn_size, instruction, row->size)
PAGE_VALUE(insn_text, instruction, row->text)
PAGE_VALUE(insn_part, instruction, row->part)
PAGE_VALUE(insn_place, instruction, row->place)
PAGE_VALUE(insn_to, instruction, row->to)
PAGE_VALUE(insn_label, instruction, row->label)

static const struct datacolumns_column insn_columns[] = {{"size", insn_size},
                                                         {"text", insn_text},
                                                         {"part", insn_part},
                                                         {"place", insn_place},
                                                         {"to", insn_to},
                                                         {"label", insn_label},
                                                         {0}};

static void print_names(struct page_code *page)
{
    struct json *json = &page->data->columns.json;
    json_open_list_field(json, "symbols");
    for (size_t i = 0; i < page->body_count; i++)
        json_text(json, code_names_at(page->names, page->bodies[i].module,
                                      (uint64_t)start_of(page->data, &page->bodies[i])));
    json_close_list(json);
}

static void free_code(struct page_code *page)
{
    code_names_free(page->names);
    for (size_t i = 0; i < page->part_count; i++)
        free(page->parts[i].name);
    machine_code_free(page->code);
    index_free(&page->body_index);
    index_free(&page->part_index);
    index_free(&page->place_index);
    moved_free(&page->moved);
    free(page->bodies);
    free(page->parts);
    free(page->places);
    free(page->insns);
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
    datacolumns_print(columns, "bodies", data, page.bodies, page.body_count,
                      body_columns);
    print_names(&page);
    datacolumns_print(columns, "parts", data, page.parts, page.part_count, part_columns);
    datacolumns_print(columns, "places", data, page.places, page.place_count,
                      place_columns);
    datacolumns_print(columns, "insns", data, page.insns, page.insn_count, insn_columns);
    moved_print(&page.moved, data);
    json_unsigned_field(&columns->json, "left", page.left_out);
    json_unsigned_field(&columns->json, "left_samples", page.left_samples);
    json_close(&columns->json);
    free_code(&page);
}
