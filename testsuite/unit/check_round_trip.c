/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/encode.c plugin/tables/part.c plugin/tables/distinct.c */
/* links: plugin/tables/memory.c plugin/tables/typed.c plugin/tables/terms.c */
/* links: testsuite/unit/made_tables.c testsuite/unit/encoded.c */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* What the plugin writes is what mlprof reads: random tables, at every address, with
   types of blocks and counters.  The number of the test that fails is the seed (SEEDS:
   how many).  */

#include "mlprof/tables/tables.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_tables.h"
#include "testsuite/unit/open_elf.h"

static int seeds(void)
{
    const char *told = getenv("SEEDS");
    return told ? atoi(told) : tests_in_full() ? 40 : 10;
}

static struct tables *open_made(const struct made_tables *made)
{
    return open_elf(&(struct make_elf){
        .sections = {{".ccprof.str", made->strings},
                     {".ccprof.unit", made->units},
                     {".ccprof.code", made->streams},
                     {".ccprof.count", made->count_bytes},
                     {".ccprof.types", made->types ? made->types : ""}}});
}

static void assert_names(const char *got, const char *want)
{
    if (!want)
        ck_assert_ptr_null(got);
    else
        ck_assert_str_eq(got, want);
}

static void assert_position(const struct unit *unit, const struct function_position *got,
                            const struct made_position *want)
{
    assert_names(unit_file(unit, got->file), want->file);
    ck_assert_uint_eq(got->line, want->line);
    ck_assert_uint_eq(got->column, want->column);
    ck_assert_uint_eq(got->start_column, want->start_column);
    ck_assert_uint_eq(got->end_column, want->end_column);
    if (want->start_column) {
        ck_assert_uint_eq(got->start_line, want->start_line);
        ck_assert_uint_eq(got->end_line, want->end_line);
    }
}

static void assert_hash(const unsigned char *got, const unsigned char *want)
{
    static const unsigned char unknown[CCPROF_HASH_SIZE];
    ck_assert_mem_eq(got ? got : unknown, want, CCPROF_HASH_SIZE);
    ck_assert(!got || memcmp(got, unknown, CCPROF_HASH_SIZE) != 0);
}

static void assert_frames(const struct function *function, uint32_t point,
                          const struct made_frame *want, int count)
{
    struct function_frames frames = function_frames(function, point);
    struct function_frame got;
    for (int i = 0; i < count; i++) {
        ck_assert(function_frames_next(&frames, &got));
        ck_assert_str_eq(got.source->name, want[i].name);
        assert_names(unit_file(function->unit, got.source->file), want[i].file);
        ck_assert_str_eq(got.source->symbol, want[i].symbol);
        ck_assert_uint_eq(got.source->line, want[i].line);
        ck_assert_uint_eq(got.source->column, want[i].column);
        ck_assert_uint_eq(got.source->flags, want[i].flags);
        assert_hash(unit_hash(function->unit, got.source->file), want[i].hash);
        assert_position(function->unit, &got.position, &want[i].position);
    }
    ck_assert(!function_frames_next(&frames, &got));
}

/* Returns whether a function is there.  */
static bool assert_address(struct tables *tables, const struct made_tables *made,
                           uint64_t address)
{
    struct made_frame want[MADE_TABLES_FRAMES];
    struct tables_point at;
    int count = made_tables_frames(made, address, want);
    ck_assert_int_eq(tables_find(tables, address, &at), count >= 0);
    if (count >= 0)
        assert_frames(tables_function(tables, at.function), at.point, want, count);
    return count >= 0;
}

static void assert_types(const struct tables *tables, const struct made_tables *made)
{
    ck_assert_uint_eq(tables_types(tables)->count, made->call_count);
    for (size_t i = 0; i < made->call_count; i++) {
        const struct typedtable_call *got = &tables_types(tables)->calls[i];
        const struct made_call *want = &made->calls[i];
        ck_assert_uint_eq(got->source, want->source);
        ck_assert_uint_eq(got->file, want->file);
        ck_assert_uint_eq(got->line, want->line);
        ck_assert_uint_eq(got->column, want->column);
        ck_assert_pstr_eq(got->type, want->type);
    }
}

static void assert_counters(const struct tables *tables, const struct made_tables *made)
{
    ck_assert_uint_eq(tables_counter_count(tables), MADE_TABLES_COUNTERS);
    for (uint32_t i = 0; i < MADE_TABLES_COUNTERS; i++) {
        struct tables_counter got = tables_counter(tables, i);
        ck_assert_uint_eq(got.offset, made->counters[i].address);
        ck_assert_uint_eq(got.source, made->counters[i].source);
        ck_assert_int_eq(got.negative, made->counters[i].negative);
    }
}

TEST_TIMES(round_trip, 3 * seeds())
{
    struct made_tables *made = made_tables_make((uint32_t)_i / 3, (unsigned)_i % 3);
    struct tables *tables = open_made(made);
    unsigned inside = 0;
    for (uint64_t address = 0; address <= made->end + 1; address++)
        inside += assert_address(tables, made, address);
    ck_assert_uint_gt(inside, 100);
    assert_types(tables, made);
    assert_counters(tables, made);
    tables_close(tables);
    made_tables_free(made);
}
