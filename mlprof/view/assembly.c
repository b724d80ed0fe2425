/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the machine code of functions with the samples and source lines of each
   instruction, for -asm. Only the parts around measured lines are shown. listing.c
   calls it. */

#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/program/code-names.h"
#include "mlprof/view/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The widths of the columns. */
#define PERCENT 6
#define AMOUNT  13
#define ADDRESS 9
#define INDENT  4

/* The number of instructions shown before and after each measured instruction. */
#define NEIGHBOURS 12

/* If a function is inlined, the maximum width of the name of the function that
   contains it. */
#define TITLE 30

/* The samples at an address. For a call, this is the address of the last byte of the
   call instruction. */
struct sample {
    uint32_t module;
    uint64_t address, count;
};

struct assembly {
    FILE *out;
    const struct view *view;
    struct source_files *files;
    struct machine_code *code;
    struct code_names *names;
    struct sample *samples; /* sorted by module and address */
    size_t count, capacity;
    BUF_VECTOR(struct body) bodies; /* sorted by row, then by decreasing samples */
    size_t room;                    /* columns for a text; 0: unlimited */
    bool exact;                     /* instructions have amounts, not only shares */
    int before;                     /* width of everything in front of an instruction */
};

BUF_COMPARE(by_address, struct sample,
            BUF_ORDER(a->module, b->module) ?: BUF_ORDER(a->address, b->address))

/* A compiled function, and a row. The code of the row in the compiled function is
   printed. */
struct body {
    uint32_t module, number;
    const struct function *function;
    uint64_t start, end, samples;
    uint32_t row;
    bool whole; /* the row is the compiled function itself, so all its code is printed */
};

/* Returns whether the instruction at ADDRESS belongs to the body's row, or to a
   function inlined into it. */
static bool is_of_row(const struct assembly *assembly, const struct body *body,
                      uint64_t address)
{
    struct function_frames walk = function_frames(
        body->function, function_point_at(body->function, address - body->start));
    struct function_frame frame;
    while (!body->whole && function_frames_next(&walk, &frame))
        if (rows_of_unit(assembly->view->rows, frame.source) == body->row)
            return true;
    return body->whole;
}

/* Returns the samples of the body's row at addresses from START up to END. */
static uint64_t samples_of(const struct assembly *assembly, const struct body *body,
                           uint64_t start, uint64_t end)
{
    const struct sample from = {.module = body->module, .address = start};
    uint64_t count = 0;
    size_t first;
    BUF_SEARCH(first, assembly->count, middle,
               by_address(&assembly->samples[middle], &from) < 0);
    for (size_t i = first; i < assembly->count; i++) {
        const struct sample *sample = &assembly->samples[i];
        if (sample->module != body->module || sample->address >= end)
            break;
        if (is_of_row(assembly, body, sample->address))
            count += sample->count;
    }
    return count;
}

static void print_text(const struct assembly *assembly, int before, const char *text)
{
    size_t room = assembly->room, taken = (size_t)(assembly->before + before);
    BUF_OWN char *cut = room ? text_cut(text, room > taken + 3 ? room - taken : 3) : NULL;
    fprintf(assembly->out, "%*s%s\n", before, "", cut ? cut : text);
}

/* Returns the name of SOURCE, a source of UNIT: the name of its row if it has one,
   without control characters. The caller frees it. */
static char *name_of(const struct assembly *assembly, const struct unit *unit,
                     const struct unit_source *source)
{
    uint32_t row = rows_of_unit(assembly->view->rows, source);
    const struct rows_row other = {.source = identity_of(unit, source)};
    return view_name(assembly->view,
                     row == STACKS_NONE ? &other : &assembly->view->rows->rows[row]);
}

/* The position of the instruction printed last. */
struct place {
    uint32_t copy, file, line;
};

/* Prints the instruction's source line. If the line belongs to another function or
   file than the previous line, first prints the name of the function and the file. */
