/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the code ranges of each copy, and describes the copy from its symbol (clone,
   cold part) or from the function that it is inlined in. */

#include "mlprof/groups/copies.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/elf/symbols.h"
#include "mlprof/program/machine-code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The code of a function's copies, by number of the copy. */
struct body {
    struct rows_code *codes;
    uint32_t *ranges; /* by copy: number of pieces of code, including inlined copies */
};

struct copies {
    const struct program *program;
    struct rows *rows;
    const struct names_style *names;
    struct symbols **symbols; /* by module; NULL: not yet read */
    struct index index;       /* key: module and function; value: index in BODIES */
    struct body *bodies;
    size_t capacity;
};

struct copies *copies_new(const struct program *program, struct rows *rows,
                          const struct names_style *names)
{
    struct copies *copies = buf_alloc(sizeof *copies);
    *copies = (struct copies){
        .program = program,
        .rows = rows,
        .names = names,
        .symbols = buf_alloc((program->count + 1) * sizeof(struct symbols *))};
    return copies;
}

void copies_free(struct copies *copies)
{
    if (!copies)
        return;
    for (size_t i = 0; i < copies->program->count; i++)
        symbols_free(copies->symbols[i]);
    for (size_t i = 0; i < copies->index.count; i++) {
        free(copies->bodies[i].codes);
        free(copies->bodies[i].ranges);
    }
    free(copies->bodies);
    free(copies->symbols);
    index_free(&copies->index);
    free(copies);
}

/* Returns whether COPY is OUTER, or is inlined in it at any depth. */
static bool is_in(const struct function *function, uint32_t copy, uint32_t outer)
{
    while (copy > outer)
        copy = function->copies.list[copy].parent;
    return copy == outer;
}

/* Counts a piece of code that begins with COPY and follows code of BEFORE. The piece
   is counted for COPY, and for each copy around COPY that does not contain BEFORE. */
static void begin_ranges(struct body *body, const struct function *function,
                         uint32_t before, uint32_t copy)
{
    while (!is_in(function, before, copy)) {
        body->ranges[copy]++;
        copy = function->copies.list[copy].parent;
    }
}

static void measure_bytes(struct body *body, const struct function *function)
{
    uint32_t before = 0;
    uint64_t start =
        function->entries.count ? function->entries.list[0].offset : function->size;
    body->ranges[0] = 1;
    body->codes[0].bytes = start;
    for (size_t i = 0; i < function->entries.count; i++) {
        const struct function_entry *entry = &function->entries.list[i];
        uint64_t end = i + 1 < function->entries.count ? entry[1].offset : function->size;
        if (end <= entry->offset)
            continue;
        uint32_t copy = function->points.list[entry->point].copy;
        begin_ranges(body, function, before, copy);
        body->codes[copy].bytes += end - entry->offset;
        before = copy;
    }
}

static void count_insns(struct body *body, const struct function *function,
                        const struct cfg *cfg, uint64_t start)
{
    for (size_t i = 0; i < cfg->code.count; i++) {
        uint64_t offset = cfg->code.list[i].address - start;
        if (offset < function->size)
            body->codes[function->points.list[function_point_at(function, offset)].copy]
                .insns++;
    }
}

/* Adds the code of hidden copies to the shown copy around them. */
static void fold_hidden(struct body *body, const struct function *function)
{
    for (size_t i = function->copies.count; i-- > 0;) {
        uint32_t shown = function->copies.list[i].shown;
        if (shown == i || shown == FUNCTION_NO_COPY)
            continue;
        body->codes[shown].bytes += body->codes[i].bytes;
        body->codes[shown].insns += body->codes[i].insns;
        body->codes[i] = (struct rows_code){0};
    }
}

static const struct body *body_of(struct copies *copies, const struct stacks_copy *copy)
{
    bool fresh;
    uint32_t number = index_put(&copies->index, copy->module, copy->function, 0, &fresh);
    if (!fresh)
        return &copies->bodies[number];
    struct body *body = &BUF_AT(copies->bodies, number, copies->capacity);
    struct tables *tables = copies->program->tables[copy->module];
    const struct function *function = tables_function(tables, copy->function);
    uint64_t start, end;
    tables_function_range(tables, copy->function, &start, &end);
    body->codes = buf_alloc(function->copies.count * sizeof *body->codes);
    body->ranges = buf_alloc(function->copies.count * sizeof *body->ranges);
    measure_bytes(body, function);
    struct machine_code *code = copies->program->code;
    const struct cfg *cfg =
        code ? machine_code_cfg(code, copy->module, copy->function) : NULL;
    if (cfg)
        count_insns(body, function, cfg, start);
    fold_hidden(body, function);
    return body;
}

/* Returns whether the copy has machine code. Copies at allocation sites have none. */
static bool has_code(const struct copies *copies, const struct stacks_copy *copy)
{
    struct tables *tables = copies->program->tables[copy->module];
    uint64_t start, end;
    tables_function_range(tables, copy->function, &start, &end);
    return elffile_is_code(tables_holder(tables), start);
}

