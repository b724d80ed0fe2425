/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c testsuite/fuzz/use.c
   testsuite/fuzz/memory.c testsuite/fuzz/elf.c testsuite/fuzz/mlmon.c
   testsuite/fuzz/tables.c testsuite/fuzz/words.c testsuite/fuzz/gate.c mlprof.a -lelf
   -lmd -lz -lm */
/* Files with bytes changed at random: everything that mlprof does with them must end,
   well or with one line that names the file.  Most is told by the sanitizers.  */

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
#include <unistd.h>

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

/* A new file each time: some file systems wait for the disk when one is cut off and
   written again.  */
static void write_image(const char *path, const struct image *image)
{
    unlink(path);
    FILE *file = fopen(path, "w");
    ck_assert_uint_eq(fwrite(image->bytes, 1, image->size, file), image->size);
    fclose(file);
}

/* Changes one to four bytes from START on; cuts the end off now and then.  */
static void mutate(struct image *image, size_t start, size_t size)
{
    static const unsigned char edges[] = {0,    1,    0x3f, 0x40, 0x7f,
                                          0x80, 0xff, '\n', ' ',  '9'};
    for (uint64_t i = random_below(4) + 1; i > 0; i--) {
        size_t at = start + random_below(size);
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

static const char data[] =
    "ccprof mlmon 1\nkind time,count\nengine thread-timer\nclock cpu\nrate 100\nstack "
    "yes\n"
    "cpu 4013000000\nwall 4100250000\nthreads 2\nwaits 3\nsamples 402\nlost 1\n"
    "elsewhere 5\nmodule 0 - 0x5581b0c00000 /opt/games/my prog\n"
    "module 1 6a2f 0x0 /a\\\\b\\nc\nlabel 0 load\nlabel 1 store\ncounts 8\n"
    "0 0 0x2010 300\n0 0 0x2024 0\n1 1 0x2f 40\n2 0 0x2050 50\n1 - 0x7fff 10\n"
    "0 label 0x1 0\n1 label 0x0 0\n2 0 0x2031 1\n"
    "counters\n0 0x4010 10\n0 0x4018 4\n0 0x4020 3\n1 0x4010 1\n"
    "targets\n0 0x2014 0 0x2010 5\n0 0x2024 0 0x2024 2\n0 0x2010 - 0x0 1\nend\n";

static void try_tables(const char *path, const struct profile *profile)
{
    struct fault fault = {0};
    struct tables *tables = tables_open_with(path, "nowhere", &fault);
    if (tables) {
        use_all(tables, profile);
        tables_close(tables);
    } else {
        ck_assert_int_ne(fault.kind, FAULT_NONE);
        ck_assert_ptr_nonnull(strstr(fault.text, path));
        fault_clear(&fault);
    }
}

static struct profile whole_profile(void)
{
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(mlmon_parse(&profile, "m", data, sizeof data - 1, &fault));
    return profile;
}

/* Of f and g, and one of f that counted nothing.  */
static const char counters[] = "01 00 00 00 00 03 00 00 00 "
                               "10 40 00 00 00 00 00 00 01 00 00 00 "
                               "30 40 00 00 00 00 00 00 02 00 00 00 "
                               "38 40 00 00 00 00 00 00 01 00 00 00";

/* Where the bytes of the tables lie in an uncompressed image, and how many.  */
static size_t tables_in(const struct image *image, size_t *size)
{
    size_t length;
    unsigned char *first = make_bytes(strings, &length);
    const unsigned char *at = memmem(image->bytes, image->size, first, length);
    ck_assert_ptr_nonnull(at);
    free(first);
    unsigned char *last = make_bytes(FLOW_EXAMPLE_EDGES, size);
    const unsigned char *end = memmem(image->bytes, image->size, last, *size);
    ck_assert_ptr_nonnull(end);
    ck_assert(end > at);
    free(last);
    *size += (size_t)(end - at);
    return (size_t)(at - image->bytes);
}

static struct make_elf tables_file(void)
{
    return (struct make_elf){.build_id = "6a 2f",
                             .debuglink = "x.debug",
                             .sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.code", code},
                                          {".ccprof.count", counters},
                                          {".ccprof.flow", FLOW_EXAMPLE},
                                          {".ccprof.arcs", ARCS_EXAMPLE},
                                          {".ccprof.values", ARCS_EXAMPLE_VALUES},
                                          {".ccprof.callees", ARCS_EXAMPLE_CALLEES},
                                          {".ccprof.edge", FLOW_EXAMPLE_EDGES}}};
}

/* Gives RUN each file in the folder; returns how many it took, unchanged.  */
static int replay(targets_run *run, const char *folder)
{
    char path[600];
    struct dirent *entry;
    snprintf(path, sizeof path, "%s/testsuite/fuzz/kept/%s", getenv("SRC"), folder);
    DIR *kept = opendir(path);
    ck_assert_msg(kept != NULL, "%s", path);
    int count = 0;
    while ((entry = readdir(kept)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/testsuite/fuzz/kept/%s/%s", getenv("SRC"), folder,
                 entry->d_name);
        struct image image = read_image(path);
        count += run(image.bytes, image.size);
        for (int i = 0; i < ROUNDS / 20; i++) {
            struct image changed = image;
            mutate(&changed, 0, image.size);
            run(changed.bytes, changed.size);
        }
    }
    closedir(kept);
    return count;
}

/* What fuzzing has found, as it is and changed a little.  */
TEST(kept_inputs)
{
    ck_assert_int_gt(replay(targets_mlmon, "mlmon"), 0);
    ck_assert_int_gt(replay(targets_tables, "tables"), 0);
    ck_assert_int_gt(replay(targets_formula, "formula"), 0);
    ck_assert_int_gt(replay(targets_map, "map"), 0);
    ck_assert_int_gt(replay(targets_keep, "keep"), 0);
    ck_assert_int_eq(replay(targets_gate, "gate"), 2);
}

TEST(damaged_tables)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct profile profile = whole_profile();
    make_elf(path, &file);
    struct image whole = read_image(path);
    size_t size, start = tables_in(&whole, &size);
    for (int i = 0; i < ROUNDS; i++) {
        struct image image = whole;
        mutate(&image, start, size);
        write_image(path, &image);
        try_tables(path, &profile);
    }
    /* Neither all nor none: the loop has met both ways.  */
    ck_assert_uint_gt(use_taken, ROUNDS / 20);
    ck_assert_uint_lt(use_taken, ROUNDS - ROUNDS / 20);
    ck_assert_uint_gt(use_solved, 3 * use_taken / 4);
    ck_assert_uint_lt(use_solved, 3 * use_taken - ROUNDS / 20);
    profile_free(&profile);
    free(path);
}

