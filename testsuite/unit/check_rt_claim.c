/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/file.c */
/* links: */
/* links: rt/process/claim.c rt/process/output.c rt/process/origin.c rt/process/owner.c */
/* links: rt/process/conftest.c rt/os/program.c rt/os/text.c rt/os/say.c rt/os/blocked.c
 */
/* Which file a profile goes to: names with patterns, and what is done where a file is
   there, of which the heads are written by hand.  */

#include "rt_tests.h"
#include <glob.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "rt/process/claim.h"
#include "rt/process/origin.h"
#include "rt/process/output.h"
#include "rt/process/conftest.h"
#include "rt/process/owner.h"
#include "rt/os/sys.h"

static char buffer[CCPROF_CLAIM_BUFFER];
static struct ccprof_module module = {
    .path = "/opt/pro\\g", .id_size = 2, .id = {0x0a, 0xff}};
static struct ccprof_owner_program self;

#define YEAR (365 * 24 * 3600)

/* Writes a file as a process does whose clock is AGE seconds behind.  */
static void file(const char *name, const char *text, int age)
{
    struct timespec now, times[2];
    FILE *to = fopen(name, "w");
    ck_assert_ptr_nonnull(to);
    fputs(text, to);
    fclose(to);
    clock_gettime(CLOCK_REALTIME, &now);
    times[0] = times[1] = (struct timespec){now.tv_sec - age, now.tv_nsec};
    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* What the clock may have been set to since a file was written.  */
static const int ages[] = {0, 10, -10, YEAR, -YEAR};
#define AGES (int)(sizeof ages / sizeof *ages)

#define HEAD "ccprof mlmon 1\nkind time\nengine wall-timer\n"

static const struct {
    const char *text;
    enum ccprof_owner old, new;
    const char *program;
} heads[] = {
    {HEAD "module 0 0aff 0x0 /opt/pro\\\\g\nmodule 1 - 0x0 /lib\n", CCPROF_OWNER_OURS,
     CCPROF_OWNER_TWIN, NULL},
    {HEAD "module 0 0aff 0x0 /moved\nmodule 1 - 0x0 /lib\n", CCPROF_OWNER_OURS,
     CCPROF_OWNER_TWIN, NULL},
    {HEAD "module 0 1111 0x0 /opt/pro\\\\g\n", CCPROF_OWNER_OURS, CCPROF_OWNER_TWIN,
     NULL},
    {HEAD "module 0 - 0x0 /opt/pro\\\\g\n", CCPROF_OWNER_OURS, CCPROF_OWNER_TWIN, NULL},
    {HEAD "module 0 1111 0x0 /opt/pro\\g\n", CCPROF_OWNER_OTHER, CCPROF_OWNER_OTHER,
     "/opt/pro\\g"},
    {HEAD "module 0 0aff00 0x0 /a b\nmodule 1 0aff 0x0 /opt/pro\\\\g\n",
     CCPROF_OWNER_OTHER, CCPROF_OWNER_OTHER, "/a b"},
    {HEAD "module 0 0aff 0x0 /opt/pro\\\\g", CCPROF_OWNER_UNKNOWN, CCPROF_OWNER_UNKNOWN,
     NULL},
    {HEAD "module 0 0aff\n", CCPROF_OWNER_UNKNOWN, CCPROF_OWNER_UNKNOWN, NULL},
    {HEAD, CCPROF_OWNER_UNKNOWN, CCPROF_OWNER_UNKNOWN, NULL},
    {"\nmodule 0 1111 0x0 /x\n", CCPROF_OWNER_UNKNOWN, CCPROF_OWNER_UNKNOWN, NULL},
    {"", CCPROF_OWNER_UNKNOWN, CCPROF_OWNER_UNKNOWN, NULL},
};

/* A test that was ended by its time limit leaves its files to the next one, which would
   take them for its own.  */
static void clear(void)
{
    glob_t found;

    if (glob("data*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
    globfree(&found);
}

static void setup(void)
{
    static char names[100];
    clear();
    ck_assert(ccprof_owner_module(&module, names, sizeof names, &self));
    ck_assert_str_eq(self.id, "0aff");
    ck_assert_str_eq(self.path, "/opt/pro\\\\g");
    ccprof_claim_start("data");
}

static enum ccprof_owner ask(const char *name, struct ccprof_owner_program *found)
{
    return ccprof_owner(name, name, &self, buffer, sizeof buffer, found);
}

TEST_EACH(test_whose, heads)
{
    struct ccprof_owner_program found = {NULL, NULL};

    for (int i = 0; i < AGES; i++) {
        file("there", heads[_i].text, ages[i]);
        ccprof_owner_start("there", "aside");
        ck_assert_int_eq(ask("there", &found), heads[_i].old);
        if (heads[_i].program)
            ck_assert_str_eq(found.path, heads[_i].program);
        rename("there", "elsewhere");
        ck_assert_int_eq(ask("elsewhere", &found), heads[_i].old);
        file("there", heads[_i].text, ages[i]);
        ck_assert_int_eq(ask("there", &found), heads[_i].new);
        rename("there", "elsewhere");
        ck_assert_int_eq(
            ccprof_owner("elsewhere", "there", &self, buffer, sizeof buffer, &found),
            heads[_i].new);
        file("aside", heads[_i].text, ages[i]);
        ck_assert_int_eq(ask("aside", &found), heads[_i].new);
        ccprof_owner_wrote("aside", "aside");
        ck_assert_int_eq(ask("aside", &found), CCPROF_OWNER_OURS);
        unlink("elsewhere");
        unlink("aside");
        ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_NOBODY);
    }
}

/* Of other names the times decide: a file is new if it was written since the process
   started, on the clock as it is now or as it was then.  */
TEST(test_times)
{
    struct ccprof_owner_program found;

    for (int i = 1; i < AGES; i++) {
        file("there", heads[0].text, ages[i]);
        ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_OURS);
    }
    ccprof_sys_sleep(1000000);
    file("there", heads[0].text, 0);
    ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_TWIN);
    ccprof_claim_start("data");
    ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_OURS);
    unlink("there");
}

