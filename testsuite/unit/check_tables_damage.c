/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Damaged tables, and tables of other versions. Each reader refuses them and reports the
   section and the offset of the error. */

#define _GNU_SOURCE
#include "mlprof/tables/arctables.h"
#include "mlprof/tables/flowtables.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/arcs_bytes.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

/* A section and its content. */
#define UNIT(rest)      "unit", "nn 00 00 00 02 02 00 00 00 00 " rest
#define CODE(rest)      "code", HEAD rest
#define TYPES(rest)     "types", "01 00 00 00 00 01 0e 00 00 00 " rest
#define TYPES2(rest)    "types", "02 00 00 00 00 01 0e 00 00 00 " rest
#define REMARKS(rest)   "remarks", "01 00 00 00 00 00 10 00 00 00 00 00 00 " rest
#define TERMS(rest)     "edge", "03 10 40 00 00 00 00 00 00 00 00 00 00 01 " rest
#define FLOW_HEAD(rest) "flow", FLOW_EXAMPLE_HEAD "nn 00 00 00 " rest
#define ARCS(rest)      "arcs", "02 " ARCS_EXAMPLE_ID "nn 00 00 00 " ARCS_EXAMPLE_WORDS rest

/* A flow graph with only blocks. The number of blocks is at 0x1e. */
#define FLOW(rest) FLOW_HEAD("00 00 00 00 00 00 00 00 00 " rest)

/* The same with ranges. The first statement is at 0:5 and has this extent. */
#define EXTENT(extent)                                                                   \
    "flow", "02 00 00 00 00 01 00 00 00 88 77 66 55 44 33 22 11 nn 00 00 00 "            \
            "00 00 00 00 00 00 00 00 00 02 01 00 00 05 " extent                          \
            " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
#define EDGE(id, number)                                                                 \
    "edge", "01 01 00 00 00 10 40 00 00 00 00 00 00 " id " 77 66 55 44 33 22 11 " number \
            " 00 00 00"

/* A site with its allocator, symbol and type; a piece with paths. */
#define ALLOC       "01 01 00 00 00 00 20 00 00 00 00 00 00 "
#define SITE        "08 00 00 00 08 00 00 00 04 00 00 00 "
#define ALLOC_PATHS "01 01 00 00 00 01 00 00 00 00 20 00 00 00 00 00 00 "

#define LONG_ULEB "ff ff ff ff ff ff ff ff ff 01"
#define GRAPH     "03 " ARCS_EXAMPLE_GRAPH
#define NUMBERS   ARCS_EXAMPLE_NUMBERS
#define INLINED   ARCS_EXAMPLE_INLINED
#define NAMES     ARCS_EXAMPLE_NAMES
#define REST      ARCS_EXAMPLE_REST

#define VERSION(offset, version, known)                                                  \
    offset ": tables of version " version "; this mlprof reads version " known

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The content of a section, where nn stands for the number of bytes after "nn 00 00 00".
   Then the end of the message, NULL for no error; if it starts with an offset, the
   section precedes it. Perhaps a second section. */
