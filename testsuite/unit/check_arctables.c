/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Arcs of GCC's own profile written byte by byte, and a profile's counts of them.  */

#define _GNU_SOURCE
#include "mlprof/flow/arccounts.h"
#include "mlprof/flow/arcgraph.h"
#include "mlprof/flow/arcruns.h"
#include "runner.h"
#include "testsuite/unit/arcs_bytes.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/page_bytes.h"
#include "testsuite/unit/table_bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct make_elf file_of(const char *arcs, const char *edges)
{
    return (struct make_elf){.sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.arcs", arcs},
                                          {".ccprof.edge", edges},
                                          {".ccprof.values", ARCS_EXAMPLE_VALUES},
                                          {".ccprof.callees", ARCS_EXAMPLE_CALLEES}}};
}

START_TEST(the_example)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arctables arcs;
    struct fault fault = {0};
    ck_assert(arctables_read(&arcs, tables, &fault));
    ck_assert_uint_eq(arcs.function_count, 1);
    const struct arctables_function *function = &arcs.functions[0];
    ck_assert_uint_eq(function->gcov, 0x4232322a);
    ck_assert_uint_eq(function->ident, 1);
    ck_assert_uint_eq(function->lineno, 0x202);
    ck_assert_uint_eq(function->checksum, 0x30003);
    ck_assert_uint_eq(function->arcs, 3);
    ck_assert_uint_eq(function->indirect, 2);
    ck_assert_uint_eq(function->lists, 1);
    ck_assert_uint_eq(function->blocks, 5);
    ck_assert_uint_eq(function->edges, 6);
    ck_assert_int_eq(arcs.lists[0].kind, CCPROF_LIST_REMAINDER);
    ck_assert_uint_eq(arcs.lists[0].block, 3);
    ck_assert_uint_eq(arcs.edges[2].from, 2);
    ck_assert_uint_eq(arcs.edges[2].to, 4);
    ck_assert(arcs.edges[2].counted && !arcs.edges[2].below);
    ck_assert_uint_eq(arcs.edges[4].to, 1);
    ck_assert(!arcs.edges[4].counted && arcs.edges[4].below);
    ck_assert_str_eq(function->object, "/o/a");
    ck_assert_str_eq(function->name.symbol, "f");
    ck_assert_str_eq(function->name.file, "a.c");
    ck_assert_uint_eq(function->inlined, 2);
    ck_assert_str_eq(arcs.inlined[0].name.symbol, "g");
    ck_assert_uint_eq(arcs.inlined[0].call.body, 0);
    ck_assert_uint_eq(arcs.inlined[0].call.offset, 3);
    ck_assert_uint_eq(arcs.inlined[0].call.discriminator, 2);
    ck_assert_str_eq(arcs.inlined[1].name.file, "a.c");
    ck_assert_uint_eq(arcs.inlined[1].call.body, 1);
    static const size_t ends[] = {0, 0, 1, 3, 3};
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(arcs.ends[i], ends[i]);
    ck_assert_uint_eq(arcs.positions[1].body, 2);
    ck_assert_uint_eq(arcs.positions[1].offset, 5);
    ck_assert_uint_eq(arcs.positions[2].discriminator, 1);
    ck_assert_uint_eq(arcs.call_count, 2);
    ck_assert_uint_eq(arcs.calls[0].block, 2);
    ck_assert_uint_eq(arcs.calls[0].position.body, UINT32_MAX);
    ck_assert_uint_eq(arcs.calls[1].block, 3);
    ck_assert_uint_eq(arcs.calls[1].position.body, 2);
    ck_assert_uint_eq(arcs.calls[1].position.offset, 6);
    ck_assert_uint_eq(arcs.counter_count, 4);
    ck_assert_uint_eq(arcs.value_count, 3);
    ck_assert_uint_eq(arcs.values[1].address, 0x5001);
    ck_assert_uint_eq(arcs.values[1].function, 0);
    ck_assert_uint_eq(arcs.values[1].call, 2);
    ck_assert_uint_eq(arcs.callee_count, 2);
    ck_assert_uint_eq(arcs.callees[1].address, 0x1040);
    ck_assert_uint_eq(arcs.callees[1].ident, 9);
    arctables_free(&arcs);
    tables_close(tables);
}
END_TEST

/* Arc 0 is counter 0 and counter 1, arc 1 the first without the second; nothing counts
   arc 2.  The same function in a second file of the program, and one with another graph.
 */
