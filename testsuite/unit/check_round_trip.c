/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/encode.c plugin/tables/memory.c testsuite/unit/made_tables.c */
/* links: testsuite/unit/encoded.c testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* mlprof reads exactly what the plugin writes: random tables, at every address. The
   number of the failing test is the seed. SEEDS sets the number of seeds. */

#include "mlprof/tables/tables.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_tables.h"
#include "testsuite/unit/open_elf.h"

static int seeds(void)
{
    const char *told = getenv("SEEDS");
    return told ? atoi(told) : tests_in_full() ? 40 : 10;
}

static struct made_frame frame_of(const struct function_frame *frame,
                                  const struct unit *unit)
{
    const struct unit_source *source = frame->source;
    const struct function_position *at = &frame->position;
    const unsigned char *hash = unit_hash(unit, source->file);
    struct made_frame made = {source->name,
                              unit_file_name(unit, source->file),
                              source->symbol,
                              source->line,
                              source->column,
                              source->flags,
                              {0},
                              {unit_file_name(unit, at->file), at->line, at->column, 0,
                               at->start_column, 0, at->end_column}};
    if (at->start_column) {
        made.position.start_line = at->start_line;
        made.position.end_line = at->end_line;
    }
    if (hash)
        memcpy(made.hash, hash, sizeof made.hash);
    return made;
}

static void print_frame(FILE *out, const struct made_frame *frame)
{
    const struct made_position *at = &frame->position;
    fprintf(out, "%s %s %u %s:%u:%u ", frame->name, frame->symbol, frame->flags,
            frame->file, frame->line, frame->column);
    for (size_t i = 0; i < sizeof frame->hash; i++)
        fprintf(out, "%02x", frame->hash[i]);
    fprintf(out, " %s:%u:%u %u:%u-%u:%u\n", at->file, at->line, at->column,
            at->start_line, at->start_column, at->end_line, at->end_column);
}

/* Returns whether a function exists. */
static bool assert_address(struct tables *tables, const struct made_tables *made,
                           uint64_t address)
{
    struct made_frame want[MADE_TABLES_FRAMES];
    struct tables_point point;
    char *text = NULL;
    size_t size;
    int count = made_tables_frames(made, address, want);
    ck_assert_int_eq(tables_find(tables, address, &point), count >= 0);
    if (count < 0)
        return false;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++)
        print_frame(out, &want[i]);
    fclose(out);
    const struct function *function = tables_function(tables, point.function);
    struct function_frames frames = function_frames(function, point.point);
    struct function_frame frame;
    out = print_begin();
    while (function_frames_next(&frames, &frame)) {
        struct made_frame got = frame_of(&frame, function->unit);
        print_frame(out, &got);
    }
    print_end(out, text);
    free(text);
    return true;
}

TEST_TIMES(round_trip, 3 * seeds())
{
    struct made_tables *made = made_tables_make((uint32_t)_i / 3, (unsigned)_i % 3);
    struct make_elf file = {.sections = {{".ccprof.str", made->strings},
                                         {".ccprof.unit", made->units},
                                         {".ccprof.code", made->streams}}};
    struct tables *tables = open_elf(&file);
    unsigned inside = 0;
    for (uint64_t address = 0; address <= made->end + 1; address++)
        inside += assert_address(tables, made, address);
    ck_assert_uint_gt(inside, 100);
    tables_close(tables);
    made_tables_free(made);
}
