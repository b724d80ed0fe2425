/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/encode.c plugin/tables/part.c plugin/tables/distinct.c */
/* links: plugin/tables/memory.c testsuite/unit/made_tables.c */
/* links: testsuite/unit/encoded.c testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* What the plugin writes is what mlprof reads: random tables, at every address.  The
   number of the test that fails is the seed (SEEDS: how many).  */

#include "mlprof/tables/tables.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_tables.h"
#include "testsuite/unit/open_elf.h"

static int seeds(void)
{
    const char *told = getenv("SEEDS");
    return told ? atoi(told) : tests_in_full() ? 40 : 10;
}

/* Prints the frames of a point as made_tables_print does.  */
static void print_frames(FILE *out, const struct function *function, uint32_t point)
{
    struct function_frames frames = function_frames(function, point);
    struct function_frame frame;
    while (function_frames_next(&frames, &frame)) {
        const struct unit_source *source = frame.source;
        const struct function_position *at = &frame.position;
        const unsigned char *hash = unit_hash(function->unit, source->file);
        fprintf(out, "%s %s %u %s:%u:%u ", source->name, source->symbol, source->flags,
                unit_file(function->unit, source->file), source->line, source->column);
        if (hash)
            made_tables_print_hash(out, hash);
        fprintf(out, " %s:%u:%u", unit_file(function->unit, at->file), at->line,
                at->column);
        bool range = at->start_column != 0;
        fprintf(out, " %u:%u-%u:%u\n", range ? at->start_line : 0, at->start_column,
                range ? at->end_line : 0, at->end_column);
    }
}

/* Returns whether a function is there.  */
static bool assert_address(struct tables *tables, const struct made_tables *made,
                           uint64_t address)
{
    char *want = NULL;
    size_t size;
    struct tables_point at;
    FILE *out = open_memstream(&want, &size);
    bool inside = made_tables_print(out, made, address);
    fclose(out);
    ck_assert_int_eq(tables_find(tables, address, &at), inside);
    out = print_begin();
    if (inside)
        print_frames(out, tables_function(tables, at.function), at.point);
    print_end(out, want);
    free(want);
    return inside;
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