START_TEST(what_was_counted)
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
    /* 7 - 5 and 100 - 101.  */
    ck_assert_int_eq(counts.functions[0].counts[1], 1);
    ck_assert_int_eq(counts.functions[0].counts[2], 0);
    /* The rest went from 2 to 3, and did not come back.  */
    ck_assert_uint_eq(counts.functions[0].times[3], 212);
    ck_assert_uint_eq(counts.mended, 0);
    ck_assert_uint_eq(counts.contradicted, 1);
    arccounts_free(&counts);
    profile_free(&profile);
    for (size_t i = 0; i < 3; i++)
        tables_close(tables[i]);
}
END_TEST

/* What ARCS 0 to 2 of the example become, how often its block 3 was executed, and whether
   they agreed.  */
static void assert_agree(const int64_t *arcs, const int64_t *want, uint64_t times,
                         bool agreed)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arctables read;
    struct fault fault = {0};
    int64_t counts[] = {arcs[0], arcs[1], arcs[2]};
    uint64_t blocks[5];
    ck_assert(arctables_read(&read, tables, &fault));
    ck_assert_int_eq(arcgraph_agree(&read, &read.functions[0], counts, blocks), agreed);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(counts[i], want[i]);
    ck_assert_uint_eq(blocks[3], times);
    arctables_free(&read);
    tables_close(tables);
}

/* Arc 0 enters, arc 1 leaves the loop, arc 2 is its way back.  */
START_TEST(what_agrees)
{
    /* Nine turns.  */
    assert_agree((int64_t[]){1, 1, 9}, (int64_t[]){1, 1, 9}, 9, true);
    /* A call in 3 has not returned.  */
    assert_agree((int64_t[]){2, 1, 9}, (int64_t[]){2, 1, 9}, 10, true);
    /* It returned twice: less than 0 is right for the arc to the exit.  */
    assert_agree((int64_t[]){1, 2, 9}, (int64_t[]){1, 2, 9}, 8, true);
    /* Control cannot have gone from 2 to 3 less than 0 times: it came back once.  */
    assert_agree((int64_t[]){0, 1, 0}, (int64_t[]){0, 1, 1}, 0, false);
    assert_agree((int64_t[]){-1, 0, 0}, (int64_t[]){0, 0, 0}, 0, false);
    assert_agree((int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0}, 0, true);
    /* As far below as can be.  */
    assert_agree((int64_t[]){INT64_MIN, 0, 0}, (int64_t[]){0, 0, 0}, 0, false);
}
END_TEST

static void assert_garbled(const char *arcs, const char *edges, const char *why)
{
    struct make_elf file = file_of(arcs, edges);
    struct tables *tables = open_elf(&file);
    struct arctables read;
    struct fault fault = {0};
    ck_assert(!arctables_read(&read, tables, &fault));
    ck_assert_int_eq(fault.kind, FAULT_GARBLED);
    ck_assert_msg(strstr(fault.text, why) != NULL, "%s", fault.text);
    arctables_free(&read);
    fault_clear(&fault);
    tables_close(tables);
}