static void print_place(const struct assembly *assembly, const struct body *body,
                        const struct function_frame *frame, const struct place *last)
{
    const struct unit *unit = body->function->unit;
    const struct function_position *position = &frame->position;
    const char *file = unit_file(unit, position->file);
    if (frame->copy != last->copy || position->file != last->file) {
        BUF_OWN char *name = name_of(assembly, unit, frame->source);
        BUF_OWN char *clean = text_clean(file ? path_last(file) : "?");
        size_t room = assembly->room,
               taken = (size_t)assembly->before + 2 + text_width(clean) + 4;
        BUF_OWN char *shown = room
                                  ? cxxname_fit(name, room > taken + 8 ? room - taken : 8)
                                  : buf_copy(name);
        fprintf(assembly->out, "%*s%s  (%s)\n", assembly->before + 2, "", shown, clean);
    }
    if (!position->line)
        return;
    BUF_OWN char *text = NULL;
    if (file) {
        text = source_files_line(source_files_get(assembly->files, file), position->line);
    }
    const char *shown = text ? text + strspn(text, " ") : "";
    fprintf(assembly->out, "%*" PRIu32, assembly->before, position->line);
    print_text(assembly, *shown ? 2 : 0, shown);
}

/* An instruction of a body. */
struct line {
    size_t number; /* in the body's code */
    uint64_t samples;
    unsigned label; /* 0: no shown instruction jumps to it */
    bool shown;
};

/* The lines of a body that belong to its row. */
struct listed {
    const struct assembly *assembly;
    const struct body *body;
    const struct cfg *cfg;
    struct line *lines; /* in the order of addresses */
    size_t count;
};

/* Lines one after the other, which are all shown. */
struct part {
    size_t first, end;
    uint64_t samples;
};

static struct line *line_at(const struct listed *listed, uint64_t address)
{
    size_t number = cfg_at(listed->cfg, address), place;
    BUF_SEARCH(place, listed->count, i, listed->lines[i].number < number);
    return place < listed->count && listed->lines[place].number == number
               ? &listed->lines[place]
               : NULL;
}

/* Names an address, for machine_code_text: a shown target of a jump has a label. */
static char *name_address(void *context, uint64_t address, bool data)
{
    const struct listed *listed = context;
    const struct assembly *assembly = listed->assembly;
    const struct line *line = data ? NULL : line_at(listed, address);
    if (line && line->label)
        return buf_format(".L%u", line->label);
    BUF_OWN char *place =
        code_names_place(assembly->names, listed->body->module, address, data);
    return place ? view_place_name(assembly->view, place) : NULL;
}

static void print_insn(const struct listed *listed, const struct line *line)
{
    const struct assembly *assembly = listed->assembly;
    const struct insn *insn = &listed->cfg->code.list[line->number];
    uint64_t samples = line->samples;
    BUF_OWN char *percent =
        samples ? view_percent(assembly->view, samples) : buf_copy(".");
    BUF_OWN char *text = machine_code_text(assembly->code, listed->body->module,
                                           insn->address, name_address, (void *)listed);
    BUF_OWN char *clean = text_clean(text);
    if (line->label)
        fprintf(assembly->out, "%*s.L%u:\n", assembly->before + 2, "", line->label);
    fprintf(assembly->out, "%*s ", PERCENT, percent);
    if (assembly->exact) {
        BUF_OWN char *amount =
            samples ? view_amount_cell(assembly->view, samples) : buf_copy(".");
        fprintf(assembly->out, "%*s ", AMOUNT, amount);
    }
    fprintf(assembly->out, "%*" PRIx64, ADDRESS, insn->address);
    print_text(assembly, 2 + INDENT, clean);
}

/* The heading of amounts. The measure instructions has the executions of each. */
static const char *amount_head(const struct view *view)
{
    const struct measure *measure = profile_measure(view->profile);
    return measure == measure_of_kinds(measure->kinds) ? "executions" : measure->heading;
}

static void print_title(const struct assembly *assembly, const struct body *body)
{
    const struct function *function = body->function;
    const struct unit_source *outer =
        unit_source(function->unit, function->copies.list[0].source);
    BUF_OWN char *percent = body->samples ? view_percent(assembly->view, body->samples)
                                          : buf_copy("nothing measured");
    BUF_OWN char *name = outer ? name_of(assembly, function->unit, outer) : buf_copy("?");
    BUF_OWN char *shown = assembly->room ? cxxname_fit(name, TITLE) : buf_copy(name);
    BUF_OWN char *what = body->whole ? buf_format("%s in", percent)
                                     : buf_format("%s inlined in %s:", percent, shown);
    putc('\n', assembly->out);
    view_title(assembly->out, assembly->view, what,
               &assembly->view->rows->rows[body->row], true);
    fprintf(assembly->out, "%*s ", PERCENT, "self");
    if (assembly->exact)
        fprintf(assembly->out, "%*s ", AMOUNT, amount_head(assembly->view));
    fprintf(assembly->out, "%*s  source and instruction\n", ADDRESS, "address");
}

