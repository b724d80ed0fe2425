/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c testsuite/fuzz/use.c
   testsuite/fuzz/memory.c testsuite/fuzz/elf.c testsuite/fuzz/mlmon.c
   testsuite/fuzz/tables.c testsuite/fuzz/words.c testsuite/fuzz/gate.c
   testsuite/fuzz/route.c live/route.c mlprof.a -lelf -lmd -lz -lm */
/* Runs the fuzz targets on randomly changed bytes. mlprof must end normally or with one
   line that names the file. The sanitizers find most errors. */

#define _GNU_SOURCE
#include "mlprof/profile/mlmon.h"
#include "testsuite/unit/tests.h"
#include "testsuite/fuzz/targets.h"
#include "testsuite/fuzz/use.h"
#include "testsuite/unit/arcs_bytes.h"
#include "testsuite/unit/make_elf.h"
#include "testsuite/unit/random.h"
#include "testsuite/unit/table_bytes.h"

#include <dirent.h>
#include <elf.h>

#define ROUNDS (tests_in_full() ? 2000 : 500)
#define IMAGE  8192

struct image {
    unsigned char bytes[IMAGE];
    size_t size;
};

static struct image read_image(const char *path)
{
    struct image image;
    FILE *file = fopen(path, "r");
    image.size = fread(image.bytes, 1, IMAGE, file);
    ck_assert(image.size > 0 && image.size < IMAGE);
    fclose(file);
    return image;
}

/* Changes one to four bytes; cuts the end off now and then. */
static void mutate(struct image *image)
{
    static const unsigned char edges[] = {0,    1,    0x3f, 0x40, 0x7f,
                                          0x80, 0xff, '\n', ' ',  '9'};
    for (uint64_t i = random_below(4) + 1; i > 0; i--) {
        size_t at = random_below(image->size);
        switch (random_below(3)) {
        case 0:
            image->bytes[at] ^= (unsigned char)(1 << random_below(8));
            break;
        case 1:
            image->bytes[at] = edges[random_below(sizeof edges)];
            break;
        default:
            image->bytes[at] = (unsigned char)random_below(256);
        }
    }
    if (random_below(32) == 0)
        image->size = random_below(image->size);
}

/* Calls RUN with the image, which must be accepted, and with many changed images, some of
   which must be accepted. */
static void try_changed(targets_run *run, const struct image *whole, int rounds)
{
    int taken = 0;
    ck_assert(run(whole->bytes, whole->size));
    for (int i = 0; i < rounds; i++) {
        struct image image = *whole;
        mutate(&image);
        taken += run(image.bytes, image.size);
    }
    ck_assert_int_gt(taken, rounds / 50);
    ck_assert_int_lt(taken, rounds - rounds / 50);
}

/* Inputs that fuzzing has found. */
static const struct {
    const char *folder;
    targets_run *run;
    int taken; /* the number of inputs that are valid */
} kept[] = {
    {"mlmon", targets_mlmon, 4}, {"tables", targets_tables, 2},
    {"map", targets_map, 1},     {"formula", targets_formula, 2},
    {"keep", targets_keep, 1},   {"gate", targets_gate, 3},
    {"route", targets_route, 2},
};

/* Once unchanged and then with small changes. */
TEST_ROWS(kept_inputs, kept)
{
    char path[600];
    struct dirent *entry;
    int taken = 0;
    snprintf(path, sizeof path, "%s/testsuite/fuzz/kept/%s", getenv("SRC"),
             kept[_i].folder);
    size_t length = strlen(path);
    DIR *files = opendir(path);
    ck_assert_msg(files != NULL, "%s", path);
    while ((entry = readdir(files)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path + length, sizeof path - length, "/%s", entry->d_name);
        struct image image = read_image(path);
        taken += kept[_i].run(image.bytes, image.size);
        for (int i = 0; i < ROUNDS / 20; i++) {
            struct image changed = image;
            mutate(&changed);
            kept[_i].run(changed.bytes, changed.size);
        }
    }
    closedir(files);
    ck_assert_int_eq(taken, kept[_i].taken);
}