static const struct {
    const char *section, *bytes, *message, *other, *other_bytes;
} damages[] = {
    {"str", "61 00 62", "0x2: the last string has no end"},

    {"unit", "nn 00 00 00 01 02 " UNIT_NAMES, VERSION("0x0", "1", "2")},
    /* The data after the version are unknown. */
    {"unit", "nn 00 00 00 03 ff ff ff", VERSION("0x0", "3", "2")},
    {"unit", "22 00", "0x0: cut off"},
    {"unit", "53 00 00 00 02 02 " UNIT_NAMES, "0x0: longer than the section"},
    {"unit", "nn 00 00 00 02 02 " UNIT_NAMES "00",
     "0x56: more bytes than the unit has use for"},
    {"unit", "nn 00 00 00 02 03 " UNIT_NAMES, "0x5: an unknown kind of position"},
    {"unit", "nn 00 00 00 02 02 14 00 00 00 00", "0x6: a string outside of .ccprof.str"},
    {UNIT("00 01 00 00 00 00 00 01 00 00"), "0x11: no file has this number"},
    {UNIT("00 01 00 00 00 00 00 00 00 80 80 80 80 10"), "0x13: column too large"},

    {CODE("05 00 01 00 00 00 07 ff"), VERSION("0x13", "7", "1")},
    {"code", "05 00 01 00 00", "0x0: a function before the first head"},
    {"code", "00 01 01 00 00 00 00 20 00 00 00 00 00 00", "0x2: no unit at this offset"},
    {CODE("05 00 04 00 00"), "0x10: no source has this number"},
    {CODE("05 00 01 ff ff ff ff 0f"), "0x11: too many copies"},
    {CODE("05 00 01 01 04 02 02 01 00"), "0x12: a copy inside none before it"},
    {CODE("05 00 01 01 00 02 02 01 00"), "0x12: a copy inside none before it"},
    {CODE("05 00 01 01 03 02 03 02 01"), "0x14: no file has this number"},
    {CODE("05 00 01 01 02 02 75 02 01"), "0x14: line out of range"},
    {CODE("05 00 01 00 " LONG_ULEB), "0x12: too many entries"},
    {CODE("05 00 01 00 fe ff ff ff 0f"), "0x17: cut off"},
    {CODE("05 00 01 00 01 05 12 01"), "0x13: an entry after the function's end"},
    {CODE("05 00 01 00 02 00 12 01 01 41"), "0x17: no such earlier point"},
    {CODE("05 00 01 00 01 00 13 01 01"), "0x15: no such copy"},
    {CODE("05 00 01 00 01 00 13 7f 01"), "0x15: no such copy"},
    {CODE("05 00 01 00 01 00 10"), "0x14: a line without a position"},
    {CODE("05 00 01 00 01 00 14 01 20"), "0x16: column out of range"},
    {CODE("05 00 01 00 01 00 3a 75 01"), "0x15: line out of range"},
    {CODE("05 00 01 00 01 00 16 03"), "0x15: no file has this number"},
    {"code", "00 01 00 00 00 00 ff ff ff ff ff ff ff ff 05 00 01 00 00",
     "0xf: an address of more than 64 bits"},
    {CODE("05 00 01 01 03 02 00"), "0x13: a position in a unit without positions", "unit",
     plain_unit},
    {CODE("05 00 01 00 01 00 14"), "0x14: a position of a kind that the unit has not",
     "unit", line_unit},

    {"count", "01 00 00 00 00 00 00 00 00 04", VERSION("0x9", "4", "3")},
    {"count", "01 01 00 00 00 00 00 00 00", "0x1: no unit at this offset"},
    {"count", "01 00 00 00 00 ff ff ff ff 10 40 00 00 00 00 00 00 01 00 00 00",
     "0x15: cut off"},
    {"count", "01 00 00 00 00 01 00 00 00 10 40 00 00 00 00 00 00 00 00 00 00",
     "0x11: no source has this number"},

    {"types", "03", VERSION("0x0", "3", "2")},
    {TYPES("00"), "0x1: no unit with positions at this offset", "unit", plain_unit},
    {TYPES("01 00 00 01 0c"), "0xb: no such source"},
    {TYPES("01 01 04 01 0c"), "0xc: no such type"},
    {TYPES2("01 01 08 01 0c"), "0xc: no such type"},
    {TYPES2("01 01 00 01 0c"), "0xc: neither a type nor returned"},
    {TYPES("01 01 03 03 01 0c"), "0xd: no file has this number"},
    {TYPES("01 01 02 75 0c"), "0xd: no such line"},
    {TYPES("01 01 02 01 80 80 80 80 10"), "0xe: no such column"},
    {TYPES("01 03 02 01 0c"), "0xe: a call in no file"},
    {"types", "01 00 00 00 00 00 " LONG_ULEB, "0x10: cut off"},

    {"remarks", "02", VERSION("0x0", "2", "1")},
    {"remarks", "01 01 00 00 00", "0x1: no unit at this offset"},
    {REMARKS("04"), "0xd: no source has this number"},
    {REMARKS("01 " LONG_ULEB), "0x18: cut off"},
    {REMARKS("01 01 00 01 00 00"), "0xf: a copy inlined in itself"},
    {REMARKS("01 01 02 01 00 00"), "0xf: no copy has this number"},
    {REMARKS("01 01 01 04 00 00"), "0x10: no source has this number"},
    {REMARKS("01 01 01 01 03 00"), "0x11: no file has this number"},
    {REMARKS("01 00 " LONG_ULEB), "0x19: cut off"},
    {REMARKS("01 00 01 01"), "0x10: no loop has this number"},
    {REMARKS("01 00 01 00 01"), "0x11: no copy has this number"},
    {REMARKS("01 00 01 00 00 03"), "0x12: no file has this number"},
    {REMARKS("01 00 01 00 00 00"), "0x12: a loop in no file"},
    {REMARKS("01 00 01 00 00 01 05 00 7a"), "0x15: no such line"},
    {REMARKS("01 00 01 00 00 01 05 00 00 00 00 00 01 01 00 00 ff ff 00 00 00 00 00 00"),
     "0x1d: a string outside of .ccprof.str"},

    {"flow", FLOW_EXAMPLE "04", VERSION("0x5a", "4", "3")},
    {"flow", "01 01 00 00 00", "0x1: no unit at this offset"},
    {"flow", "01 00 00 00 00 00 00 00 00 ", "0x5: no source has this number"},
    {"flow", FLOW_EXAMPLE_HEAD "45 00 00 00", "0x11: longer than the section"},
    {FLOW_HEAD("01 61 00 02"), "0x18: no string has this number"},
    {FLOW_HEAD("00 00 00 40"), "0x18: an unknown flag of a function"},
    {FLOW("01"), "0x1e: more blocks than there are bytes"},
    {FLOW("01 00 00 00 00"), "0x1e: a flow without entry and exit"},
    {FLOW("02 00 00 00 00 00 00 00 00 00"), "0x27: more bytes than the flow has use for"},
    /* A position on a line less than 0. */
    {FLOW("02 01 00 7f 00 00 00 00 00 00 00 00"), "0x21: line out of range"},
    /* An unknown branch; edges to nowhere, to the entry, out of the exit. */
    {FLOW("02 00 00 04 00 00 00 00 00"), "0x21: an unknown kind of branch"},
    {FLOW("02 00 00 00 01 02 00 00 00 00 00"), "0x23: no block has this number"},
    {FLOW("02 00 00 00 01 00 00 00 00 00 00"), "0x23: an edge into the entry"},
    {FLOW("02 00 00 00 00 00 00 00 01 01 00"), "0x26: an edge out of the exit"},
    {FLOW("02 00 00 00 01 01 80 02 00 00 00 00"), "0x24: an unknown flag of an edge"},
    {FLOW("02 00 00 00 01 01 80 01 01 03 00 00 00 00"), "0x27: an unknown kind of case"},
    /* Numbers may be huge. The reader never trusts them. */
    {FLOW("02 ff ff ff ff 0f 00 00 00 00"), "0x28: cut off"},
    /* Extents: unknown halves; before the first column; a range without a column; the
       start and the end on a line less than 0. */
    {EXTENT("f0"), "0x23: an unknown kind of extent"},
    {EXTENT("60"), "0x23: column out of range"},
    {EXTENT("50"), "0x23: a range without a column"},
    {EXTENT("ff 00 00"), "0x25: a range without a column"},
    {EXTENT("ff 01 01"), "0x24: line out of range"},
    {EXTENT("ff 00 01 7f"), "0x26: line out of range"},

    {"edge", "01 ff ff ff ff", "0x5: cut off"},
    {EDGE("88", "06"), "0x15: no edge has this number"},
    {EDGE("89", "06"), NULL},
    /* Counter 2 of two; edge 6 of six; arc 3 of three. */
    {"edge",
     "03 10 40 00 00 00 00 00 00 02 00 00 00 00 00 00 00 08 00 00 00 01 " ARCS_EXAMPLE_ID
     "01 00 02",
     "0x20: no counter has this number"},
    {TERMS(ARCS_EXAMPLE_ID "01 0c 00"), "0x18: no edge has this number"},
    {TERMS(ARCS_EXAMPLE_ID "01 06 00"), "0x18: no arc has this number"},
    /* 2^32 in one step, and in two. */
    {TERMS("01 00 00 00 00 00 00 00 01 80 80 80 80 20 00"),
     "0x17: no number is that large"},
    {TERMS("01 00 00 00 00 00 00 00 02 fe ff ff ff 1f 00 02 00"),
     "0x1d: no number is that large"},

    {"arcs", "03", VERSION("0x0", "3", "2")},
    {"arcs", ARCS_EXAMPLE_HEAD "2a 32 32 42 01 00 00 00", "0x9: longer than the section"},
    {ARCS("00 " ARCS_EXAMPLE_GRAPH REST), "0x29: the graph has another number of arcs"},
    {ARCS("00 00 00 00 00 " NAMES), "0x21: a function without arcs"},
    {ARCS(GRAPH NUMBERS INLINED ARCS_EXAMPLE_POSITIONS "2f 6f 2f 61 00 66 00 61 2e"),
     "0x58: a text does not end"},
    {ARCS(GRAPH REST "00"), "0x58: more than the function's own bytes"},
    {ARCS("81 80 80 80 01 " ARCS_EXAMPLE_GRAPH REST), "0x1d: too many arcs"},
    /* Three arcs without a graph; a thunk with a list. */
    {ARCS("03 00 00 00 00 " NAMES), "0x21: arcs without a graph"},
    {ARCS("01 00 00 01 00 00 00 " NAMES), "0x22: no block has this number"},
    {ARCS("03 81 80 80 80 01 00 00 " REST), "0x1e: too many blocks"},
    /* From the entry to block 5 of five. */
    {ARCS("03 05 01 15 00 02 0c 11 02 09 06 01 04 " REST),
     "0x20: no block has this number"},
    {ARCS(GRAPH "81 80 80 80 01 " REST), "0x2a: too many calls"},
    {ARCS(GRAPH "02 01 03 03 " INLINED ARCS_EXAMPLE_POSITIONS NAMES),
     "0x2d: no list is of this kind"},
    /* A body inside itself; a body that takes its name from itself; a body with too many
       lines. */
    {ARCS(GRAPH NUMBERS "01 01 03 02 00 67 00 61 00 " ARCS_EXAMPLE_POSITIONS NAMES),
     "0x31: no body has this number"},
    {ARCS(GRAPH NUMBERS "01 00 03 02 01 " ARCS_EXAMPLE_POSITIONS NAMES),
     "0x32: no earlier body has this number"},
    {ARCS(GRAPH NUMBERS "01 00 80 80 04 02 00 67 00 61 00 " NAMES),
     "0x30: too many lines"},
    {ARCS(GRAPH NUMBERS "81 80 80 80 01 " ARCS_EXAMPLE_POSITIONS NAMES),
     "0x2e: too many bodies"},
    /* A block in the third body of two. */
    {ARCS(GRAPH NUMBERS INLINED "00 00 01 03 01 00 00 00 00 00 " NAMES),
     "0x42: no body has this number"},
    /* There is one call and no list, but the values are those of the second call and of a
       list. */
    {"values", ARCS_EXAMPLE_VALUES, "0x1c: no call has this number",
     ARCS(GRAPH "01 00 " INLINED "00 00 00 00 00 02 00 " NAMES)},

    {"alloc", "02", VERSION("0x0", "2", "1")},
    {"alloc", "01 ff ff ff ff ff ff ff ff ff ff ff ff " SITE,
     "0x5: an address of more than 64 bits"},
    {"allocators", "08 00 00", "0x0: cut off"},
    {"paths", "02", VERSION("0x0", "2", "1"), "alloc", ALLOC SITE},
    {"paths", ALLOC_PATHS "02 00 00 00 08 00 00 00 08 00 00 00",
     "0x11: a site that there is not", "alloc", ALLOC SITE},
    {"paths", "01 ff ff ff ff ff ff ff ff f0 ff ff ff ff ff ff ff 01 00 00 00",
     "0x9: an address of more than 64 bits", "alloc", ALLOC SITE},
    {"inclusive", "01 00 00 00 00 01 00 00 00 00 30 00 00 00 00 00 00 04 00 00 00",
     "0x11: no source has this number"},
};

