/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/symbolize/symbolize.c rt/symbolize/symbolize-decode.c rt/symbolize/elf-file.c
   rt/os/notes.c rt/os/memory.c rt/os/file.c rt/os/text.c rt/os/lock.c
   testsuite/unit/make_elf.c testsuite/unit/made_tables.c testsuite/unit/encoded.c
   plugin/tables/encode.c plugin/tables/memory.c -lelf */
/* The runtime's own reader of the tables: the bytes of doc/tables.md and others with a
   meaning computed by hand, random tables compared with a simple reader, and damaged
   tables. */

#include "rt_tests.h"
#include "random.h"
#include "rt/symbolize/symbolize.h"
#include "rt/symbolize/elf-file.h"
#include "testsuite/unit/made_tables.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/table_bytes.h"

#define SEEDS  40
#define ROUNDS 1000

static struct ccprof_pages buffer_of(const char *digits)
{
    struct ccprof_pages buffer = {NULL, 0};
    unsigned char *bytes = make_bytes(digits, &buffer.size);
    size_t size = buffer.size;
    ck_assert(ccprof_pages_make(&buffer, size));
    if (size)
        memcpy(buffer.start, bytes, size);
    free(bytes);
    return buffer;
}

static struct ccprof_symbolizer symbolize_of(const char *names, const char *units,
                                             const char *streams)
{
    return (struct ccprof_symbolizer){.strings = buffer_of(names),
                                      .units = buffer_of(units),
                                      .streams = buffer_of(streams)};
}

static struct ccprof_symbolizer made(const char *names, const char *units,
                                     const char *streams)
{
    struct ccprof_symbolizer symbolizer = symbolize_of(names, units, streams);
    const char *wrong = ccprof_symbolize_index(&symbolizer);
    if (wrong)
        ck_abort_msg("%s", wrong);
    return symbolizer;
}

static bool append(void *context, const struct ccprof_symbolize_frame *frame)
{
    FILE *out = context;
    fprintf(out, "%s %s", frame->name, frame->file ? frame->file : "?");
    if (frame->line)
        fprintf(out, ":%u", frame->line);
    if (frame->column)
        fprintf(out, ":%u", frame->column);
    fputs(frame->inlined ? " < " : ".", out);
    return true;
}

/* Checks that the text is found at the address; "-": none. */
static void assert_at(const struct ccprof_symbolizer *symbolizer, uint64_t address,
                      const char *expected)
{
    struct ccprof_pages room = {NULL, 0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!ccprof_symbolize_find(symbolizer, address, &room, append, out))
        fputc('-', out);
    fclose(out);
    ck_assert_msg(strcmp(text, expected) == 0, "0x%lx: %s, not %s",
                  (unsigned long)address, text, expected);
    free(text);
    ccprof_pages_free(&room);
}

/* Tables, and the text at their addresses: ADDRESS TEXT; and so on. */
static const struct {
    const char *strings, *units, *streams, *want;
} cases[] = {
    {example_strings, example_unit, example_code,
     "fff -; 1000 main ex.c:9:5.; 1003 main ex.c:9:5.; "
     "1004 sq ex.c:3:10 < main ex.c:9:12.; 1008 sq ex.c:3:10 < main ex.c:9:12.; "
     "1009 main ex.c:9:5.; 100b main ex.c:9:5.; 100c -;"},
    /* All forms. At 0x2050 is an excluded function: it is known but has no text. */
    {strings, unit, code,
     "1007 h ?.; 1008 -; 200f -; 2010 f a.c:10:7.; "
     "2014 h a.c:40:9 < g b.h:25:4 < f b.h:15:3.; "
     "201c h a.c:40:9 < g b.h:25:4 < f b.h:15:3.; "
     "2020 f a.c:10:7.; 2024 g b.h:25:4 < f b.h:15:3.; 2028 g b.h < f a.c.; "
     "202c g b.h:18 < f a.c.; 2030 f a.c:9:5.; 204f f a.c:9:5.; 2050 ; 2051 -;"},
    /* A stream at 0; two streams at 0x2000; one inside of the first. */
    {strings, unit,
     "00 01 00 00 00 00 00 00 00 00 00 00 00 00 21 00 01 00 00 " HEAD
     "09 00 01 00 02 00 12 01 07 1a 02 " HEAD "09 00 02 00 00 "
     "00 01 00 00 00 00 04 20 00 00 00 00 00 00 03 00 03 00 00",
     "0 -; 2000 f a.c:10:1.; 2004 h ?.; 2006 -;"},
    {"", "", "", "0 -;"},
};

TEST_ROWS(by_hand, cases)
{
    struct ccprof_symbolizer symbolizer =
        made(cases[_i].strings, cases[_i].units, cases[_i].streams);
    char *want = strdup(cases[_i].want), *rest;
    for (char *cursor = strtok_r(want, ";", &rest); cursor;
         cursor = strtok_r(NULL, ";", &rest)) {
        uint64_t address = strtoul(cursor, &cursor, 16);
        assert_at(&symbolizer, address, cursor + 1);
    }
    free(want);
    ccprof_symbolize_free(&symbolizer);
}

