/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* mlprof's reader of the arcs of GCC's own profile: bytes written by hand, their meaning,
   and their counts in a profile. */

#define _GNU_SOURCE
#include "mlprof/flow/arccounts.h"
#include "mlprof/flow/autoprofile.h"
#include "mlprof/flow/flowcounts.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/arcs_bytes.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

static struct make_elf file_of(const char *arcs, const char *edges)
{
    return (struct make_elf){.sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.arcs", arcs},
                                          {".ccprof.edge", edges},
                                          {".ccprof.values", ARCS_EXAMPLE_VALUES},
                                          {".ccprof.callees", ARCS_EXAMPLE_CALLEES}}};
}

static void print_position(FILE *out, const struct arctables_position *position)
{
    fprintf(out, " %u+%u.%u", position->body, position->offset, position->discriminator);
}

/* Prints the functions with their names, arcs (+: has counters, -: the count may be below
   0), lists (kind@block), inlined bodies, blocks with positions (BODY+LINE.DISCRIMINATOR)
   and calls (@block). Then the counters (+ or - number of the arc), values and
   callees. */
static void print_function(FILE *out, const struct arctables *arcs,
                           const struct arctables_function *description)
{
    fprintf(out, "%s %s %s %x/%x/%x/%x %u arcs\n", description->name.symbol,
            description->name.file, description->object, description->gcov,
            description->ident, description->lineno, description->checksum,
            description->arcs);
    for (size_t i = 0; i < description->edges; i++) {
        const struct arctables_edge *edge =
            &arcs->edges.list[description->first_edge + i];
        fprintf(out, " %u>%u%s%s", edge->from, edge->to, edge->counted ? "+" : "",
                edge->below ? "-" : "");
    }
    for (size_t i = 0; i < description->lists; i++)
        fprintf(out, " %d@%u", arcs->lists.list[description->first_list + i].kind,
                arcs->lists.list[description->first_list + i].block);
    for (size_t i = 0; i < description->inlined; i++) {
        const struct arctables_inlined *inlined =
            &arcs->inlined.list[description->first_inlined + i];
        fprintf(out, "\n%s %s", inlined->name.symbol, inlined->name.file);
        print_position(out, &inlined->call);
    }
    for (size_t i = 0, at = 0; i < description->blocks; i++) {
        fprintf(out, "\n%zu:", i);
        for (; at < arcs->ends.list[description->first_block + i]; at++)
            print_position(out, &arcs->positions.list[at]);
    }
    for (size_t i = 0; i < description->indirect; i++) {
        const struct arctables_call *call =
            &arcs->calls.list[description->first_call + i];
        fprintf(out, "\n@%u", call->block);
        if (call->position.body != UINT32_MAX)
            print_position(out, &call->position);
    }
    fprintf(out, "\n");
}

static void print_arcs(FILE *out, const struct arctables *arcs)
{
    for (size_t i = 0; i < arcs->functions.count; i++)
        print_function(out, arcs, &arcs->functions.list[i]);
    for (size_t i = 0; i < arcs->counters.count; i++)
        fprintf(out, "%llx %u%c%u\n", (unsigned long long)arcs->counters.list[i].address,
                arcs->counters.list[i].flow, arcs->counters.list[i].negative ? '-' : '+',
                arcs->counters.list[i].edge);
    for (size_t i = 0; i < arcs->values.count; i++)
        fprintf(out, "%llx %u.%u\n", (unsigned long long)arcs->values.list[i].address,
                arcs->values.list[i].function, arcs->values.list[i].call);
    for (size_t i = 0; i < arcs->callees.count; i++)
        fprintf(out, "%llx=%u\n", (unsigned long long)arcs->callees.list[i].address,
                arcs->callees.list[i].ident);
}

#define MEANING(calls)                                                                   \
    "f a.c /o/a 4232322a/1/202/30003 3 arcs\n"                                           \
    " 0>2+ 2>3 2>4+ 3>2+ 3>1- 4>1 1@3\n"                                                 \
    "g a.c 0+3.2\ng a.c 1+1.0\n"                                                         \
    "0:\n1:\n2: 0+1.0\n3: 2+5.0 0+4.1\n4:\n" calls                                       \
    "4010 0+0\n4018 0+0\n4010 0+1\n4018 0-1\n"                                           \
    "5000 0.0\n5001 0.2\n5002 0.3\n1000=1\n1040=9\n"