struct rows_code copies_code(struct copies *copies, const struct stacks_copy *copy)
{
    if (!has_code(copies, copy))
        return (struct rows_code){0};
    return body_of(copies, copy)->codes[copy->copy];
}

/* Returns the suffix that GCC has added to the name of a clone or cold part. Returns
   "" if there is no suffix or no symbol. The caller frees the text. */
static char *suffix_of(struct copies *copies, const struct stacks_copy *copy)
{
    static const char *const marks[] = {".constprop.", ".isra.", ".part.", ".cold"};
    struct tables *tables = copies->program->tables[copy->module];
    struct symbols **symbols = &copies->symbols[copy->module];
    uint64_t start, end;
    if (!has_code(copies, copy))
        return buf_copy("");
    if (!*symbols)
        *symbols = symbols_read(tables_path(tables), tables_build_id(tables), false);
    tables_function_range(tables, copy->function, &start, &end);
    const char *symbol = symbols_find(*symbols, start, NULL), *found = NULL;
    for (size_t i = 0; symbol && i < sizeof marks / sizeof *marks; i++) {
        const char *mark = strstr(symbol, marks[i]);
        if (mark && (!found || mark < found))
            found = mark;
    }
    char *suffix = text_clean(found ? found : "");
    /* LTO renames static functions. A renamed function is still the same function. */
    char *renamed = strstr(suffix, ".lto_priv.");
    if (renamed) {
        char *rest = renamed + strlen(".lto_priv.");
        rest += strspn(rest, "0123456789");
        memmove(renamed, rest, strlen(rest) + 1);
    }
    return suffix;
}

static char *describe_body(const char *suffix)
{
    if (!*suffix)
        return buf_copy("own body");
    const char *cold = strstr(suffix, ".cold");
    if (cold && (cold[5] == '\0' || cold[5] == '.'))
        return strcmp(suffix, ".cold") == 0 ? buf_copy("cold part")
                                            : buf_format("cold part of clone %s", suffix);
    return buf_format("%s %s", strncmp(suffix, ".part.", 6) == 0 ? "split-off" : "clone",
                      suffix);
}

/* Returns the name as a part of a text (text.h). */
static char *name_of(const struct copies *copies, const struct unit *unit,
                     const struct unit_source *source)
{
    const struct identity_source identity = identity_of(unit, source);
    uint32_t row = rows_of_unit_source(copies->rows, unit, source);
    if (row != STACKS_NONE && copies->rows->rows[row].shown)
        return text_part(copies->rows->rows[row].shown);
    BUF_OWN char *name = names_of(&identity, copies->names);
    return text_part(name);
}

/* Returns the description of a copy of SOURCE that is inlined in FRAME. OUTERMOST is
   the frame of the compiled function. */
static char *describe_inlined(const struct copies *copies, const struct unit *unit,
                              const struct unit_source *source,
                              const struct function_frame *frame,
                              const struct function_frame *outermost, const char *suffix)
{
    bool direct = frame->copy == outermost->copy;
    BUF_OWN char *in = frame->source == source ? buf_copy("itself")
                                               : name_of(copies, unit, frame->source);
    BUF_OWN char *outer =
        direct ? buf_copy("") : name_of(copies, unit, outermost->source);
    const char *path = unit_file(unit, frame->position.file);
    BUF_OWN char *file = path ? text_part(sourcefile_name(path)) : NULL;
    BUF_OWN char *place = file && frame->position.line
                              ? buf_format(" at %s: %" PRIu32, file, frame->position.line)
                              : buf_copy("");
    return buf_format("inlined in %s%s%s%s%s%s", in, direct ? suffix : "", place,
                      direct ? "" : ", in ", outer, direct ? "" : suffix);
}

char *copies_describe(struct copies *copies, const struct stacks_copy *copy)
{
    const struct function *function =
        tables_function(copies->program->tables[copy->module], copy->function);
    struct function_frames walk = {.function = function, .copy = copy->copy};
    struct function_frame frame, caller, outermost;
    BUF_OWN char *suffix = suffix_of(copies, copy);
    function_frames_next(&walk, &frame);
    if (!function_frames_next(&walk, &caller))
        return copy->copy ? buf_copy("inlined") : describe_body(suffix);
    const struct unit_source *source = frame.source;
    outermost = caller;
    while (function_frames_next(&walk, &frame))
        outermost = frame;
    BUF_OWN char *text =
        describe_inlined(copies, function->unit, source, &caller, &outermost, suffix);
    uint32_t ranges =
        has_code(copies, copy) ? body_of(copies, copy)->ranges[copy->copy] : 1;
    return ranges < 2 ? buf_copy(text)
                      : buf_format("%s, in %" PRIu32 " pieces", text, ranges);
}
