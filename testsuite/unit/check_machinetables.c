/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* mlprof's reader of the flow graphs of machine code: bytes written by hand, their
   meaning, and damaged bytes. Then the executions of instructions, which are computed
   from counters. */

#define _GNU_SOURCE
#include "mlprof/flow/instructions.h"
#include "mlprof/tables/machinetables.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

#include <elf.h>
#include <inttypes.h>

static struct make_elf file_of(const char *machine)
{
    return (struct make_elf){.machine = EM_X86_64,
                             .code = MACHINE_EXAMPLE_CODE,
                             .sections = {{".ccprof.str", example_strings},
                                          {".ccprof.unit", example_unit},
                                          {".ccprof.code", example_code},
                                          {".ccprof.machine", machine}}};
}

/* Prints the edges FROM>TO with the counter's address, and the segments START-END:EDGE. +
   marks the code of a counter, GAP>FALLS a gap that is executed. */
static void print_machine(FILE *out, const struct machinetables *tables)
{
    for (size_t f = 0; f < tables->count; f++) {
        const struct machinetables_function *function = &tables->functions[f];
        fprintf(out, "%" PRIu32 " vertices", function->vertices);
        for (size_t i = 0; i < function->edges; i++) {
            const struct machinetables_edge *edge =
                &tables->edges.list[function->first_edge + i];
            fprintf(out, " %" PRIu32 ">%" PRIu32 "=%" PRIx64, edge->from, edge->to,
                    edge->counter);
        }
        for (size_t i = 0; i < function->segments; i++) {
            const struct machinetables_segment *segment =
                &tables->segments.list[function->first_segment + i];
            fprintf(out, "\n%" PRIx64 "-%" PRIx64 ":%" PRIu32 "%s", segment->start,
                    segment->end, segment->edge, segment->counter ? "+" : "");
            if (segment->falls != MACHINETABLES_NONE)
                fprintf(out, " %" PRIx64 ">%" PRIu32, segment->gap, segment->falls);
        }
        for (size_t i = 0; i < function->calls; i++) {
            const struct machinetables_call *call =
                &tables->calls.list[function->first_call + i];
            fprintf(out, " call %" PRIx64 "=%" PRIx64, call->back, call->pair);
        }
        if (function->has_calls)
            fprintf(out, " in %" PRIx64, function->pair);
        putc('\n', out);
    }
}

/* Inclusive instructions: the address of pair 0, then the start. */
#define CALLS_STARTS                                                                     \
    "10 40 00 00 00 00 00 00 00 50 00 00 00 00 00 00 00 10 40 00 00 00 00 00 "
#define NO_PAIRS_STARTS                                                                  \
    "10 40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 40 00 00 00 00 00 "

#define MEANING                                                                          \
    "3 vertices 0>1=4010 1>2=4018 1>2=0 2>0=0\n"                                         \
    "401000-40100a:0+\n40100a-40100e:0\n40100e-401018:1+\n401018-40101a:1\n"             \
    "401020-401021:3 40101a>1\n"

/* One edge from outside to outside, without a counter, and no segment. */
#define EMPTY "01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 00 00"

static const struct {
    const char *machine, *meaning;
} rows[] = {
    {"", ""},
    {MACHINE_EXAMPLE, MEANING},
    {MACHINE_EXAMPLE " " EMPTY " " MACHINE_EXAMPLE, MEANING "1 vertices 0>0=0\n" MEANING},
    /* Two parts, each with one segment; the second begins before the first. */
    {"01 02 " MACHINE_EXAMPLE_STARTS "00 00 40 00 00 00 00 00 "
     "01 01 00 00 01 01 00 05 00 01 02 80 01 00",
     "1 vertices 0>0=4010\n401000-401005:0\n400002-400082:0\n"},
    {"02 01 " CALLS_STARTS "01 01 00 00 01 05 01 00 10 00 02 05 01 04 02",
     "1 vertices 0>0=4010\n401000-401010:0 call 401005=5010 call 401009=5020 in 5000\n"},
    {"02 01 " NO_PAIRS_STARTS "01 01 00 00 01 05 01 00 10 00 00",
     "1 vertices 0>0=4010\n401000-401010:0 in 0\n"},
};

TEST_ROWS(meaning, rows)
{
    struct make_elf file = file_of(rows[_i].machine);
    struct tables *of = open_elf(&file);
    struct machinetables tables = {0};
    struct fault fault = {0};
    ck_assert(machinetables_read(&tables, tables_holder(of), &fault));
    FILE *out = print_begin();
    print_machine(out, &tables);
    print_end(out, rows[_i].meaning);
    machinetables_free(&tables);
    tables_close(of);
}