/* What cannot be said of a file without its executable is not guessed.  */
TEST(test_odd)
{
    struct ccprof_owner_program found, none;
    static char longest[2 * PATH_MAX + 100];

    ck_assert_int_eq(ask(".", &found), CCPROF_OWNER_UNKNOWN);
    ck_assert_int_eq(ask("/dev/null", &found), CCPROF_OWNER_UNKNOWN);
    file("there", HEAD "module 0 - 0x0 /x\n", 10);
    ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_OTHER);
    ck_assert_int_eq(ask("there/x", &found), CCPROF_OWNER_UNKNOWN);
    ck_assert(!ccprof_owner_module(&module, longest, 8, &none));
    /* Without build-ids it is the path that counts.  */
    ck_assert(
        ccprof_owner_module(&(struct ccprof_module){.path = "/x"}, longest, 8, &none));
    ck_assert_str_eq(none.id, "-");
    ck_assert_int_eq(ccprof_owner("there", "there", &none, buffer, sizeof buffer, &found),
                     CCPROF_OWNER_OURS);
    ck_assert(
        ccprof_owner_module(&(struct ccprof_module){.path = "/y"}, longest, 8, &none));
    ck_assert_int_eq(ccprof_owner("there", "there", &none, buffer, sizeof buffer, &found),
                     CCPROF_OWNER_OTHER);
    /* It is read as far as there is room.  */
    strcpy(longest, HEAD "module 0 1111 0x0 /");
    memset(longest + strlen(longest), 'x', 2 * PATH_MAX);
    file("there", longest, 10);
    ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_UNKNOWN);
    /* Another process's file is not ours because we have written one elsewhere.  */
    file("there", heads[0].text, 0);
    file("here", heads[0].text, 0);
    ccprof_owner_wrote("here", "there");
    ck_assert_int_eq(ask("there", &found), CCPROF_OWNER_TWIN);
    unlink("there");
    unlink("here");
}