/* Functions in a very different order, to test the sort. */
TEST(in_any_order)
{
    enum { FUNCTIONS = 500 };
    static char text[FUNCTIONS * 80];
    char *to = text, expected[16];
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        unsigned at = 0x10000 + i * 7919 % FUNCTIONS * 16;
        to += sprintf(to, "00 01 00 00 00 00 %02x %02x %02x 00 00 00 00 00 ", at & 0xff,
                      at >> 8 & 0xff, at >> 16);
        to += sprintf(to, "09 00 %02x 00 00 ", i % 2 + 1);
    }
    struct ccprof_symbolizer symbolizer = made(strings, plain_unit, text);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        uint64_t address = 0x10000 + i * 7919 % FUNCTIONS * 16;
        sprintf(expected, "%s.", i % 2 ? "g b.h" : "f a.c");
        assert_at(&symbolizer, address + 7, expected);
        assert_at(&symbolizer, address + 8, "-");
    }
    ccprof_symbolize_free(&symbolizer);
}

/* Tables that mlprof refuses (check_tables.c). Errors in a function are found when an
   address in the function is looked up. */
static const char *const damages[] = {
    "05 00 01 00 00",
    "00 01 00 00",
    "00 01 01 00 00 00 00 20 00 00 00 00 00 00",
    "00 07 00 00 00 00 00 20 00 00 00 00 00 00",
    HEAD "05 00",
    HEAD "05 00 04 00 00",
    HEAD "05 00 01 ff ff ff ff 0f",
    HEAD "05 00 01 01 04 02 02 01 00",
    HEAD "05 00 01 01 02 02 75 02 01 00 13 01 01",
    HEAD "05 00 01 00 ff ff ff ff ff ff ff ff ff 01",
    HEAD "05 00 01 00 01 05 12 01",
    HEAD "05 00 01 00 01 00 40",
    HEAD "05 00 01 00 02 00 12 01 01 41",
    HEAD "05 00 01 00 01 00 13 01 01",
    HEAD "05 00 01 00 01 00 10",
    HEAD "05 00 01 00 01 00 3a 75 01",
    "00 01 00 00 00 00 ff ff ff ff ff ff ff ff 05 00 01 00 00",
};

static bool count(void *context, const struct ccprof_symbolize_frame *frame)
{
    ++*(int *)context;
    return true;
}

/* Checks that the tables are refused as a whole, or that nothing is found in them.
   Returns the number of frames visited before the error was found. */
static int assert_refused(const char *names, const char *units, const char *streams)
{
    struct ccprof_symbolizer symbolizer = symbolize_of(names, units, streams);
    struct ccprof_pages room = {NULL, 0};
    int visits = 0;
    if (!ccprof_symbolize_index(&symbolizer))
        ck_assert(!ccprof_symbolize_find(&symbolizer, 0x2000, &room, count, &visits));
    ccprof_pages_free(&room);
    ccprof_symbolize_free(&symbolizer);
    return visits;
}

TEST_ROWS(damaged_streams, damages)
{
    assert_refused(strings, unit, damages[_i]);
}

static const char *const unit_damages[] = {
    "22 00",
    "53 00 00 00 02 02 " UNIT_NAMES,
    "52 00 00 00 01 02 " UNIT_NAMES,
    "52 00 00 00 02 03 " UNIT_NAMES,
    "0c 00 00 00 02 02 00 00 00 00 ff ff ff ff 0f 00",
    "10 00 00 00 02 02 00 00 00 00 01 00 00 00 00 01 02 03 04 05",
    "10 00 00 00 02 02 00 00 00 00 00 01 00 00 00 00 00 01 00 00",
    "10 00 00 00 02 02 00 00 00 00 00 01 ff 00 00 00 00 00 00 00",
    "10 00 00 00 02 02 00 00 00 00 00 01 00 00 00 00 00 00 00 80",
};

TEST_ROWS(damaged_units, unit_damages)
{
    const char *one = HEAD "05 00 01 00 00";
    ck_assert_int_eq(assert_refused(strings, unit_damages[_i], one), 0);
    /* A string without an end. */
    ck_assert_int_eq(assert_refused("61 00 62", unit, one), 0);
}

struct comparison {
    const struct made_frame *want;
    int left;
};

static bool compare(void *context, const struct ccprof_symbolize_frame *frame)
{
    struct comparison *comparison = context;
    const struct made_frame *want = comparison->want++;
    bool known = want->position.file && want->position.line;
    const char *file = known ? want->position.file : want->file;

    MUST(comparison->left-- > 0);
    MUST(strcmp(frame->name, want->name) == 0);
    MUST(file ? frame->file && strcmp(frame->file, file) == 0 : !frame->file);
    MUST(frame->line == (known ? want->position.line : 0));
    MUST(frame->column == (known ? want->position.column : 0));
    return true;
}

