/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/mlmon.c rt/table/modules.c rt/table/table.c rt/table/tree.c */
/* links: rt/table/overflow.c rt/os/overflow-file.c testsuite/unit/stacks.c */
/* links: rt/os/program.c rt/os/blocked.c testsuite/unit/standins.c */
/* links: rt/os/spin.c rt/os/file.c rt/count/counts-records.c */
/* links: rt/os/text.c rt/table/labels.c rt/os/notes.c */
/* links: rt/count/counts.c rt/table/threadnames.c rt/table/times.c rt/os/own.c */
/* links: rt/count/counts-modules.c rt/count/counts-accounting.c rt/count/inclusive.c */
/* links: rt/count/counts-marks.c rt/os/tasks.c rt/process/destination.c */
/* links: rt/count/counts-lists.c rt/count/counts-storage.c rt/count/counts-words.c */
/* links: rt/os/pages.c rt/count/path.c rt/unwind/sharedword.c rt/unwind/store-none.c */
/* links: rt/count/targets.c rt/count/firsts.c rt/os/lock.c rt/os/safe-read.c */
/* links: rt/process/claim.c rt/process/owner.c rt/os/say.c rt/process/mlmon-labels.c */
/* links: testsuite/unit/datafiles.c */
/* What the runtime writes, against files of datafiles-written.txt; and what it does when
   it cannot.  */

#include "rt_tests.h"
#include <link.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "rt/table/labels.h"
#include "rt/format.h"
#include "rt/process/destination.h"
#include "rt/process/mlmon.h"
#include "rt/regions/regions.h"
#include "rt/table/scope.h"
#include "rt/table/threadnames.h"
#include "rt/table/times.h"
#include "rt/table/tree.h"
#include "datafiles.h"
#include "stacks.h"

static struct ccprof_table *table;
static struct ccprof_overflow *overflow_;
static struct ccprof_modules *modules;
static struct ccprof_mlmon mlmon;
static char buffer[512];
static const char *wrong; /* the file whose error it was */

static void module(uint64_t bias, uint64_t size, const char *id, const char *path)
{
    struct ccprof_module *m = &modules->module[modules->count++];
    m->bias = m->start = bias;
    m->end = bias + size;
    m->path = path;
    for (; *id; id += 2)
        m->id[m->id_size++] = (uint8_t)strtoul((char[]){id[0], id[1], '\0'}, NULL, 16);
}

/* Into the overflow log: they are written in the order in which they came.  */
static void stack(uint32_t depth, const uint64_t *address, uint64_t count)
{
    struct ccprof_overflow_shard *shard = ccprof_overflow_begin(overflow_);
    ck_assert_ptr_nonnull(shard);
    memcpy(shard->next, address, depth * sizeof *address);
    ck_assert_uint_eq(ccprof_overflow_end(shard, depth, count), 0);
    table->samples += count;
}

static void point(uint64_t pc, uint64_t count)
{
    stack(1, &pc, count);
}

static void setup(void)
{
    table = calloc(1, sizeof *table);
    overflow_ = calloc(1, sizeof *overflow_);
    modules = calloc(1, sizeof *modules);
    mlmon.kinds = CCPROF_KIND_TIME;
    mlmon.command = "./prog level=3 new";
    mlmon.engine = "thread-timer";
    mlmon.clock = "cpu";
    mlmon.rate = 100;
    mlmon.stack = true;
    mlmon.threads = 1;
    mlmon.waits = 3;
    mlmon.cpu = 4013000000;
    mlmon.wall = 4100250000;
    mlmon.table = table;
    mlmon.overflow = overflow_;
    mlmon.modules = modules;
    module(0x5581b0c00000, 0x10000, "6a2f0d7c1be94d0e51a1f0b7a2c44a1b",
           "/opt/games/prog");
    module(0x7f0e3a000000, 0x10000, "", "/usr/lib/libm.so.6");
}

static void teardown(void)
{
    free(table);
    free(overflow_);
    free(modules);
}

static int write_to(const char *path)
{
    ccprof_table_freeze(table);
    ccprof_overflow_freeze(overflow_);
    return ccprof_mlmon_write(&mlmon, path, buffer, sizeof buffer, &wrong);
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    ck_assert_uint_lt(fread(text, 1, 1 << 16, file), 1 << 16);
    fclose(file);
    return text;
}

static void assert_content(const char *path, const char *content)
{
    char *got = read_all(path);
    ck_assert_str_eq(got, content);
    free(got);
}