static void assert_file(const char *name, const char *want)
{
    char got[1000] = "";
    FILE *from = fopen(name, "r");

    ck_assert_msg((from != NULL) == (want != NULL), "%s", name);
    if (from) {
        size_t size = fread(got, 1, sizeof got - 1, from);
        got[size] = '\0';
        fclose(from);
        ck_assert_str_eq(got, want);
        unlink(name);
    }
}

static void claim_new(void)
{
    file("new", "what is new", 0);
    ck_assert_int_eq(ccprof_claim("new", "data", &module, buffer), 0);
    assert_file("new", NULL);
}

/* The file `data' holds THERE, written before the process started if OLD, and otherwise
   since; then what the process has written goes there.  */
static void claim(const char *there, bool old)
{
    unlink("data");
    if (!old)
        ccprof_claim_start("data");
    if (there)
        file("data", there, old ? -YEAR : YEAR);
    if (old)
        ccprof_claim_start("data");
    claim_new();
}

/* As on a file system where a rename knows no flags.  */
static void forbid_flags(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof code / sizeof *code, code};

    ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    ck_assert_int_eq(syscall(SYS_renameat2, AT_FDCWD, "", AT_FDCWD, "", 1), -1);
    ck_assert_int_eq(errno, EINVAL);
}

#define OTHER HEAD "module 0 1111 0x0 /a/other\n"

TEST_TIMES(test_claim, 2)
{
    char numbered[64], aside[64];

    if (_i == 1)
        forbid_flags();
    sprintf(numbered, "data.pro\\\\g.%d", getpid());
    sprintf(aside, "data.other.%d", getpid());
    const char *const replaced[] = {NULL, "no profile", heads[0].text};
    for (int i = 0; i < 3; i++) {
        claim(replaced[i], true);
        assert_file("data", "what is new");
    }
    for (int i = 0; i < 2; i++) {
        claim(heads[0].text, false);
        assert_file("data", "what is new");
        assert_file("data.pro\\\\g", heads[0].text);
        file("data.pro\\\\g", heads[1].text, 10);
    }
    ccprof_claim_start("data");
    file("data.pro\\\\g", heads[0].text, 0);
    file("data", heads[0].text, YEAR);
    claim_new();
    assert_file("data", "what is new");
    assert_file("data.pro\\\\g", heads[0].text);
    assert_file(numbered, heads[0].text);

    for (int old = 0; old < 2; old++) {
        claim(OTHER, old);
        assert_file("data", "what is new");
        assert_file("data.other", OTHER);
        /* An older one is there already; of another program of that name.  */
        file("data.other", HEAD "module 0 2222 0x0 /a/other\n", 20);
        claim(OTHER, old);
        assert_file("data", "what is new");
        assert_file("data.other", OTHER);
        file("data.other", HEAD "module 0 3333 0x0 /b/other\n", 20);
        claim(OTHER, old);
        assert_file("data", "what is new");
        assert_file("data.other", HEAD "module 0 3333 0x0 /b/other\n");
        assert_file(aside, OTHER);
    }
}

/* Where the profile of another process of this program goes, there may be one of an
   earlier run, whatever its time, or of a third process.  */
TEST(test_aside)
{
    static const char text[] = HEAD "module 0 0aff 0x0 /a/check_rt_claim\n";
    char numbered[64];

    sprintf(numbered, "data.check_rt_claim.%d", getpid());
    for (int i = 0; i < AGES; i++) {
        file("data.check_rt_claim", heads[0].text, ages[i]);
        ccprof_claim_start("data");
        file("data", text, ages[i]);
        claim_new();
        assert_file("data", "what is new");
        file("data", text, ages[i]);
        claim_new();
        assert_file("data", "what is new");
        assert_file("data.check_rt_claim", text);
        assert_file(numbered, text);
    }
}

