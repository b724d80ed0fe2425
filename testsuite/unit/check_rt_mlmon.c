/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/count/counts-accounting.c rt/count/counts-storage.c
   rt/count/counts-modules.c rt/count/counts.c rt/count/targets-first.c
   rt/count/called.c rt/count/inclusive.c rt/count/targets.c rt/os/lock.c rt/os/file.c
   rt/os/notes.c rt/os/memory.c rt/os/proc.c rt/os/text.c rt/output/datafile.c
   rt/output/filelabels.c rt/output/mlmon.c rt/samples/tags.c rt/samples/modules.c
   rt/samples/overflow.c rt/samples/overflow-file.c rt/samples/samples.c
   rt/samples/times.c rt/unwind/sharedword.c rt/unwind/store-none.c
   testsuite/unit/datafiles.c testsuite/unit/stacks.c testsuite/unit/standins.c */
/* Compares the files that the runtime writes with datafiles-written.txt, and checks its
   reaction to errors. */

#include "rt_tests.h"
#include <sys/resource.h>

#include "rt/samples/tags.h"
#include "rt/format.h"
#include "rt/output/mlmon.h"
#include "rt/regions/regions.h"
#include "rt/samples/times.h"
#include "datafiles.h"
#include "stacks.h"

/* Where the two modules start. */
#define PROG UINT64_C(0x5581b0c00000)
#define LIBM UINT64_C(0x7f0e3a000000)

/* Tags and times: the first phase and the first region, threads, data sets, buckets of
 * time. */
#define LOAD      (CCPROF_TAGS_LABEL | (uint64_t)ccprof_labels_find("load"))
#define REGION    (CCPROF_TAGS_LABEL + CCPROF_LABELS_MAX)
#define LAST      (REGION + CCPROF_REGIONS_NAMES - 1)
#define THREAD(n) (CCPROF_TAGS_THREAD | (n))
#define SET       UINT64_C(0x20001)
#define DATASET   (CCPROF_TAGS_DATASET | SET)
#define TIME(n)   (CCPROF_TAGS_TIME | (n))

static struct ccprof_samples *table;
static struct ccprof_overflow *overflow_;
static struct ccprof_modules *modules;
static struct ccprof_mlmon mlmon;
static char buffer[512];
static const char *wrong; /* the file that caused the error */

static void module(uint64_t bias, uint64_t size, const char *id, const char *path)
{
    struct ccprof_module *m = &modules->module[modules->count++];
    m->bias = m->start = bias;
    m->end = bias + size;
    m->path = path;
    for (; *id; id += 2)
        m->id[m->id_size++] = (uint8_t)strtoul((char[]){id[0], id[1], '\0'}, NULL, 16);
}

/* Adds a stack to the overflow log. Stacks are written in the order of the log. */
static void stack(uint64_t count, const uint64_t *address, size_t depth)
{
    struct ccprof_overflow_shard *shard = ccprof_overflow_begin(overflow_);
    ck_assert_ptr_nonnull(shard);
    memcpy(shard->next, address, depth * sizeof *address);
    ck_assert_uint_eq(ccprof_overflow_end(shard, (uint32_t)depth, count), 0);
    table->samples += count;
}

/* Adds COUNT samples with these addresses, innermost first. */
#define STACK(count, ...)                                                                \
    stack(count, (uint64_t[]){__VA_ARGS__}, LENGTH(((uint64_t[]){__VA_ARGS__})))

/* The same for the table. */
#define TABLE(count, ...)                                                                \
    ccprof_samples_add(                                                                  \
        table, overflow_,                                                                \
        &(struct ccprof_stack){LENGTH(((uint64_t[]){__VA_ARGS__})), {__VA_ARGS__}},      \
        count)

static void setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    modules = calloc(1, sizeof *modules);
    mlmon = (struct ccprof_mlmon){.kinds = CCPROF_KIND_TIME,
                                  .command = "./prog level=3 new",
                                  .engine = "thread-timer",
                                  .clock = "cpu",
                                  .rate = 100,
                                  .stack = true,
                                  .threads = 1,
                                  .waits = 3,
                                  .cpu = 4013000000,
                                  .wall = 4100250000,
                                  .table = table,
                                  .overflow = overflow_,
                                  .modules = modules};
    module(PROG, 0x10000, "6a2f0d7c1be94d0e51a1f0b7a2c44a1b", "/opt/games/prog");
    module(LIBM, 0x10000, "", "/usr/lib/libm.so.6");
}

static void teardown(void)
{
    free(table);
    free(overflow_);
    free(modules);
}

static int write_to(const char *path)
{
    ccprof_samples_freeze(table);
    ccprof_overflow_freeze(overflow_);
    return ccprof_mlmon_write(&mlmon, path, buffer, sizeof buffer, &wrong);
}

/* Writes a file and compares it with the data file NAME. Afterwards all is as before. */
static void assert_written(const char *name)
{
    ck_assert_int_eq(write_to("mlmon.out"), 0);
    char *due = datafiles_text(name);
    assert_content("mlmon.out", due);
    free(due);
    stacks_thaw(table, overflow_);
}

