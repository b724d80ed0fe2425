/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/output/output.c rt/os/proc.c rt/os/file.c rt/os/text.c rt/os/lock.c */
/* Ranks, too long names of the output file, and the detection of programs that a build
   runs as probes. (Usual names: rt-same-folder, rt-ranks.) */

#include "rt_tests.h"

#include "rt/os/proc.h"
#include "rt/output/output.h"

/* The numbers set by launchers. A text that is not a number is ignored, and so is a size
   that is not greater than the rank. */
static const struct {
    const char *rank_variable, *says, *size_variable, *says_size, *rank, *size;
} said[] = {
    {"OMPI_COMM_WORLD_RANK", "3", "PMI_SIZE", "4", "3", ""},
    {"PMI_RANK", "0", "PMI_SIZE", "9", "0", "9"},
    {"PMI_RANK", "9", "PMI_SIZE", "9", "9", ""},
    {"PMI_RANK", "1", "PMI_SIZE", "9 ", "1", ""},
    {"PMI_RANK", "", "PMI_SIZE", "9", "", ""},
    {"PMI_RANK", "3/../x", "PMI_SIZE", "9", "", ""},
    {"PMIX_RANK", "3", "PMI_SIZE", "9", "3", ""},
    {"PMIX_RANK", "12345678901", "PMI_SIZE", "9", "", ""},
    {"SLURM_PROCID", "0", "SLURM_NTASKS", "4", "", ""},
    {"SLURM_PROCID", "7", "SLURM_STEP_NUM_TASKS", "8", "7", "8"},
    {"RANK", "5", "SIZE", "9", "", ""},
};

/* A launcher runs in a step of another one: the variables of the inner launcher have
   priority. */
TEST(test_launchers)
{
    setenv("PMIX_RANK", "0", 1);
    setenv("PMI_RANK", "2", 1);
    setenv("PMI_SIZE", "4", 1);
    ccprof_output_read_launcher();
    ck_assert_str_eq(ccprof_output_rank(), "2");
    ck_assert_str_eq(ccprof_output_ranks(), "4");
    setenv("OMPI_COMM_WORLD_RANK", "5", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
    ccprof_output_read_launcher();
    ck_assert_str_eq(ccprof_output_rank(), "5");
    ck_assert_str_eq(ccprof_output_ranks(), "8");
}

TEST_ROWS(test_rank, said)
{
    setenv(said[_i].rank_variable, said[_i].says, 1);
    setenv(said[_i].size_variable, said[_i].says_size, 1);
    ccprof_output_read_launcher();
    ck_assert_str_eq(ccprof_output_rank(), said[_i].rank);
    ck_assert_str_eq(ccprof_output_ranks(), said[_i].size);
}

/* A name that is too long is not replaced by another one. */
TEST(test_long)
{
    static char pattern[PATH_MAX];

    for (size_t i = 0; i + 2 < sizeof pattern; i += 2)
        memcpy(pattern + i, "%e", 2);
    ccprof_output_start(pattern);
    ck_assert_uint_eq(strlen(ccprof_output_path()), PATH_MAX - 1);
}

TEST(test_probes)
{
    static const struct {
        const char *path;
        bool is;
    } programs[] = {
        {"/a/conftest", true},
        {"/conftest/prog", false},
        {"/a/conftests", false},
        {"/a/CMakeFiles/CMakeScratch/TryCompile-X/cmTC_012ab", true},
        {"/a/CMakeFiles/prog", false},
        {"/a/cmTC_012ab", false},
        {"/b/meson-private/tmpx/output.exe", true},
        {"/b/meson/prog", false},
    };

    for (size_t i = 0; i < LENGTH(programs); i++)
        ck_assert_int_eq(ccprof_program_is_conftest(programs[i].path), programs[i].is);
}