/* What the process itself has written it may replace, wherever that was.  */
TEST(test_again)
{
    claim(OTHER, true);
    for (int i = 0; i < 3; i++) {
        file("new", heads[0].text, -10);
        ck_assert_int_eq(ccprof_claim("new", "data", &module, buffer), 0);
        assert_file("data.other", i ? NULL : OTHER);
    }
    assert_file("data", heads[0].text);
    file("new", "", 0);
    ck_assert_int_eq(ccprof_claim("new", "no folder/data", &module, buffer), ENOENT);
    ck_assert_int_eq(ccprof_claim("new", ".", &module, buffer), EBUSY);
    unlink("new");
}

/* Waits for GO, then gives what it has written the name.  */
static void claim_at_once(int child, int go)
{
    char name[32], text[200], byte;

    sprintf(name, "new.%d", child);
    sprintf(text, HEAD "module 0 0aff 0x0 /opt/pro\\\\g\nnumber %d\n", child);
    file(name, text, 0);
    ssize_t got = read(go, &byte, 1);
    _exit(got != 0 || ccprof_claim(name, "data", &module, buffer) != 0);
}

/* The number of the child whose profile the file is, or -1.  */
static int child_of(const char *name)
{
    char line[200];
    int number = -1;
    FILE *from = fopen(name, "r");

    ck_assert_ptr_nonnull(from);
    while (fgets(line, sizeof line, from))
        sscanf(line, "number %d", &number);
    fclose(from);
    return number;
}