/* The counts of f and g, and a file in which f has no counts. */
static const char counters[] = "01 00 00 00 00 03 00 00 00 "
                               "10 40 00 00 00 00 00 00 01 00 00 00 "
                               "30 40 00 00 00 00 00 00 02 00 00 00 "
                               "38 40 00 00 00 00 00 00 01 00 00 00";

static const struct make_elf_section sections[] = {
    {".ccprof.str", strings},
    {".ccprof.unit", unit},
    {".ccprof.code", code},
    {".ccprof.count", counters},
    {".ccprof.flow", FLOW_EXAMPLE},
    {".ccprof.arcs", ARCS_EXAMPLE},
    {".ccprof.values", ARCS_EXAMPLE_VALUES},
    {".ccprof.callees", ARCS_EXAMPLE_CALLEES},
    {".ccprof.edge", FLOW_EXAMPLE_EDGES},
    {".ccprof.machine", MACHINE_EXAMPLE},
};

TEST_TIMES(damaged_elf_files, 2)
{
    char *path = make_path();
    struct make_elf file = {.machine = EM_X86_64,
                            .code = MACHINE_EXAMPLE_CODE,
                            .build_id = "6a 2f",
                            .debuglink = "x.debug",
                            .compress = _i,
                            .class = _i ? ELFCLASS32 : ELFCLASS64};
    memcpy(file.sections, sections, sizeof sections);
    make_elf(path, &file);
    struct image image = read_image(path);
    try_changed(targets_elf, &image, ROUNDS);
    ck_assert_uint_gt(use_evaluated, use_taken);
    free(path);
}

/* Of the tables above: a data file, and two answers of a process. SAMPLES, TOP and CALLS
 * are numbers that differ. */
#define DATA(version, answer, samples, top, calls)                                       \
    "ccprof mlmon " version "\nkind time,count\n" answer                                 \
    "engine thread-timer\nclock cpu\nrate 100\n"                                         \
    "stack yes\ncpu 4013000000\nwall 4100250000\nthreads 2\nwaits 3\nsamples " samples   \
    "\n"                                                                                 \
    "lost 1\nelsewhere 5\nmodule 0 - 0x5581b0c00000 /opt/games/my prog\n"                \
    "module 1 6a2f 0x0 /a\\\\b\\nc\nlabel 0 load\nlabel 1 store\ncounts 8\n"             \
    "0 0 0x2010 " top "\n0 0 0x2024 0\n1 1 0x2f 40\n2 0 0x2050 50\n1 - 0x7fff 10\n"      \
    "0 label 0x1 0\n1 label 0x0 0\n2 0 0x2031 1\n"                                       \
    "counters\n0 0x4010 " calls "\n0 0x4018 4\n0 0x4020 3\n1 0x4010 1\n"                 \
    "targets\n0 0x2014 0 0x2010 5\n0 0x2024 0 0x2024 2\n0 0x2010 - 0x0 1\nend\n"

/* The command is long because changes in it do no harm. */
#define ANSWER "command " LONG LONG LONG LONG "\nanswer 9 0 open\n"
#define LONG   "a command with an argument, another one, and a third argument, "

static const char *const data[] = {DATA("1", "", "402", "300", "10"),
                                   DATA("14", ANSWER, "402", "300", "10")
                                       DATA("14", ANSWER, "202", "100", "7")};

static struct tables *tables;

/* Reads and merges the bytes, then shows the measurements. */
static bool use_data(const unsigned char *bytes, size_t size)
{
    struct profile profile = {0};
    struct fault fault = {0};
    bool good = targets_mlmon(bytes, size) &&
                mlmon_parse(&profile, "m", (const char *)bytes, size, &fault);
    if (good)
        use_all(tables, &profile);
    profile_free(&profile);
    return good;
}

TEST_ROWS(damaged_data_files, data)
{
    char *path = make_path();
    struct make_elf file = {.build_id = "6a 2f"};
    struct fault fault = {0};
    struct image image = {.size = strlen(data[_i])};
    memcpy(file.sections, sections, sizeof sections);
    memcpy(image.bytes, data[_i], image.size);
    make_elf(path, &file);
    tables = tables_open(path, &fault);
    ck_assert_ptr_nonnull(tables);
    try_changed(use_data, &image, ROUNDS);
    tables_close(tables);
    free(path);
}