static const struct {
    const char *arcs, *meaning;
} rows[] = {
    {ARCS_EXAMPLE, MEANING("@2\n@3 2+6.0\n")},
    /* A function that appears twice is read once. */
    {ARCS_EXAMPLE ARCS_EXAMPLE, MEANING("@2\n@3 2+6.0\n")},
    /* Version 1 does not record the blocks of calls. */
    {"01 " ARCS_EXAMPLE_ID "4d 00 00 00 " ARCS_EXAMPLE_WORDS
     "03 " ARCS_EXAMPLE_GRAPH ARCS_EXAMPLE_NUMBERS ARCS_EXAMPLE_INLINED
     "00 00 01 00 01 00 02 02 05 00 00 04 01 00 00 03 06 00 " ARCS_EXAMPLE_NAMES,
     MEANING("@0\n@0 2+6.0\n")},
};

TEST_ROWS(meaning, rows)
{
    struct make_elf file = file_of(rows[_i].arcs, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arctables arcs;
    struct fault fault = {0};
    ck_assert(arctables_read(&arcs, tables, &fault));
    FILE *out = print_begin();
    print_arcs(out, &arcs);
    print_end(out, rows[_i].meaning);
    arctables_free(&arcs);
    tables_close(tables);
}

/* Arc 0 is the sum of both counters, arc 1 the first minus the second. Arc 2 has no
   counters. A second file of the program has the same function, a third file the function
   with another graph. */
TEST(what_was_counted)
{
    struct make_elf files[] = {file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS),
                               file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS),
                               file_of(ARCS_EXAMPLE_HEAD
                                       "2a 32 32 42 01 00 00 00 02 02 00 00 09 00 03 00 "
                                       "03 " ARCS_EXAMPLE_GRAPH ARCS_EXAMPLE_REST,
                                       ARCS_EXAMPLE_TERMS)};
    struct tables *tables[3];
    for (size_t i = 0; i < 3; i++)
        tables[i] = open_elf(&files[i]);
    struct program program = {.tables = tables, .count = 3};
    struct profile profile = {0};
    struct arccounts counts;
    struct fault fault = {0};
    profile_add_counter(&profile, 0, 0x4010, 7);
    profile_add_counter(&profile, 0, 0x4018, 5);
    profile_add_counter(&profile, 1, 0x4010, 100);
    profile_add_counter(&profile, 1, 0x4018, 101);
    profile_add_counter(&profile, 2, 0x4010, 1000);
    ck_assert(arccounts_solve(&counts, &profile, &program, NULL, &fault));
    ck_assert_uint_eq(counts.count, 1);
    ck_assert_uint_eq(counts.objects.count, 1);
    ck_assert_int_eq(counts.functions[0].counts[0], 12 + 201);
    /* 7 - 5 and 100 - 101. */
    ck_assert_int_eq(counts.functions[0].counts[1], 1);
    ck_assert_int_eq(counts.functions[0].counts[2], 0);
    /* All other executions of block 2 continued in block 3 and did not return to block
       2. */
    ck_assert_uint_eq(counts.functions[0].times[3], 212);
    ck_assert_uint_eq(counts.mended, 0);
    ck_assert_uint_eq(counts.contradicted, 1);
    arccounts_free(&counts);
    profile_free(&profile);
    for (size_t i = 0; i < 3; i++)
        tables_close(tables[i]);
}

/* Arc 0 enters the loop, arc 1 leaves it, and arc 2 leads back. Returns their counts,
   the executions of block 3, and whether they were consistent. */
static const struct {
    int64_t arcs[3], want[3];
    uint64_t times;
    bool agreed;
} agreements[] = {
    /* Nine iterations. In the second row, a call in block 3 returned twice, so the arc to
       the exit rightly has a count below 0. */
    {{1, 1, 9}, {1, 1, 9}, 9, true},
    {{1, 2, 9}, {1, 2, 9}, 8, true},
    /* Control cannot have gone from 2 to 3 less than 0 times. So it must have returned to
       2 once. */
    {{0, 1, 0}, {0, 1, 1}, 0, false},
    {{INT64_MIN, 0, 0}, {0, 0, 0}, 0, false},
};

TEST_ROWS(what_agrees, agreements)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arctables read;
    struct fault fault = {0};
    int64_t counts[3];
    uint64_t blocks[5];
    memcpy(counts, agreements[_i].arcs, sizeof counts);
    ck_assert(arctables_read(&read, tables, &fault));
    ck_assert_int_eq(
        arcgraph_make_consistent(&read, &read.functions.list[0], counts, blocks),
        agreements[_i].agreed);
    ck_assert_mem_eq(counts, agreements[_i].want, sizeof counts);
    ck_assert_uint_eq(blocks[3], agreements[_i].times);
    arctables_free(&read);
    tables_close(tables);
}