/* Of many processes that end at once none's profile is lost; an older one is replaced. */
TEST_TIMES(test_at_once, 100)
{
    enum { CHILDREN = 12 };
    int go[2], status = 0;
    bool there[CHILDREN] = {false};
    glob_t found;

    file("data", heads[0].text, 10);
    file("data.pro\\\\g", heads[0].text, 10);
    ccprof_claim_start("data");
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
    ck_assert_int_eq(glob("data*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int child = child_of(found.gl_pathv[i]);
        ck_assert_msg(child >= 0 && !there[child], "%s is %d's", found.gl_pathv[i],
                      child);
        there[child] = true;
        unlink(found.gl_pathv[i]);
    }
    ck_assert_uint_eq(found.gl_pathc, CHILDREN);
    globfree(&found);
}

static void start_output(const char *pattern)
{
    ccprof_origin_start();
    ccprof_output_start(pattern);
}

static void assert_output(const char *pattern, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void assert_output(const char *pattern, const char *format, ...)
{
    char want[2 * PATH_MAX];
    va_list values;

    va_start(values, format);
    vsnprintf(want, sizeof want, format, values);
    va_end(values);
    if (pattern)
        start_output(pattern);
    ck_assert_str_eq(ccprof_output_path(), want);
}

TEST(test_output)
{
    char folder[PATH_MAX];
    struct utsname host;
    int number = getpid();

    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    uname(&host);
    assert_output("x", "%s/x", folder);
    ck_assert_str_eq(ccprof_output_folder(), folder);
    assert_output("a b/%%%e", "%s/a b/%%check_rt_claim", folder);
    assert_output("/x", "/x");
    ck_assert_str_eq(ccprof_output_folder(), "/");
    assert_output("/%h/%p.%p", "/%s/%d.%d", host.nodename, number, number);
    assert_output("/%h/%p%", "/%s/%d%%", host.nodename, number);
    ck_assert_int_eq(chdir("/"), 0);
    assert_output(NULL, "/%s/%d%%", host.nodename, number);
    assert_output("x", "/x");
    ck_assert_str_eq(ccprof_output_folder(), "/");
    ck_assert_int_eq(chdir(folder), 0);
}

/* What launchers say; what is no number is nothing, and so is a size that the rank is
   not less than.  */
TEST(test_rank)
{
    static const struct {
        const char *rank_variable, *says, *size_variable, *says_size, *rank, *size;
    } said[] = {
        {"OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", "3", "4"},
        {"OMPI_COMM_WORLD_RANK", "3", "PMI_SIZE", "4", "3", ""},
        {"PMIX_RANK", "12", "PMI_SIZE", "40", "12", ""},
        {"PMI_RANK", "0", "PMI_SIZE", "9", "0", "9"},
        {"PMI_RANK", "9", "PMI_SIZE", "9", "9", ""},
        {"PMI_RANK", "10", "PMI_SIZE", "9", "10", ""},
        {"PMI_RANK", "1", "PMI_SIZE", "9 ", "1", ""},
        {"PMI_RANK", "1/..", "PMI_SIZE", "9", "", ""},
        {"PMI_RANK", "", "PMI_SIZE", "9", "", ""},
        {"PMIX_RANK", "12345678901", "PMI_SIZE", "9", "", ""},
        {"SLURM_PROCID", "0", "SLURM_NTASKS", "4", "", ""},
        {"SLURM_PROCID", "7", "SLURM_STEP_NUM_TASKS", "8", "7", "8"},
        {"RANK", "5", "SIZE", "9", "", ""},
    };
    char folder[PATH_MAX];

    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        setenv(said[i].rank_variable, said[i].says, 1);
        setenv(said[i].size_variable, said[i].says_size, 1);
        assert_output("/x", "/x");
        ck_assert_str_eq(ccprof_origin_rank(), said[i].rank);
        ck_assert_str_eq(ccprof_origin_ranks(), said[i].size);
        assert_output("/%r", "/%s", *said[i].rank ? said[i].rank : "0");
        start_output(NULL);
        assert_output(NULL, "%s/mlmon.out%s%s", folder, *said[i].rank ? "." : "",
                      said[i].rank);
        unsetenv(said[i].rank_variable);
        unsetenv(said[i].size_variable);
    }
    /* MPICH's launcher in a step that Slurm started with PMIx.  */
    setenv("PMIX_RANK", "7", 1);
    setenv("PMI_RANK", "6", 1);
    assert_output("/%r", "/6");
}

/* Of the child's child the name is not longer.  */
static int children(int depth)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        ccprof_output_child();
        assert_output(NULL, "/x.%d", getpid());
        _exit(depth ? children(depth - 1) : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status != 0;
}

TEST(test_children)
{
    start_output("/x");
    ck_assert_int_eq(children(1), 0);
    start_output("/%p%h");
    ccprof_output_child();
    struct utsname host;
    uname(&host);
    assert_output(NULL, "/%d%s", getpid(), host.nodename);
}

/* A name that is too long is not another name.  */
TEST(test_long)
{
    static char pattern[PATH_MAX];

    for (size_t i = 0; i + 2 < sizeof pattern; i += 2)
        memcpy(pattern + i, "%e", 2);
    start_output(pattern);
    ck_assert_uint_eq(strlen(ccprof_output_path()), PATH_MAX - 1);
}

TEST(test_probes)
{
    ck_assert(ccprof_conftest_is("/a/conftest"));
    ck_assert(ccprof_conftest_is("conftest"));
    ck_assert(!ccprof_conftest_is("/conftest/prog"));
    ck_assert(!ccprof_conftest_is("/a/conftests"));
    ck_assert(ccprof_conftest_is("/a/CMakeFiles/CMakeScratch/TryCompile-X/cmTC_012ab"));
    ck_assert(!ccprof_conftest_is("/a/cmTC_012ab"));
    ck_assert(!ccprof_conftest_is("/a/CMakeFiles/prog"));
    ck_assert(ccprof_conftest_is("/b/meson-private/tmpx/output.exe"));
    ck_assert(!ccprof_conftest_is("/b/meson/prog"));
    ck_assert(!ccprof_conftest_runs());
}

TEST_MAIN(setup, NULL)