/* The first version has no blocks of calls.  */
START_TEST(the_first_version)
{
    struct make_elf file = file_of(
        "01 " ARCS_EXAMPLE_ID "4d 00 00 00 " ARCS_EXAMPLE_WORDS
        "03 " ARCS_EXAMPLE_GRAPH ARCS_EXAMPLE_NUMBERS ARCS_EXAMPLE_INLINED
        "00 00 01 00 01 00 02 02 05 00 00 04 01 00 00 03 06 00 " ARCS_EXAMPLE_NAMES,
        ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct arctables arcs;
    struct fault fault = {0};
    ck_assert(arctables_read(&arcs, tables, &fault));
    ck_assert_uint_eq(arcs.calls[1].block, 0);
    ck_assert_uint_eq(arcs.calls[1].position.offset, 6);
    arctables_free(&arcs);
    tables_close(tables);
}
END_TEST

static void tell(struct profile *profile, uint64_t site, uint32_t module, uint64_t target,
                 uint64_t count)
{
    struct profile_target told = {
        .site_module = 0, .site = site, .module = module, .address = target};
    profile_add_target(profile, &told, count);
}

static void rest(struct profile *profile, uint32_t site_module, uint64_t site,
                 uint32_t module, uint64_t target)
{
    profile_add_rest(profile,
                     &(struct profile_target){site_module, module, site, target, 0});
}

static uint64_t calls_of(const struct profile *profile, uint64_t site, uint64_t target)
{
    uint64_t count = 0;
    for (size_t i = 0; i < profile->target_count; i++)
        if (profile->targets[i].site == site && profile->targets[i].address == target)
            count += profile->targets[i].count;
    return count;
}

/* Block 3, which has the second call and the list, was executed ten times.  The call
   called others four times, and what is not known once; the list had another divisor
   once, and in a second run more often than the block was executed.  */
START_TEST(what_is_left_for_the_first)
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
        tell(&run, 0x5001, 1, 0x1000, 1);
        tell(&run, 0x5002, PROFILE_NO_MODULE, 65, i ? 11 : 1);
        rest(&run, 0, 0x5001, 0, 0x1000);
        rest(&run, 0, 0x5002, PROFILE_NO_MODULE, 33);
        /* No site; the counter of a first execution; modules without tables.  */
        rest(&run, 0, 0x5003, 0, 0x1000);
        rest(&run, 0, 0x5000, 0, 0x1000);
        rest(&run, 1, 0x5001, 0, 0x1000);
        rest(&run, PROFILE_NO_MODULE, 0x5001, 0, 0x1000);
        arcruns_note(&runs, &run, tables);
        ck_assert_uint_eq(run.rest_count, 0);
        ck_assert_uint_eq(run.modules[0].peaks, 11);
        ck_assert_uint_eq(run.target_count, i ? 4 : 5);
        ck_assert_uint_eq(calls_of(&run, 0x5001, 0x1040), 4);
        ck_assert_uint_eq(calls_of(&run, 0x5001, 0x1000), 1 + 5);
        ck_assert_uint_eq(calls_of(&run, 0x5002, 33), i ? 0 : 9);
        profile_free(&run);
    }
    arcruns_free(&runs);
    tables_close(tables);
}
END_TEST

/* A run in which the function was the fifth to be executed; its second call called the
   two functions that are known, one of them told twice, and what is not.  */
START_TEST(what_was_told)
{
    struct make_elf file = file_of(ARCS_EXAMPLE, ARCS_EXAMPLE_TERMS);
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {0};
    struct arccounts counts;
    struct fault fault = {0};
    profile_add_counter(&profile, 0, 0x5000, (1ull << 40) - 5);
    tell(&profile, 0x5001, 0, 0x1000, 4);
    tell(&profile, 0x5001, 0, 0x1040, 5);
    tell(&profile, 0x5001, 0, 0x1000, 6);
    tell(&profile, 0x5001, 0, 0x2000, 100);
    tell(&profile, 0x5001, PROFILE_NO_MODULE, 0x1000, 100);
    /* The list: 64, what is larger than any, and what is no value.  */
    tell(&profile, 0x5002, PROFILE_NO_MODULE, 65, 8);
    tell(&profile, 0x5002, PROFILE_NO_MODULE, CCPROF_LIST_MOST + 1, 3);
    tell(&profile, 0x5002, PROFILE_NO_MODULE, CCPROF_LIST_MOST + 2, 100);
    tell(&profile, 0x5002, 0, 65, 100);
    tell(&profile, 0x5003, 0, 0x1000, 100);
    ck_assert(arccounts_solve(&counts, &profile, &program, NULL, &fault));
    const struct arccounts_function *function = &counts.functions[0];
    ck_assert_uint_eq(function->first, 5);
    ck_assert_uint_eq(function->value_count, 4);
    ck_assert_uint_eq(function->values[0].of, 1);
    ck_assert_uint_eq(function->values[0].value, 1);
    ck_assert_uint_eq(function->values[0].count, 10);
    ck_assert_uint_eq(function->values[1].value, 9);
    ck_assert_uint_eq(function->values[1].count, 5);
    ck_assert_uint_eq(function->values[2].of, 2);
    ck_assert_uint_eq(function->values[2].value, 64);
    ck_assert_uint_eq(function->values[2].count, 8);
    ck_assert_uint_eq(function->values[3].value, CCPROF_LIST_MOST);
    ck_assert_uint_eq(function->values[3].count, 3);
    arccounts_free(&counts);
    profile_free(&profile);
    tables_close(tables);
}
END_TEST

