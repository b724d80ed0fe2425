/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/output/datafile.c rt/output/output.c */
/* links: rt/os/file.c rt/os/proc.c rt/os/text.c rt/os/lock.c */
/* The owner of an older profile that has the name of the new one, and what happens to the
   older profile. The heads of the profiles are written by hand. */

#include "rt_tests.h"
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "rt/output/datafile.h"
#include "rt/os/sys.h"

static char buffer[CCPROF_DATAFILE_BUFFER];
static struct ccprof_module module = {
    .path = "/opt/pro\\g", .id_size = 2, .id = {0x0a, 0xff}};
static struct ccprof_datafile_program self, found;
static char numbered[64]; /* for the profile of a second process of this program */

#define YEAR (365 * 24 * 3600)

/* Adjustments of the clock since a file was written. */
static const int ages[] = {0, YEAR, -YEAR};

/* Writes a file as a process would whose clock is AGE seconds behind. */
static void file(const char *name, const char *text, int age)
{
    struct timespec now, times[2];
    file_write(name, text);
    clock_gettime(CLOCK_REALTIME, &now);
    times[0] = times[1] = (struct timespec){now.tv_sec - age, now.tv_nsec};
    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

#define HEAD  "ccprof mlmon 1\nkind time\nengine wall-timer\n"
#define OWN   HEAD "module 0 0aff 0x0 /opt/pro\\\\g\nmodule 1 - 0x0 /lib\n"
#define MOVED HEAD "module 0 0aff 0x0 /moved\nmodule 1 - 0x0 /lib\n"
#define OTHER HEAD "module 0 1111 0x0 /a/other\n"

enum { OURS = CCPROF_DATAFILE_OURS, TWIN = CCPROF_DATAFILE_TWIN };
enum { OF_OTHER = CCPROF_DATAFILE_OTHER, UNKNOWN = CCPROF_DATAFILE_UNKNOWN };

/* The owner of a profile that is older than the process, and of a newer profile. */
static const struct {
    const char *text;
    int old, new;
    const char *program;
} heads[] = {
    {OWN, OURS, TWIN, NULL},
    {MOVED, OURS, TWIN, NULL},
    {HEAD "module 0 - 0x0 /opt/pro\\\\g\n", OURS, TWIN, NULL},
    {HEAD "module 0 1111 0x0 /opt/pro\\\\g\n", OURS, TWIN, NULL},
    {HEAD "module 0 0aff00 0x0 /a b\nmodule 1 0aff 0x0 /opt/pro\\\\g\n", OF_OTHER,
     OF_OTHER, "/a b"},
    {HEAD "module 0 0aff 0x0 /opt/pro\\\\g", UNKNOWN, UNKNOWN, NULL},
    {HEAD "module 0 0aff\n", UNKNOWN, UNKNOWN, NULL},
};

static void setup(void)
{
    static char names[100];
    ck_assert(ccprof_datafile_program_of(&module, names, sizeof names, &self));
    ck_assert_str_eq(self.id, "0aff");
    ck_assert_str_eq(self.path, "/opt/pro\\\\g");
    ccprof_datafile_start("data");
}

/* Returns the owner of the file NAME as PROGRAM sees it when it writes to WHERE. */
static int owner_at(const char *name, const char *where,
                    const struct ccprof_datafile_program *program)
{
    return (int)ccprof_datafile_owner(name, where, program, buffer, sizeof buffer,
                                      &found);
}

static int owner(const char *name)
{
    return owner_at(name, name, &self);
}

TEST_ROWS(test_whose, heads)
{
    const char *text = heads[_i].text;
    const int old = heads[_i].old, new = heads[_i].new;

    for (size_t i = 0; i < LENGTH(ages); i++) {
        file("there", text, ages[i]);
        ccprof_datafile_remember("there", "aside");
        ck_assert_int_eq(owner("there"), old);
        if (heads[_i].program)
            ck_assert_str_eq(found.path, heads[_i].program);
        rename("there", "elsewhere");
        ck_assert_int_eq(owner("elsewhere"), old);
        file("there", text, ages[i]);
        ck_assert_int_eq(owner("there"), new);
        rename("there", "elsewhere");
        ck_assert_int_eq(owner_at("elsewhere", "there", &self), new);
        file("aside", text, ages[i]);
        ck_assert_int_eq(owner("aside"), new);
        ccprof_datafile_wrote("aside", "aside");
        ck_assert_int_eq(owner("aside"), OURS);
        unlink("elsewhere");
        unlink("aside");
        ck_assert_int_eq(owner("there"), CCPROF_DATAFILE_NONE);
    }
}

/* For other names, times decide. A file is new if it was written after the start of the
   process, by today's clock or by the clock of that time. */
TEST(test_times)
{
    for (size_t i = 1; i < LENGTH(ages); i++) {
        file("there", OWN, ages[i]);
        ck_assert_int_eq(owner("there"), OURS);
    }
    ccprof_sys_sleep(1000000);
    file("there", OWN, 0);
    ck_assert_int_eq(owner("there"), TWIN);
    ccprof_datafile_start("data");
    ck_assert_int_eq(owner("there"), OURS);
    /* The file of another process is not ours only because we wrote one elsewhere. */
    ccprof_sys_sleep(1000000);
    file("there", OWN, 0);
    file("here", OWN, 0);
    ccprof_datafile_wrote("here", "there");
    ck_assert_int_eq(owner("there"), TWIN);
    unlink("there");
    unlink("here");
}

/* Checks that the file has this text, or that there is no file if WANT is null. Removes
   the file. */
static void assert_file(const char *name, const char *want)
{
    char *got = file_read(name);

    ck_assert_msg((got != NULL) == (want != NULL), "%s", name);
    if (want)
        ck_assert_str_eq(got, want);
    free(got);
    unlink(name);
}

/* The process has written NEW, which gets the name `data'. */
#define NEW "what is new"

static void claim_new(void)
{
    file("new", NEW, 0);
    ck_assert_int_eq(ccprof_datafile_place("new", "data", &module, buffer), 0);
    assert_file("new", NULL);
}

/* The file `data' contains THERE. It was written before the start of the process if OLD,
   otherwise after it. Then the process writes its own file there. After that, THERE must
   be in the file ASIDE; NULL: it is lost. */
static void assert_claim(const char *there, bool old, const char *aside)
{
    unlink("data");
    if (!old)
        ccprof_datafile_start("data");
    if (there)
        file("data", there, old ? -YEAR : YEAR);
    if (old)
        ccprof_datafile_start("data");
    claim_new();
    assert_file("data", NEW);
    if (aside)
        assert_file(aside, there);
}

/* Simulates a file system whose rename accepts no flags. */
static void forbid_flags(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {LENGTH(code), code};

    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    ck_assert_int_eq(syscall(SYS_renameat2, AT_FDCWD, "", AT_FDCWD, "", 1), -1);
    ck_assert_int_eq(errno, EINVAL);
}

TEST_TIMES(test_claim, 2)
{
    char aside[64];

    if (_i == 1)
        forbid_flags();
    sprintf(numbered, "data.pro\\\\g.%d", getpid());
    sprintf(aside, "data.other.%d", getpid());
    assert_claim(NULL, true, NULL);
    assert_claim("no profile", true, NULL);
    assert_claim(OWN, true, NULL);
    for (int i = 0; i < 2; i++) {
        assert_claim(OWN, false, "data.pro\\\\g");
        file("data.pro\\\\g", MOVED, 10);
    }
    ccprof_datafile_start("data");
    file("data.pro\\\\g", OWN, 0);
    file("data", OWN, YEAR);
    claim_new();
    assert_file("data", NEW);
    assert_file("data.pro\\\\g", OWN);
    assert_file(numbered, OWN);

    for (int old = 0; old < 2; old++) {
        assert_claim(OTHER, old, "data.other");
        /* There is an older file with this name; then a file of another program of the
           same name. */
        file("data.other", HEAD "module 0 2222 0x0 /a/other\n", 20);
        assert_claim(OTHER, old, "data.other");
        file("data.other", HEAD "module 0 3333 0x0 /b/other\n", 20);
        assert_claim(OTHER, old, aside);
        assert_file("data.other", HEAD "module 0 3333 0x0 /b/other\n");
    }
}

/* Waits for GO, then gives its file the name. */
static void claim_at_once(int child, int go)
{
    char name[32], text[200], byte;

    sprintf(name, "new.%d", child);
    sprintf(text, HEAD "module 0 0aff 0x0 /opt/pro\\\\g\nnumber %d\n", child);
    file(name, text, 0);
    ssize_t got = read(go, &byte, 1);
    _exit(got != 0 || ccprof_datafile_place(name, "data", &module, buffer) != 0);
}

/* When many processes end at once, no profile is lost. An older profile is replaced. */
TEST_TIMES(test_at_once, 100)
{
    enum { CHILDREN = 12 };
    int go[2], status = 0;
    bool there[CHILDREN] = {false};
    glob_t files;

    file("data", OWN, 10);
    file("data.pro\\\\g", OWN, 10);
    ccprof_datafile_start("data");
    ck_assert_int_eq(pipe(go), 0);
    fflush(NULL);
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            close(go[1]);
            claim_at_once(i, go[0]);
        }
    close(go[0]);
    close(go[1]);
    for (int i = 0; i < CHILDREN; i++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_int_eq(glob("data*", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = file_read(files.gl_pathv[i]), *number = strstr(text, "number ");
        ck_assert_ptr_nonnull(number);
        int child = atoi(number + strlen("number "));
        ck_assert_msg(!there[child], "%s is %d's", files.gl_pathv[i], child);
        there[child] = true;
        free(text);
        unlink(files.gl_pathv[i]);
    }
    ck_assert_uint_eq(files.gl_pathc, CHILDREN);
    globfree(&files);
}

TEST_AROUND(setup, NULL)