/* Damaged bytes, and the end of the error message. */
static const struct {
    const char *machine, *message;
} damaged[] = {
    {"00", "tables of version 0; this mlprof reads version 2"},
    {"03", "tables of version 3; this mlprof reads version 2"},
    {"02 01 " CALLS_STARTS "01 01 00 00 01 05 01 00 10 00 01 05 00",
     "a call without a pair"},
    {"02 01 " NO_PAIRS_STARTS "01 01 00 00 01 05 01 00 10 00 01 05 01",
     "a call without a pair"},
    {"02 01 " CALLS_STARTS "01 01 00 00 01 05 01 00 10 00 01 05", "cut off"},
    {"02 01 " CALLS_STARTS
     "01 01 00 00 01 05 01 00 10 00 01 ff ff ff ff ff ff ff ff ff 01 01",
     "a call after the last address"},
    {"01", "cut off"},
    {"01 00 " MACHINE_EXAMPLE_STARTS, "no function has so many parts"},
    {"01 03 " MACHINE_EXAMPLE_STARTS, "no function has so many parts"},
    {"01 01 10 40 00", "cut off"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "00 00 00", "no vertices"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "ff ff ff ff 0f 00 00", "too many vertices"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 ff ff ff ff 0f", "too many edges"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "02 01 02 00 00 00", "no vertex has this number"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "02 01 00 02 00 00", "no vertex has this number"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 ff ff ff ff 1f", "no such counter"},
    /* Very many vertices without edges, for which no memory may be allocated. */
    {"01 01 " MACHINE_EXAMPLE_STARTS "fe ff ff ff 0f 01 00 00 00 00",
     "vertices without edges"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "02 00 00", "vertices without edges"},
    /* The number of edges is large, and the section ends. */
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 fe ff ff ff 0f 00 00 00", "cut off"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 00 01 00 01 04",
     "no edge has this number"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 00 01 00 01 02 01",
     "no edge has this number"},
    /* Without edges no segment is valid. */
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 00 01 00 01 00", "no edge has this number"},
    {"01 01 " MACHINE_EXAMPLE_STARTS
     "01 01 00 00 00 01 ff ff ff ff ff ff ff ff ff 01 00 00",
     "the code ends after the last address"},
    {"01 01 " MACHINE_EXAMPLE_STARTS
     "01 01 00 00 00 01 00 ff ff ff ff ff ff ff ff ff 01 00",
     "the code ends after the last address"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 00 05 00 01 00", "cut off"},
    {"01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 00 01 00 01 80 80 80 80 80 80 80 80 80 "
     "80 01",
     "a number of more than 10 bytes"},
};

TEST_ROWS(damage, damaged)
{
    struct make_elf file = file_of(damaged[_i].machine);
    struct tables *of = open_elf(&file);
    struct machinetables tables = {0};
    struct fault fault = {0};
    ck_assert(!machinetables_read(&tables, tables_holder(of), &fault));
    ck_assert_ptr_nonnull(fault.text);
    const char *cursor = strstr(fault.text, damaged[_i].message);
    if (!cursor || strlen(cursor) != strlen(damaged[_i].message))
        ck_abort_msg("%s", fault.text);
    ck_assert(!strstr(damaged[_i].message, "version") || fault.kind == FAULT_VERSION);
    fault_clear(&fault);
    machinetables_free(&tables);
    tables_close(of);
}

/* Prints the points of WORD as ADDRESS=AMOUNT, and the omitted amount. */
static void print_counted(FILE *out, struct tables *of, const char *word, uint64_t one,
                          uint64_t two)
{
    struct program program = {.tables = &of, .count = 1};
    struct profile profile = {0};
    struct instructions_rest rest;
    struct fault fault = {0};
    profile_add_counter(&profile, 0, 0x4010, one);
    profile_add_counter(&profile, 0, 0x4018, two);
    struct profile chosen = profile;
    ck_assert(instructions_make(&chosen, &rest, &program, measure_of_word(word, false), 0,
                                false, &fault));
    for (size_t i = 0; i < chosen.nodes.count; i++)
        fprintf(out, "%" PRIx64 "=%" PRIu64 " ",
                chosen.nodes.list[i].address - MAKE_ELF_CODE, chosen.nodes.list[i].count);
    fprintf(out,
            "of %" PRIu64 "; %" PRIu64 " own, %" PRIu64 " of all, %" PRIu64 " nops\n",
            chosen.sampling.samples, rest.counters, rest.all, rest.padding);
    instructions_free(&chosen);
    profile_free(&profile);
}

/* The counts of doc/tables.md: 10 test, 10 je, 4 dec and 10 ret, which loads its return
   address. The 4 nopw do not count as instructions. */
static const struct {
    const char *word;
    uint64_t one, two;
    const char *counted;
} counts[] = {
    {"instructions", 10, 4, "a=10 c=10 18=4 20=10 of 34; 14 own, 34 of all, 4 nops\n"},
    {"instructions", 10, 0, "a=10 c=10 20=10 of 30; 10 own, 30 of all, 0 nops\n"},
    {"instructions", 0, 0, "of 0; 0 own, 0 of all, 0 nops\n"},
    {"loads", 10, 4, "20=10 of 10; 14 own, 34 of all, 4 nops\n"},
    {"load-bytes", 10, 4, "20=80 of 80; 14 own, 34 of all, 4 nops\n"},
    {"stores", 10, 4, "of 0; 14 own, 34 of all, 4 nops\n"},
    {"branches", 10, 4, "c=10 20=10 of 20; 14 own, 34 of all, 4 nops\n"},
    {"mispredictable", 10, 4, "c=10 of 10; 14 own, 34 of all, 4 nops\n"},
};