/* Adds .ccprof.NAME with its length filled in. */
static void add_section(struct make_elf *file, const char *name, const char *bytes)
{
    struct make_elf_section *at = file->sections;
    char *full, *content = strdup(bytes), *nn = strstr(content, "nn"), digits[8];
    size_t length;
    while (at->name)
        at++;
    if (nn) {
        free(make_bytes(nn + strlen("nn 00 00 00"), &length));
        snprintf(digits, sizeof digits, "%02zx", length);
        memcpy(nn, digits, 2);
    }
    ck_assert_int_gt(asprintf(&full, ".ccprof.%s", name), 0);
    *at = (struct make_elf_section){full, content};
}

/* Reads all sections of the file. */
static bool read_all(const char *path, struct fault *fault)
{
    struct flowtables flows = {0};
    struct arctables arcs = {0};
    struct tables *tables = tables_open(path, fault);
    bool good = tables && flowtables_read(&flows, tables, fault) &&
                arctables_read(&arcs, tables, fault);
    flowtables_free(&flows);
    arctables_free(&arcs);
    tables_close(tables);
    return good;
}

TEST_ROWS(damaged, damages)
{
    static const char *const whole[][2] = {
        {"str", strings}, {"unit", unit}, {"flow", FLOW_EXAMPLE}, {"arcs", ARCS_EXAMPLE}};
    const char *section = damages[_i].section, *other = damages[_i].other;
    const char *message = damages[_i].message;
    struct make_elf file = {0};
    struct fault fault = {0};
    char *path = make_path();
    add_section(&file, section, damages[_i].bytes);
    if (other)
        add_section(&file, other, damages[_i].other_bytes);
    for (size_t i = 0; i < LENGTH(whole); i++)
        if (strcmp(whole[i][0], section) != 0 &&
            (!other || strcmp(whole[i][0], other) != 0))
            add_section(&file, whole[i][0], whole[i][1]);
    make_elf(path, &file);
    ck_assert_int_eq(read_all(path, &fault), message == NULL);
    if (message) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s: section .ccprof.%s, offset %s", path,
                 section, message);
        ck_assert_str_eq(fault.text, expected);
        ck_assert_int_eq(fault.kind,
                         strstr(message, "of version") ? FAULT_VERSION : FAULT_GARBLED);
    }
    for (const struct make_elf_section *at = file.sections; at->name; at++) {
        free((char *)at->name);
        free((char *)at->bytes);
    }
    fault_clear(&fault);
    free(path);
}

TEST(sections)
{
    struct make_elf twice = {.sections = {{".ccprof.str", strings},
                                          {".ccprof.str", strings},
                                          {".ccprof.unit", unit}}};
    assert_refused(&twice, FAULT_GARBLED,
                   "it has two sections .ccprof.str, and none says which one is meant");
    struct make_elf none = {.sections = {{".text", "00"}}};
    assert_refused(&none, FAULT_UNPROFILED,
                   "not profiled: it has no tables of ccprof; compile with gcc "
                   "-fplugin=ccprof");
}
