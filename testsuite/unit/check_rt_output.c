/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/output.c rt/process/origin.c rt/process/conftest.c rt/os/file.c */
/* links: rt/os/text.c rt/os/program.c rt/os/say.c rt/os/blocked.c */
/* The name of the output file: its pattern, the host, the rank, and what children of a
   fork add to it; and which programs are a build's probes.  */

#include "rt_tests.h"
#include <sys/utsname.h>

#include "rt/process/conftest.h"
#include "rt/process/origin.h"
#include "rt/process/output.h"

static char folder[PATH_MAX];
static struct utsname host;

static void setup(void)
{
    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    uname(&host);
}

static void start(const char *pattern)
{
    ccprof_origin_start();
    ccprof_output_start(pattern);
}

/* The file's name is WANT, in which $F is the folder, $H the host and $P the process.  */
static void assert_path(const char *want)
{
    char path[2 * PATH_MAX], *to = path;

    for (; *want; want++)
        if (*want == '$')
            to += *++want == 'P'
                      ? sprintf(to, "%d", getpid())
                      : sprintf(to, "%s", *want == 'F' ? folder : host.nodename);
        else
            *to++ = *want;
    *to = '\0';
    ck_assert_str_eq(ccprof_output_path(), path);
}

TEST(test_patterns)
{
    static const char *const patterns[][2] = {
        {"x", "$F/x"},          {"a b/%%%e", "$F/a b/%check_rt_output"},
        {"/x", "/x"},           {"/%h/%p.%p", "/$H/$P.$P"},
        {"/%h/%p%", "/$H/$P%"},
    };

    for (size_t i = 0; i < LENGTH(patterns); i++) {
        start(patterns[i][0]);
        assert_path(patterns[i][1]);
        if (i == 0)
            ck_assert_str_eq(ccprof_output_folder(), folder);
        if (i == 2)
            ck_assert_str_eq(ccprof_output_folder(), "/");
    }
    /* The folder is that of the start.  */
    ck_assert_int_eq(chdir("/"), 0);
    assert_path("/$H/$P%");
    start("x");
    assert_path("/x");
    ck_assert_str_eq(ccprof_output_folder(), "/");
}

/* What launchers say; what is no number is nothing, and so is a size that the rank is
   not less than.  */
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
    /* MPICH's launcher in a step that Slurm started with PMIx.  */
    {"PMIX_RANK", "7", "PMI_RANK", "6", "6", ""},
};

TEST_ROWS(test_rank, said)
{
    char want[64];

    setenv(said[_i].rank_variable, said[_i].says, 1);
    setenv(said[_i].size_variable, said[_i].says_size, 1);
    start("/x");
    assert_path("/x");
    ck_assert_str_eq(ccprof_origin_rank(), said[_i].rank);
    ck_assert_str_eq(ccprof_origin_ranks(), said[_i].size);
    start("/%r");
    sprintf(want, "/%s", *said[_i].rank ? said[_i].rank : "0");
    assert_path(want);
    start(NULL);
    sprintf(want, "$F/mlmon.out%s%s", *said[_i].rank ? "." : "", said[_i].rank);
    assert_path(want);
}

/* Of the child's child the name is not longer.  */
static int children(int depth)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        ccprof_output_child();
        assert_path("/x.$P");
        _exit(depth ? children(depth - 1) : 0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status != 0;
}

TEST(test_children)
{
    start("/x");
    ck_assert_int_eq(children(1), 0);
    start("/%p%h");
    ccprof_output_child();
    assert_path("/$P$H");
}

/* A name that is too long is not another name.  */
TEST(test_long)
{
    static char pattern[PATH_MAX];

    for (size_t i = 0; i + 2 < sizeof pattern; i += 2)
        memcpy(pattern + i, "%e", 2);
    start(pattern);
    ck_assert_uint_eq(strlen(ccprof_output_path()), PATH_MAX - 1);
}

TEST(test_probes)
{
    static const struct {
        const char *path;
        bool is;
    } programs[] = {
        {"/a/conftest", true},
        {"conftest", true},
        {"/conftest/prog", false},
        {"/a/conftests", false},
        {"/a/CMakeFiles/CMakeScratch/TryCompile-X/cmTC_012ab", true},
        {"/a/cmTC_012ab", false},
        {"/a/CMakeFiles/prog", false},
        {"/b/meson-private/tmpx/output.exe", true},
        {"/b/meson/prog", false},
    };

    for (size_t i = 0; i < LENGTH(programs); i++)
        ck_assert_int_eq(ccprof_conftest_is(programs[i].path), programs[i].is);
    ck_assert(!ccprof_conftest_runs());
}

TEST_AROUND(setup, NULL)