TEST(test_example)
{
    STACK(300, PROG + 0x1151, PROG + 0x1063, LOAD);
    STACK(100, PROG + 0x1178, PROG + 0x1063, LOAD);
    STACK(1, LIBM + 0x2f00, PROG + 0x1178, PROG + 0x1063, LOAD);
    assert_written("example");
}

TEST(test_escapes)
{
    module(0x1000, 0x1000, "00ff", "/a b\\c\nd");
    mlmon.command = "p 'a\\b'";
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    ck_assert_int_eq(ccprof_labels_find("in\nside \\"), 1);
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    assert_written("written-names");
}

TEST(test_no_command)
{
    mlmon.command = "";
    assert_written("written-no-command");
}

TEST_TIMES(test_origin, 3)
{
    static const char *const origins[][3] = {
        {"node\\7", "3", "40"}, {"", "3", ""}, {"node", "", ""}};
    char name[] = "written-origin-0";
    mlmon.host = origins[_i][0];
    mlmon.rank = origins[_i][1];
    mlmon.ranks = origins[_i][2];
    name[sizeof name - 2] = (char)('0' + _i);
    assert_written(name);
}

/* Table and overflow log together; an address in no module, and one where two modules
   were loaded one after the other; lost samples, and samples in another file. */
TEST(test_parts)
{
    TABLE(7, PROG);
    STACK(2, 0x10);
    modules->module[1].ambiguous = true;
    STACK(1, LIBM + 0x2f00);
    table->samples += 5;
    mlmon.moved = 3;
    assert_written("written-parts");
}

/* Adds 12 samples to the first data set. Adds 20 samples to another data set in the table
   and 1,430 in the overflow log, some of them in a phase. Adds 3 lost samples. */
static void add_units(void)
{
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    TABLE(20, PROG + 1, PROG + 9, DATASET);
    STACK(7, PROG + 1, PROG + 9);
    STACK(30, PROG + 1, PROG + 9, DATASET);
    STACK(400, PROG + 1, PROG + 9, LOAD, DATASET);
    STACK(5, PROG + 2);
    STACK(1000, PROG + 2, DATASET);
    table->samples += 3;
}

static void use_dataset(void)
{
    mlmon.is_dataset = true;
    mlmon.dataset = SET;
}

static void note_thread(uint32_t number, const char *name)
{
    ck_assert(ccprof_threadnames_start());
    prctl(PR_SET_NAME, name);
    ck_assert_uint_eq(ccprof_threadnames_note(number), number);
}

TEST(test_threads)
{
    note_thread(1064, "w\\\n5");
    note_thread(40, "");
    note_thread(1, "first");
    STACK(7, PROG + 1, PROG + 9, LOAD, THREAD(1));
    STACK(5, PROG + 2, THREAD(1064));
    STACK(2, PROG + 2, THREAD(40), DATASET);
    assert_written("written-threads");
    use_dataset();
    assert_written("written-threads-dataset");
}

/* In files with kernel samples, the kernel is a module after all others. */
TEST(test_kernel)
{
    const uint64_t kernel = CCPROF_TAGS_KERNEL;
    STACK(3, kernel + CCPROF_KERNEL_CALLS + 1, PROG + 1, PROG + 9);
    STACK(4, kernel + CCPROF_KERNEL_INTERRUPTED, PROG + 2);
    STACK(1, kernel, PROG + 2);
    STACK(2, PROG + 2, DATASET);
    assert_written("written-kernel");
    use_dataset();
    assert_written("written-kernel-dataset");
}

/* The next file starts with empty data. */
TEST(test_regions)
{
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    ck_assert_int_eq(ccprof_labels_find("store"), 1);
    STACK(7, PROG + 1, LAST, REGION + 7, LOAD);
    STACK(5, PROG + 2, LAST);
    STACK(2, PROG + 2, REGION + 8, DATASET);
    assert_written("written-regions");
    use_dataset();
    assert_written("written-regions-dataset");
}

TEST(test_times)
{
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    STACK(1, TIME(6), PROG + 1, PROG + 9);
    STACK(2, TIME(7), PROG + 1, PROG + 9);
    STACK(3, TIME(1ull << 32 | 1024), PROG + 1, PROG + 9);
    mlmon.times = (struct ccprof_times_axis){20000000, 20490000000, 1};
    assert_written("written-times");
    note_thread(1, "first");
    STACK(2, TIME(9), PROG + 2, LOAD, THREAD(1));
    assert_written("written-thread-times");
}

TEST(test_units)
{
    add_units();
    assert_written("written-sets");
    mlmon.is_dataset = true;
    assert_written("written-set-0");
    use_dataset();
    assert_written("written-set-1");
    mlmon.dataset++;
    assert_written("written-set-2");
}

/* An older file is either completely replaced or unchanged. */
TEST(test_full)
{
    struct rlimit before, limit;
    char temporary[64];
    sprintf(temporary, "mlmon.out.%d.tmp", getpid());
    file_write("mlmon.out", "old");
    for (uint64_t i = 0; i < 1000; i++)
        STACK(1, i);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    int error = write_to("mlmon.out");
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(error, EFBIG);
    assert_content("mlmon.out", "old");
    ck_assert_int_ne(access(temporary, F_OK), 0);
}

TEST_AROUND(setup, teardown)