/* Finds the lines of a body, and their samples. */
static void find_lines(struct listed *listed)
{
    const struct body *body = listed->body;
    const struct insns_code *code = &listed->cfg->code;
    listed->lines = buf_alloc((code->count + 1) * sizeof *listed->lines);
    for (size_t i = 0; i < code->count; i++) {
        uint64_t start = code->list[i].address,
                 end = i + 1 < code->count ? code->list[i + 1].address : body->end;
        if (is_of_row(listed->assembly, body, start))
            listed->lines[listed->count++] = (struct line){
                .number = i, .samples = samples_of(listed->assembly, body, start, end)};
    }
}

/* Shows the lines around each measured line whose share reaches the threshold, or around
   the line with the most samples if none reaches it. If no line was measured, shows
   all. */
static void choose_lines(struct listed *listed)
{
    uint64_t most = 0;
    size_t until = 0; /* all lines before it are done */
    for (size_t i = 0; i < listed->count; i++)
        most = listed->lines[i].samples > most ? listed->lines[i].samples : most;
    for (size_t i = 0; i < listed->count; i++) {
        uint64_t samples = listed->lines[i].samples;
        if (samples < most &&
            (!samples || !view_reaches(listed->assembly->view, samples)))
            continue;
        size_t from = i > until + NEIGHBOURS ? i - NEIGHBOURS : until;
        for (until = from; until < listed->count && until <= i + NEIGHBOURS; until++)
            listed->lines[until].shown = true;
    }
}

/* Numbers the lines to which shown lines jump. */
static void number_labels(struct listed *listed)
{
    unsigned labels = 0;
    for (size_t i = 0; i < listed->count; i++) {
        const struct insn *insn = &listed->cfg->code.list[listed->lines[i].number];
        struct line *to =
            listed->lines[i].shown && insn->target && insn->transfer != INSNS_CALL
                ? line_at(listed, insn->target)
                : NULL;
        if (to && to->shown)
            to->label = 1;
    }
    for (size_t i = 0; i < listed->count; i++)
        if (listed->lines[i].label)
            listed->lines[i].label = ++labels;
}

/* Prints a mark for the COUNT lines from FIRST, which are not shown. */
static void print_gap(const struct listed *listed, size_t first, size_t count)
{
    const struct assembly *assembly = listed->assembly;
    uint64_t samples = 0;
    for (size_t i = first; i < first + count; i++)
        samples += listed->lines[i].samples;
    BUF_OWN char *percent =
        samples ? view_percent(assembly->view, samples) : buf_copy(".");
    BUF_OWN char *number = text_number(count, "instruction");
    fprintf(assembly->out, "%*s %*s", PERCENT, percent, assembly->before - PERCENT - 1,
            "...");
    print_text(assembly, 2, number);
}

static void print_part(const struct listed *listed, const struct part *part)
{
    const struct body *body = listed->body;
    const struct cfg *cfg = listed->cfg;
    struct place last = {.copy = FUNCTION_NO_COPY};
    for (size_t i = part->first; i < part->end; i++) {
        const struct line *line = &listed->lines[i];
        uint64_t address = cfg->code.list[line->number].address;
        struct function_frames walk = function_frames(
            body->function, function_point_at(body->function, address - body->start));
        struct function_frame frame;
        if (i > part->first && line->number != line[-1].number + 1)
            fprintf(listed->assembly->out, "%*s\n", listed->assembly->before, "...");
        if (function_frames_next(&walk, &frame) &&
            (frame.copy != last.copy || frame.position.file != last.file ||
             frame.position.line != last.line)) {
            print_place(listed->assembly, body, &frame, &last);
            last = (struct place){frame.copy, frame.position.file, frame.position.line};
        }
        print_insn(listed, line);
    }
}

BUF_COMPARE(by_samples, struct part,
            BUF_ORDER(b->samples, a->samples) ?: BUF_ORDER(a->first, b->first))

/* Prints the parts of the code that are shown, the part with the most samples first.
   Each part is followed by a mark for the code left out behind it. */