/* Writes a file, which is the data file NAME; then all is as it was before.  */
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
    const uint64_t prog = 0x5581b0c00000, libm = 0x7f0e3a000000;
    const uint64_t load = CCPROF_SCOPE_LABEL | (uint64_t)ccprof_labels_find("load");
    stack(3, (uint64_t[]){prog + 0x1151, prog + 0x1063, load}, 300);
    stack(3, (uint64_t[]){prog + 0x1178, prog + 0x1063, load}, 100);
    stack(4, (uint64_t[]){libm + 0x2f00, prog + 0x1178, prog + 0x1063, load}, 1);
    assert_written("example");
}

TEST(test_empty)
{
    assert_written("written");
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

TEST_TIMES(test_no_command, 2)
{
    static const char *const none[] = {NULL, ""};
    mlmon.command = none[_i];
    assert_written("written-no-command");
}

TEST_TIMES(test_origin, 4)
{
    static const char *const origins[][3] = {
        {"node\\7", "3", "40"}, {"node", "3", ""}, {"node", "", ""}, {"", "3", "4"}};
    char name[] = "written-origin-0";
    mlmon.host = origins[_i][0];
    mlmon.rank = origins[_i][1];
    mlmon.ranks = origins[_i][2];
    name[sizeof name - 2] = (char)('0' + _i);
    assert_written(name);
}

/* Table and log together; an address in no module; samples that went astray.  */
TEST(test_parts)
{
    ccprof_table_add(table, overflow_, &(struct ccprof_stack){1, {0x5581b0c00000}}, 7);
    point(0x10, 2);
    table->samples += 5;
    assert_written("written-parts");
}

#define DATASET (CCPROF_SCOPE_DATASET | 0x20001)

/* Of the first data set 12 samples, of another one 20 in the table and 1,430 in the
   overflow log, some of them in a phase; and 3 that were lost.  */
static void add_units(void)
{
    const uint64_t prog = 0x5581b0c00000, load = CCPROF_SCOPE_LABEL;
    ck_assert_int_eq(ccprof_labels_find("load"), 0);
    ccprof_table_add(table, overflow_,
                     &(struct ccprof_stack){3, {prog + 1, prog + 9, DATASET}}, 20);
    stack(2, (uint64_t[]){prog + 1, prog + 9}, 7);
    stack(3, (uint64_t[]){prog + 1, prog + 9, DATASET}, 30);
    stack(4, (uint64_t[]){prog + 1, prog + 9, load, DATASET}, 400);
    stack(1, (uint64_t[]){prog + 2}, 5);
    stack(2, (uint64_t[]){prog + 2, DATASET}, 1000);
    table->samples += 3;
}

static void use_dataset(void)
{
    mlmon.is_dataset = true;
    mlmon.dataset = DATASET & ~CCPROF_SCOPE_KIND;
}

TEST(test_threads)
{
    const uint64_t prog = 0x5581b0c00000, thread = CCPROF_SCOPE_THREAD;
    const uint64_t load = CCPROF_SCOPE_LABEL | (uint64_t)ccprof_labels_find("load");
    ck_assert(ccprof_threadnames_start());
    prctl(PR_SET_NAME, "w\\\n5");
    ck_assert_uint_eq(ccprof_threadnames_note(1064), 1064);
    prctl(PR_SET_NAME, "");
    ck_assert_uint_eq(ccprof_threadnames_note(40), 40);
    prctl(PR_SET_NAME, "first");
    ck_assert_uint_eq(ccprof_threadnames_note(1), 1);
    stack(4, (uint64_t[]){prog + 1, prog + 9, load, thread | 1}, 7);
    stack(2, (uint64_t[]){prog + 2, thread | 1064}, 5);
    stack(3, (uint64_t[]){prog + 2, thread | 40, DATASET}, 2);
    assert_written("written-threads");
    use_dataset();
    assert_written("written-threads-dataset");
}

/* The next file begins anew.  */
TEST(test_regions)
{
    const uint64_t prog = 0x5581b0c00000, region = CCPROF_SCOPE_LABEL + CCPROF_LABELS_MAX;
    const uint64_t load = CCPROF_SCOPE_LABEL | (uint64_t)ccprof_labels_find("load");
    const uint64_t last = region + CCPROF_REGIONS_NAMES - 1;
    ck_assert_int_eq(ccprof_labels_find("store"), 1);
    stack(4, (uint64_t[]){prog + 1, last, region + 7, load}, 7);
    stack(2, (uint64_t[]){prog + 2, last}, 5);
    stack(3, (uint64_t[]){prog + 2, region + 8, DATASET}, 2);
    assert_written("written-regions");
    use_dataset();
    assert_written("written-regions-dataset");
}

TEST(test_times)
{
    const uint64_t prog = 0x5581b0c00000, time = CCPROF_SCOPE_TIME;
    const uint64_t load = CCPROF_SCOPE_LABEL | (uint64_t)ccprof_labels_find("load");
    stack(3, (uint64_t[]){time | 6, prog + 1, prog + 9}, 1);
    stack(3, (uint64_t[]){time | 7, prog + 1, prog + 9}, 2);
    stack(3, (uint64_t[]){time | 1ull << 32 | 1024, prog + 1, prog + 9}, 3);
    mlmon.times = (struct ccprof_times_axis){20000000, 20490000000, 1};
    assert_written("written-times");
    ck_assert(ccprof_threadnames_start());
    prctl(PR_SET_NAME, "first");
    ck_assert_uint_eq(ccprof_threadnames_note(1), 1);
    stack(4, (uint64_t[]){time | 9, prog + 2, load, CCPROF_SCOPE_THREAD | 1}, 2);
    assert_written("written-thread-times");
    mlmon.kinds = CCPROF_KIND_COUNT;
    ck_assert_int_eq(write_to("mlmon.out"), 0);
    char *got = read_all("mlmon.out");
    ck_assert_int_eq(strncmp(got, "ccprof mlmon 1\n", 15), 0);
    free(got);
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

/* What is taken out is not there any more, and what comes later is.  */
TEST(test_take)
{
    const uint64_t prog = 0x5581b0c00000, dataset = DATASET & ~CCPROF_SCOPE_KIND;
    add_units();
    ck_assert_uint_eq(stacks_take(table, overflow_, dataset), 1450);
    ck_assert_uint_eq(stacks_take(table, overflow_, dataset), 0);
    mlmon.moved = 1450;
    assert_written("written-without");
    stack(2, (uint64_t[]){prog + 2, DATASET}, 6);
    ccprof_table_add(table, overflow_, &(struct ccprof_stack){2, {prog + 1, DATASET}}, 8);
    ck_assert_uint_eq(stacks_take(table, overflow_, 0), 12);
    mlmon.moved = 1462;
    assert_written("written-anew");
}

/* Where two modules have been one after the other, an address says nothing.  */
TEST(test_ambiguous)
{
    modules->module[1].ambiguous = true;
    point(0x7f0e3a000000 + 0x2f00, 1);
    assert_written("written-ambiguous");
}

static void nothing_left(void)
{
    char temporary[64];
    snprintf(temporary, sizeof temporary, "mlmon.out.%d.tmp", getpid());
    ck_assert_int_ne(access(temporary, F_OK), 0);
}

/* An older file is replaced as a whole or stays as it is.  */
TEST(test_full)
{
    struct rlimit before, limit;
    FILE *old = fopen("mlmon.out", "w");
    fputs("old", old);
    fclose(old);
    for (uint64_t i = 0; i < 1000; i++)
        point(i, 1);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    int error = write_to("mlmon.out");
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(error, EFBIG);
    char *got = read_all("mlmon.out");
    ck_assert_str_eq(got, "old");
    free(got);
    nothing_left();

    ck_assert_int_eq(write_to("mlmon.out"), 0);
    got = read_all("mlmon.out");
    ck_assert_ptr_nonnull(strstr(got, "\nend\n"));
    free(got);
    nothing_left();
}

TEST(test_wrong_place)
{
    char longer[PATH_MAX + 10];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ck_assert_int_eq(write_to("no such folder/mlmon.out"), ENOENT);
    ck_assert_int_eq(write_to("."), EISDIR);
    ck_assert_int_eq(write_to(longer), ENAMETOOLONG);
}

/* A file of the same temporary name, left by a process that was killed.  */
TEST(test_left_over)
{
    char temporary[64];
    snprintf(temporary, sizeof temporary, "mlmon.out.%d.tmp", getpid());
    FILE *old = fopen(temporary, "w");
    fputs("old, and longer than what will be written: ................", old);
    fclose(old);
    ck_assert_int_eq(write_to("mlmon.out"), 0);
    nothing_left();
}

/* A folder, or another that cannot be removed: then another name is taken.  */
TEST(test_left_over_folder)
{
    char temporary[64];
    snprintf(temporary, sizeof temporary, "mlmon.out.%d.tmp", getpid());
    ck_assert_int_eq(mkdir(temporary, 0700), 0);
    ck_assert_int_eq(write_to("mlmon.out"), 0);
    ck_assert_int_eq(rmdir(temporary), 0);
    char *got = read_all("mlmon.out");
    ck_assert_ptr_nonnull(strstr(got, "\nend\n"));
    free(got);
}

static void assert_refused(const char *path)
{
    struct stat before, after;
    ck_assert_int_eq(lstat(path, &before), 0);
    ck_assert_int_eq(write_to(path), CCPROF_DESTINATION_REFUSED);
    ck_assert_str_eq(wrong, path);
    ck_assert_int_eq(lstat(path, &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
}

/* No device is written to, by a link or without one, no socket, and no link is followed
   but replaced by a file where it leads to one.  */
TEST(test_not_a_file)
{
    struct sockaddr_un name = {AF_UNIX, "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    close(fd);
    assert_refused("socket");
    assert_refused("/dev/full");
    assert_refused("/dev/null");
    ck_assert_int_eq(symlink("/dev/full", "full"), 0);
    assert_refused("full");
    ck_assert_int_eq(symlink("/proc/self/exe", "open"), 0);
    assert_refused("open");
    ck_assert_int_eq(symlink(".", "folder"), 0);
    ck_assert_int_eq(write_to("folder"), EISDIR);
    unlink("socket");
    unlink("full");
    unlink("open");
    unlink("folder");
}

static void make_victim(void)
{
    FILE *victim = fopen("victim", "w");
    fputs("precious", victim);
    fclose(victim);
}

TEST(test_link)
{
    struct stat status;
    make_victim();
    ck_assert_int_eq(symlink("victim", "link"), 0);
    ck_assert_int_eq(write_to("link"), 0);
    assert_content("victim", "precious");
    ck_assert_int_eq(lstat("link", &status), 0);
    ck_assert(S_ISREG(status.st_mode));
    unlink("link");
    unlink("victim");
}

/* Nobody waits for a reader, and others are told nothing.  */
TEST(test_pipe)
{
    char got[100];
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    ck_assert_int_eq(write_to("pipe"), ENXIO);
    int fd = open("pipe", O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(write_to("pipe"), 0);
    ck_assert_int_gt(read(fd, got, sizeof got), 12);
    ck_assert_int_eq(memcmp(got, "ccprof mlmon", 12), 0);
    if (getuid() == 0) {
        ck_assert_int_eq(chown("pipe", 1, 1), 0);
        assert_refused("pipe");
    }
    ck_assert_int_eq(symlink("pipe", "link"), 0);
    assert_refused("link");
    close(fd);
    unlink("link");
    unlink("pipe");
}

static atomic_bool written_enough;

/* What somebody who owns the folder does: the name is now a pipe, now a link.  */
static void *swap(void *unused)
{
    while (!written_enough) {
        mkfifo("new", 0600);
        rename("new", "mlmon.out");
        ck_assert_int_eq(symlink("victim", "new"), 0);
        rename("new", "mlmon.out");
    }
    return NULL;
}

TEST(test_swapped)
{
    pthread_t swapper;
    make_victim();
    ck_assert_int_eq(pthread_create(&swapper, NULL, swap, NULL), 0);
    for (int i = 0; i < 3000; i++)
        write_to("mlmon.out");
    written_enough = true;
    pthread_join(swapper, NULL);
    assert_content("victim", "precious");
    unlink("victim");
}

static int count_module(struct dl_phdr_info *info, size_t size, void *count)
{
    ++*(unsigned *)count;
    return 0;
}

/* The modules of this process, and what is asked about them.  */
TEST(test_modules)
{
    unsigned loaded = 0;
    char self[PATH_MAX] = "";
    memset(modules, 0, sizeof *modules);
    ccprof_modules_refresh(modules);
    dl_iterate_phdr(count_module, &loaded);
    ck_assert_uint_eq(modules->count, loaded);
    ccprof_modules_refresh(modules);
    ck_assert_uint_eq(modules->count, loaded);
    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    ck_assert_str_eq(modules->module[0].path, self);

    int at = ccprof_modules_find(modules, (uintptr_t)&setup);
    ck_assert_int_eq(at, 0);
    int in_libc = ccprof_modules_find(modules, (uintptr_t)&strtoul);
    ck_assert_int_gt(in_libc, 0);
    ck_assert_ptr_nonnull(strstr(modules->module[in_libc].path, "libc.so"));
    ck_assert_int_eq(ccprof_modules_find(modules, 1), -1);
    ck_assert_int_eq(ccprof_modules_find(modules, modules->module[0].end), -1);
}

TEST_MAIN(setup, teardown)