TEST_TIMES(damaged_elf_files, 4)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct profile profile = whole_profile();
    file.compress = _i & 1;
    file.class = _i & 2 ? ELFCLASS32 : ELFCLASS64;
    make_elf(path, &file);
    struct image whole = read_image(path);
    for (int i = 0; i < ROUNDS / 2; i++) {
        struct image image = whole;
        mutate(&image, 0, whole.size);
        write_image(path, &image);
        try_tables(path, &profile);
    }
    ck_assert_uint_gt(use_taken, ROUNDS / 40);
    ck_assert_uint_lt(use_taken, ROUNDS / 2 - ROUNDS / 40);
    profile_free(&profile);
    free(path);
}

TEST(damaged_data_files)
{
    char *path = make_path();
    struct make_elf file = tables_file();
    struct fault fault = {0};
    make_elf(path, &file);
    struct tables *tables = tables_open_with(path, "nowhere", &fault);
    ck_assert_ptr_nonnull(tables);
    for (int i = 0; i < 5 * ROUNDS; i++) {
        struct image image = {.size = sizeof data - 1};
        memcpy(image.bytes, data, sizeof data);
        mutate(&image, 0, sizeof data - 1);
        /* In memory of its own size, so that a sanitizer sees a byte too many.  */
        char *text = malloc(image.size + 1);
        memcpy(text, image.bytes, image.size);
        text = realloc(text, image.size ? image.size : 1);
        struct profile profile = {0}, sum = whole_profile();
        if (mlmon_parse(&profile, "m", text, image.size, &fault)) {
            ck_assert_ptr_null(fault.text);
            if (profile.module_count == 2)
                use_all(tables, &profile);
            profile_merge(&sum, &profile, "m", &fault);
        } else {
            ck_assert_int_eq(strncmp(fault.text, "m: line ", 8), 0);
        }
        profile_free(&profile);
        profile_free(&sum);
        fault_clear(&fault);
        free(text);
    }
    ck_assert_uint_gt(use_taken, ROUNDS / 20);
    tables_close(tables);
    free(path);
}