static void print_parts(const struct listed *listed)
{
    BUF_OWN struct part *parts = buf_alloc((listed->count + 1) * sizeof *parts);
    size_t count = 0, before = 0;
    for (size_t i = 0; i < listed->count; i++) {
        if (!listed->lines[i].shown) {
            before += count == 0;
            continue;
        }
        if (i == 0 || !listed->lines[i - 1].shown)
            parts[count++].first = i;
        parts[count - 1].end = i + 1;
        parts[count - 1].samples += listed->lines[i].samples;
    }
    BUF_SORT(parts, count, by_samples);
    for (size_t i = 0; i < count; i++) {
        size_t end = parts[i].end, after = 0;
        if (before && parts[i].first == before)
            print_gap(listed, 0, before);
        print_part(listed, &parts[i]);
        while (end + after < listed->count && !listed->lines[end + after].shown)
            after++;
        if (after)
            print_gap(listed, end, after);
    }
}

static void print_body(const struct assembly *assembly, const struct body *body)
{
    struct listed listed = {
        .assembly = assembly,
        .body = body,
        .cfg = machine_code_cfg(assembly->code, body->module, body->number)};
    print_title(assembly, body);
    if (listed.cfg) {
        find_lines(&listed);
        choose_lines(&listed);
        number_labels(&listed);
        print_parts(&listed);
    } else
        fputs("its machine code cannot be read\n", assembly->out);
    free(listed.lines);
    machine_code_forget(assembly->code, body->module, body->number);
}

/* Adds a body for each SELECTED row that has code in the compiled function NUMBER of a
   module. If the row is the compiled function itself, copies of the row inlined into
   it are part of the same body. */
static void add_bodies(struct assembly *assembly, uint32_t module, uint32_t number,
                       const bool *selected)
{
    const struct rows *rows = assembly->view->rows;
    struct tables *tables = assembly->view->program->tables[module];
    const struct function *function = tables_function(tables, number);
    struct body body = {.module = module, .number = number, .function = function};
    size_t first = assembly->bodies.count;
    tables_function_range(tables, number, &body.start, &body.end);
    for (size_t i = 0; i < function->copies.count; i++) {
        body.row = rows_of_unit(
            rows, unit_source(function->unit, function->copies.list[i].source));
        body.whole = i == 0;
        bool known = body.row == STACKS_NONE || !selected[body.row];
        for (size_t k = first; !known && k < assembly->bodies.count; k++)
            known = assembly->bodies.list[k].row == body.row;
        if (known)
            continue;
        body.samples = samples_of(assembly, &body, body.start, body.end);
        BUF_PUSH(assembly->bodies) = body;
    }
}

BUF_COMPARE(by_row, struct body, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(b->samples, a->samples) ?: BUF_ORDER(b->whole, a->whole) ?:
            BUF_ORDER(a->start, b->start))

void assembly_print(FILE *out, const struct view *view, const bool *selected,
                    struct source_files *files)
{
    struct assembly assembly = {.out = out,
                                .view = view,
                                .files = files,
                                .code = machine_code_new(view->program),
                                .room = view->style.mlton ? 0 : terminal_columns(out)};
    assembly.exact = profile_measure(view->profile)->weigh != NULL;
    assembly.before = PERCENT + 1 + (assembly.exact ? AMOUNT + 1 : 0) + ADDRESS;
    assembly.names = code_names_new(view->program, assembly.code);
    const struct stacks *stacks = &view->rows->stacks;
    for (size_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        uint32_t module = stacks->copies.list[node->copy].module;
        if (node->count && node->address && module != STACKS_NONE)
            BUF_NEXT(assembly.samples, assembly.count, assembly.capacity) =
                (struct sample){module, node->address, node->count};
    }
    BUF_SORT(assembly.samples, assembly.count, by_address);
    for (uint32_t module = 0; module < view->program->count; module++) {
        struct tables *tables = view->program->tables[module];
        for (uint32_t i = 0; tables && i < tables_function_count(tables); i++)
            add_bodies(&assembly, module, i, selected);
    }
    BUF_SORT(assembly.bodies.list, assembly.bodies.count, by_row);
    /* If no sample of a row is in any body, print only the row's own functions. */
    bool measured = false;
    for (size_t i = 0; i < assembly.bodies.count; i++) {
        const struct body *body = &assembly.bodies.list[i];
        if (i == 0 || body->row != body[-1].row)
            measured = body->samples > 0;
        if (measured ? body->samples && view_reaches(view, body->samples) : body->whole)
            print_body(&assembly, body);
    }
    if (view->program->skid)
        fputs("\nA sample is shown at the instruction that was waited for, mostly the "
              "one before\n"
              "the interrupted one: -no-skid\n",
              out);
    code_names_free(assembly.names);
    machine_code_free(assembly.code);
    free(assembly.samples);
    free(assembly.bodies.list);
}