TEST_ROWS(executions, counts)
{
    struct make_elf file = file_of(MACHINE_EXAMPLE);
    struct tables *of = open_elf(&file);
    FILE *out = print_begin();
    print_counted(out, of, counts[_i].word, counts[_i].one, counts[_i].two);
    print_end(out, counts[_i].counted);
    tables_close(of);
}

/* Counts at the limit of 64 bits. The example executes 3 ONE + TWO instructions, which is
   UINT64_MAX if ONE is a third of it, and loads 8 ONE bytes. The counters of a function
   are added up in 63 bits. */
static const struct {
    const char *word;
    uint64_t one, two;
    bool fits;
} limits[] = {
    {"loads", UINT64_MAX / 3, 0, true},
    {"loads", UINT64_MAX / 3, 1, false},
    {"load-bytes", UINT64_MAX / 8, 0, true},
    {"load-bytes", UINT64_MAX / 8 + 1, 0, false},
    {"stores", INT64_MAX, 0, false},
    {"stores", (uint64_t)INT64_MAX + 1, 0, false},
    {"stores", UINT64_MAX, 0, false},
    {"stores", 0, INT64_MAX, true},
    {"stores", 0, UINT64_MAX, false},
};

TEST_ROWS(too_many_executions, limits)
{
    struct make_elf file = file_of(MACHINE_EXAMPLE);
    struct tables *of = open_elf(&file);
    struct program program = {.tables = &of, .count = 1};
    struct profile profile = {0};
    struct instructions_rest rest;
    struct fault fault = {0};
    profile_add_counter(&profile, 0, 0x4010, limits[_i].one);
    profile_add_counter(&profile, 0, 0x4018, limits[_i].two);
    struct profile chosen = profile;
    ck_assert_int_eq(instructions_make(&chosen, &rest, &program,
                                       measure_of_word(limits[_i].word, false), 0, false,
                                       &fault),
                     limits[_i].fits);
    if (!limits[_i].fits)
        ck_assert_ptr_nonnull(strstr(fault.text, "add up to more than 64 bits"));
    fault_clear(&fault);
    instructions_free(&chosen);
    profile_free(&profile);
    tables_close(of);
}

/* Fills a file with COUNT functions that all have the same 256 KiB of code, nop
   instructions. */
static void overlap(struct make_elf *file, size_t count)
{
    /* One edge from outside to outside, with counter 1 and all of the code. */
    static const char function[] =
        "01 01 " MACHINE_EXAMPLE_STARTS "01 01 00 00 01 01 00 80 80 10 00 ";
    size_t size;
    char *nops = NULL, *machine = NULL;
    FILE *out = open_memstream(&nops, &size);
    for (size_t i = 0; i < 256 << 10; i++)
        fputs("90 ", out);
    fclose(out);
    out = open_memstream(&machine, &size);
    for (size_t i = 0; i < count; i++)
        fputs(function, out);
    fclose(out);
    *file = file_of(machine);
    file->code = nops;
}

/* A linker may fold identical functions. But if all functions of a file claim all of its
   code, the file is damaged. Otherwise mlprof would decode an amount of code quadratic in
   the file's size. */
static const struct {
    size_t functions;
    uint64_t executions;
    bool good;
} overlaps[] = {
    {4, 1, true},
    {100, 1, false},
    {100, 0, true}, /* code without executions is not decoded */
};

TEST_ROWS(overlapping_functions, overlaps)
{
    struct make_elf file;
    overlap(&file, overlaps[_i].functions);
    struct tables *of = open_elf(&file);
    struct program program = {.tables = &of, .count = 1};
    struct profile profile = {0};
    struct instructions_rest rest;
    struct fault fault = {0};
    profile_add_counter(&profile, 0, 0x4010, overlaps[_i].executions);
    struct profile chosen = profile;
    bool good =
        instructions_make(&chosen, &rest, &program,
                          measure_of_word("instructions", false), 0, false, &fault);
    ck_assert_int_eq(good, overlaps[_i].good);
    if (good)
        ck_assert_uint_eq(rest.padding,
                          overlaps[_i].functions * overlaps[_i].executions * (256 << 10));
    else
        ck_assert_ptr_nonnull(strstr(fault.text, "the code of its functions overlaps"));
    fault_clear(&fault);
    instructions_free(&chosen);
    profile_free(&profile);
    tables_close(of);
    free((char *)file.code);
    free((char *)file.sections[3].bytes);
}

/* Ranges outside of the file's code have no instructions. */
TEST(code_outside_of_the_file)
{
    struct make_elf file =
        file_of("01 01 10 40 00 00 00 00 00 00 00 00 10 00 00 00 00 00 "
                "01 01 00 00 01 01 00 80 80 80 80 80 80 80 01 00");
    struct tables *of = open_elf(&file);
    FILE *out = print_begin();
    print_counted(out, of, "instructions", 1, 0);
    print_end(out, "of 0; 0 own, 0 of all, 0 nops\n");
    tables_close(of);
}