/* A function of the three arcs' words and REST.  */
static void assert_function_garbled(const char *rest, const char *why)
{
    size_t length = strlen(ARCS_EXAMPLE_WORDS) / 3 + (strlen(rest) + 1) / 3;
    char bytes[400];
    snprintf(bytes, sizeof bytes,
             "02 " ARCS_EXAMPLE_ID "%02zx 00 00 00 " ARCS_EXAMPLE_WORDS "%s", length,
             rest);
    assert_garbled(bytes, "", why);
}

START_TEST(what_is_wrong)
{
#define GRAPH     "03 " ARCS_EXAMPLE_GRAPH
#define NUMBERS   ARCS_EXAMPLE_NUMBERS
#define INLINED   ARCS_EXAMPLE_INLINED
#define POSITIONS ARCS_EXAMPLE_POSITIONS
#define NAMES     ARCS_EXAMPLE_NAMES
#define REST      ARCS_EXAMPLE_REST
    assert_function_garbled("00 " ARCS_EXAMPLE_GRAPH REST, "another number of arcs");
    assert_function_garbled("00 00 00 00 00 " NAMES, "a function without arcs");
    assert_function_garbled(GRAPH NUMBERS INLINED POSITIONS "2f 6f 2f 61 00 66 00 61 2e",
                            "a text does not end");
    assert_function_garbled(GRAPH REST "00", "more than the function's own bytes");
    assert_function_garbled("81 80 80 80 01 " ARCS_EXAMPLE_GRAPH REST, "too many arcs");
    /* Three arcs, and no graph that has any; a thunk with a list.  */
    assert_function_garbled("03 00 00 00 00 " NAMES, "arcs without a graph");
    assert_function_garbled("01 00 00 01 00 00 00 " NAMES, "no block has this number");
    assert_function_garbled("03 81 80 80 80 01 00 00 " REST, "too many blocks");
    /* From the entry to block 5 of five.  */
    assert_function_garbled("03 05 01 15 00 02 0c 11 02 09 06 01 04 " REST,
                            "no block has this number");
    assert_function_garbled(GRAPH "81 80 80 80 01 " REST, "too many calls");
    assert_function_garbled(GRAPH "02 01 03 03 " INLINED POSITIONS NAMES,
                            "no list is of this kind");
    assert_function_garbled(GRAPH "02 01 01 05 " INLINED POSITIONS NAMES,
                            "no block has this number");
    /* A body in itself; one like itself; one of too many lines.  */
    assert_function_garbled(GRAPH NUMBERS "01 01 03 02 00 67 00 61 00 " POSITIONS NAMES,
                            "no body has this number");
    assert_function_garbled(GRAPH NUMBERS "01 00 03 02 01 " POSITIONS NAMES,
                            "no earlier body has this number");
    assert_function_garbled(GRAPH NUMBERS "01 00 80 80 04 02 00 67 00 61 00 " NAMES,
                            "too many lines");
    assert_function_garbled(GRAPH NUMBERS "81 80 80 80 01 " POSITIONS NAMES,
                            "too many bodies");
    /* A block in the third of two bodies; a call, too, and one in block 5 of five.  */
    assert_function_garbled(GRAPH NUMBERS INLINED "00 00 01 03 01 00 00 00 00 00 " NAMES,
                            "no body has this number");
    assert_function_garbled(GRAPH NUMBERS INLINED
                            "00 00 00 00 00 02 00 02 04 06 00 " NAMES,
                            "no body has this number");
    assert_function_garbled(GRAPH NUMBERS INLINED "00 00 00 00 00 05 00 02 00 " NAMES,
                            "no block has this number");
    /* One call and no list, and values are told of two and one.  */
    assert_function_garbled(GRAPH "01 00 " INLINED "00 00 00 00 00 02 00 " NAMES,
                            "no call has this number");
    assert_garbled(ARCS_EXAMPLE_HEAD "2a 32 32 42 01 00 00 00", "", "");
    assert_garbled("01 88 77 66 55 44 33 22 11", "", "");
    /* Arc 3 of three.  */
    assert_garbled(ARCS_EXAMPLE,
                   "03 10 40 00 00 00 00 00 00 00 00 00 00 "
                   "01 88 77 66 55 44 33 22 11 01 06 00",
                   "no arc has this number");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arctables");
    TCase *tests = tcase_create("arctables");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, the_first_version);
    tcase_add_test(tests, what_was_counted);
    tcase_add_test(tests, what_is_left_for_the_first);
    tcase_add_test(tests, what_agrees);
    tcase_add_test(tests, what_was_told);
    tcase_add_test(tests, what_is_wrong);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