static void tell(struct profile *profile, uint64_t site, uint32_t module, uint64_t target,
                 uint64_t count)
{
    struct profile_target told = {
        .site_module = 0, .site = site, .module = module, .address = target};
    profile_add_target(profile, &told, count);
}

static void rest(struct profile *profile, uint32_t site_module, uint64_t site)
{
    profile_add_rest(profile, &(struct profile_target){site_module, 0, site, 0x1000, 0});
}

/* Block 3 contains the second call and was executed ten times. Four executions called
   another function, so six called the first target. No first target is computed for an
   address that is not a call site: an unknown address, the counter of a first execution,
   an address in a module without tables. (Programs: train-firsts.) */
TEST(what_is_left_for_the_first)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arcruns runs = {0};
    for (int i = 0; i < 2; i++) {
        struct profile run = {0};
        profile_add_module(&run, "p", NULL);
        profile_add_module(&run, "absent", NULL);
        profile_add_counter(&run, 0, 0x4010, 6);
        profile_add_counter(&run, 0, 0x4018, 5);
        tell(&run, 0x5001, 0, 0x1040, 4);
        rest(&run, 0, 0x5001);
        rest(&run, 0, 0x5003);
        rest(&run, 0, 0x5000);
        rest(&run, 1, 0x5001);
        rest(&run, PROFILE_NO_MODULE, 0x5001);
        arcruns_note(&runs, &run, tables);
        ck_assert_uint_eq(run.counts.rests.count, 0);
        ck_assert_uint_eq(run.modules.list[0].peaks, 11);
        ck_assert_uint_eq(run.counts.targets.count, 2);
        ck_assert_uint_eq(run.counts.targets.list[1].address, 0x1000);
        ck_assert_uint_eq(run.counts.targets.list[1].count, 10 - 4);
        profile_free(&run);
    }
    arcruns_free(&runs);
    tables_close(tables);
}

/* Call sites accept only known functions, and lists accept only values: 64, and a value
   above the maximum. (Programs: train-arcs.) */
TEST(what_is_no_value)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {0};
    struct arccounts counts;
    struct fault fault = {0};
    tell(&profile, 0x5001, 0, 0x1040, 5);
    tell(&profile, 0x5001, 0, 0x2000, 100);
    tell(&profile, 0x5001, PROFILE_NO_MODULE, 0x1000, 100);
    tell(&profile, 0x5002, PROFILE_NO_MODULE, 65, 8);
    tell(&profile, 0x5002, PROFILE_NO_MODULE, CCPROF_LIST_MOST + 1, 3);
    tell(&profile, 0x5002, PROFILE_NO_MODULE, CCPROF_LIST_MOST + 2, 100);
    tell(&profile, 0x5002, 0, 65, 100);
    tell(&profile, 0x5003, 0, 0x1000, 100);
    ck_assert(arccounts_solve(&counts, &profile, &program, NULL, &fault));
    static const struct arccounts_value want[] = {
        {1, 9, 5}, {2, 64, 8}, {2, CCPROF_LIST_MOST, 3}};
    const struct arccounts_function *function = &counts.functions[0];
    ck_assert_uint_eq(function->values.count, LENGTH(want));
    for (size_t i = 0; i < LENGTH(want); i++) {
        ck_assert_uint_eq(function->values.list[i].counter, want[i].counter);
        ck_assert_uint_eq(function->values.list[i].value, want[i].value);
        ck_assert_uint_eq(function->values.list[i].count, want[i].count);
    }
    arccounts_free(&counts);
    profile_free(&profile);
    tables_close(tables);
}

/* A function of two blocks, and no lists, inlined functions or indirect calls in the
   whole file. GCC's profile for AutoFDO has the function alone. */
TEST(what_has_no_calls)
{
    struct make_elf file = {
        .sections = {{".ccprof.str", strings},
                     {".ccprof.unit", unit},
                     {".ccprof.arcs",
                      "02 " ARCS_EXAMPLE_ID "25 00 00 00 " ARCS_EXAMPLE_WORDS
                      "01 02 01 05 00 00 00 00 00 00 " ARCS_EXAMPLE_NAMES}}};
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {0};
    struct arccounts counts;
    struct autoprofile made;
    struct fault fault = {0};
    ck_assert(arccounts_solve(&counts, &profile, &program, NULL, &fault));
    ck_assert_uint_eq(counts.count, 1);
    ck_assert(autoprofile_make(&made, &counts, "p", &fault));
    ck_assert_uint_eq(made.bodies.count, 1);
    ck_assert_uint_eq(made.positions.count, 0);
    ck_assert_uint_eq(made.targets.count, 0);
    autoprofile_free(&made);
    arccounts_free(&counts);
    profile_free(&profile);
    tables_close(tables);
}