TEST_TIMES(random_tables, SEEDS)
{
    struct made_frame frames[MADE_TABLES_FRAMES];
    struct ccprof_pages room = {NULL, 0};
    for (unsigned detail = 0; detail < 3; detail++) {
        struct made_tables *tables = made_tables_make((uint32_t)_i, detail);
        struct ccprof_symbolizer symbolizer =
            made(tables->strings, tables->units, tables->streams);
        for (uint64_t address = 0; address < tables->end + 3; address++) {
            int want = made_tables_frames(tables, address, frames);
            struct comparison comparison = {frames, want};
            MUST(ccprof_symbolize_find(&symbolizer, address, &room, compare,
                                       &comparison) == (want >= 0));
            MUST(want < 0 || comparison.left == 0);
        }
        ccprof_symbolize_free(&symbolizer);
        made_tables_free(tables);
    }
    ccprof_pages_free(&room);
}

/* Opens a file, reads its sections and looks up addresses. Returns the number of
   functions, or -1 after an error. */
static int use_file(const char *path)
{
    struct ccprof_symbolizer symbolizer = {.count = 0};
    struct ccprof_symbols symbols = {{NULL, 0}, {NULL, 0}};
    struct ccprof_pages room = {NULL, 0};
    struct ccprof_elf elf;
    int result = -1, visits = 0;

    if (ccprof_elf_open(&elf, path))
        return -1;
    if (!ccprof_elf_read_all(&elf, ".ccprof.str", &symbolizer.strings) &&
        !ccprof_elf_read_all(&elf, ".ccprof.unit", &symbolizer.units) &&
        !ccprof_elf_read_all(&elf, ".ccprof.code", &symbolizer.streams) &&
        !ccprof_symbolize_index(&symbolizer)) {
        result = (int)symbolizer.count;
        for (uint64_t address = 0x1ff0; address < 0x2060; address += 4)
            ccprof_symbolize_find(&symbolizer, address, &room, count, &visits);
    }
    ccprof_symbols_read(&symbols, &elf);
    ccprof_symbols_find(&symbols, 0x2000);
    ccprof_symbols_free(&symbols);
    ccprof_symbolize_free(&symbolizer);
    ccprof_pages_free(&room);
    ccprof_elf_close(&elf);
    return result;
}

static const struct make_elf whole = {
    .build_id = "ab cd ef 01",
    .sections = {{".ccprof.str", strings},
                 {".ccprof.unit", unit},
                 {".ccprof.code", HEAD "05 00 01 00 00"},
                 {".ccprof.code", code}}};

TEST(a_file)
{
    char *path = make_path();
    struct ccprof_elf elf;
    make_elf(path, &whole);
    ck_assert_ptr_null(ccprof_elf_open(&elf, path));
    ck_assert_uint_eq(elf.id_size, 4);
    ck_assert_int_eq(memcmp(elf.id, "\xab\xcd\xef\x01", 4), 0);
    ccprof_elf_close(&elf);
    /* The functions at 0x1000, 0x2000 and 0x2010, and at 0x2050 one without bytes and one
       of one byte. */
    ck_assert_int_eq(use_file(path), 4);
    ck_assert_int_eq(use_file("/"), -1);
    /* A file for another machine, and one with compressed sections. */
    struct make_elf other = whole;
    other.order = 2;
    make_elf(path, &other);
    ck_assert_int_eq(use_file(path), -1);
    other = whole;
    other.compress = true;
    make_elf(path, &other);
    ck_assert_int_eq(use_file(path), -1);
    free(path);
}

/* Randomly changed bytes, sometimes without the end. The results do not matter; the
   sanitizers find errors. */
TEST(damaged_files)
{
    static unsigned char image[8192], bytes[sizeof image];
    char *path = make_path();
    make_elf(path, &whole);
    FILE *file = fopen(path, "r");
    size_t size = fread(image, 1, sizeof image, file);
    fclose(file);
    ck_assert(size > 0 && size < sizeof image);
    int good = 0;
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(bytes, image, size);
        for (uint64_t i = random_below(4) + 1; i > 0; i--)
            bytes[random_below(size)] = (unsigned char)random_below(256);
        size_t left = random_below(8) ? size : random_below(size);
        unlink(path);
        file = fopen(path, "w");
        ck_assert_uint_eq(fwrite(bytes, 1, left, file), left);
        fclose(file);
        good += use_file(path) >= 0;
    }
    /* Some files are accepted and some are refused. */
    ck_assert_int_gt(good, ROUNDS / 20);
    ck_assert_int_lt(good, ROUNDS);
    free(path);
}
