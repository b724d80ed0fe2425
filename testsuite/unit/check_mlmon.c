/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The data file: what is read, and what each kind of damage is called.  */

#define _GNU_SOURCE
#include "runner.h"
#include "testsuite/unit/datafile.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                             \
    "ccprof mlmon 1\nkind time\nengine thread-timer\nclock cpu\nrate 100\nstack yes\n"   \
    "cpu 4013000000\nwall 4100250000\nthreads 2\nwaits 3\nsamples 402\nlost 1\n"         \
    "elsewhere 30\n"
#define MODULES                                                                          \
    "module 0 6a2f 0x5581b0c00000 /opt/games/my prog\n"                                  \
    "module 1 - 0x0 /a\\\\b\\nc\n"
#define LABELS "label 0 in\\nside\nlabel 1 out side\n"
#define POINTS                                                                           \
    "counts 9\n0 0 0x1151 300\n0 0 0x1178 0\n1 1 0x2f 40\n2 0 0x1151 50\n1 - 0x7fff "    \
    "10\n"                                                                               \
    "0 0 0x1151 1\n0 label 0x1 0\n1 label 0x0 0\n2 0 0x1178 0\n"
#define WHOLE HEAD MODULES LABELS POINTS "end\n"

static void assert_node(const struct profile *profile, size_t number, uint32_t parent,
                        uint32_t module, uint64_t address, uint64_t count)
{
    const struct profile_node *node = &profile->nodes[number];
    ck_assert_uint_eq(node->parent, parent);
    ck_assert_uint_eq(node->module, module);
    ck_assert_uint_eq(node->address, address);
    ck_assert_uint_eq(node->count, count);
}

START_TEST(a_whole_file)
{
    struct profile profile = datafile_parse(WHOLE);
    ck_assert_int_eq(profile.kind, CCPROF_KIND_TIME);
    ck_assert_uint_eq(profile.engines, PROFILE_THREAD_TIMER);
    ck_assert_int_eq(profile.clock, PROFILE_CPU);
    ck_assert_uint_eq(profile.rate, 100);
    ck_assert(profile.stack);
    ck_assert_uint_eq(profile.threads, 2);
    ck_assert_uint_eq(profile.most_threads, 2);
    ck_assert_uint_eq(profile.waits, 3);
    ck_assert_uint_eq(profile.cpu, 4013000000);
    ck_assert_uint_eq(profile.wall, 4100250000);
    ck_assert_uint_eq(profile.samples, 402);
    ck_assert_uint_eq(profile.lost, 1);
    ck_assert_uint_eq(profile.module_count, 2);
    ck_assert_str_eq(profile.modules[0].path, "/opt/games/my prog");
    ck_assert_str_eq(profile.modules[0].build_id, "6a2f");
    ck_assert_str_eq(profile.modules[1].path, "/a\\b\nc");
    ck_assert_ptr_null(profile.modules[1].build_id);
    ck_assert_int_eq(profile.moved, 30);
    ck_assert_uint_eq(profile.label_count, 2);
    ck_assert_str_eq(profile.labels[0], "in\nside");
    ck_assert_str_eq(profile.labels[1], "out side");
    profile_free(&profile);
}
END_TEST

/* 0x1151 of module 0 has 300, 50 and 1; 0x2f of module 1 has 40 and a point below.  */
START_TEST(the_own_code)
{
    struct profile profile =
        datafile_parse(HEAD MODULES "own 0 0x1151 0x1152\n" LABELS POINTS "end\n");
    ck_assert_uint_eq(profile.own, 351);
    ck_assert_uint_eq(profile.samples, 402 - 351);
    assert_node(&profile, 0, PROFILE_NO_NODE, 0, 0x1151, 0);
    assert_node(&profile, 2, 1, 1, 0x2f, 40);
    assert_node(&profile, 3, 2, 0, 0x1151, 0);
    profile_free(&profile);
    profile = datafile_parse(HEAD MODULES "own 1 0x2e 0x30\n" LABELS POINTS "end\n");
    ck_assert_uint_eq(profile.own, 40);
    assert_node(&profile, 2, 1, 1, 0x2f, 0);
    assert_node(&profile, 3, 2, 0, 0x1151, 50);
    profile_free(&profile);
    profile = datafile_parse(HEAD MODULES "own 1 0x1 0x2f\n" LABELS POINTS "end\n");
    ck_assert_uint_eq(profile.own, 0);
    ck_assert_uint_eq(profile.samples, 402);
    profile_free(&profile);
}
END_TEST

/* What a program calls its phases and regions.  */
START_TEST(an_empty_name)
{
    struct profile profile =
        datafile_parse(HEAD MODULES "label 0 \nlabel 1 b\n" POINTS "end\n");
    ck_assert_uint_eq(profile.label_count, 2);
    ck_assert_str_eq(profile.labels[0], "");
    profile_free(&profile);
}
END_TEST

START_TEST(the_tree)
{
    struct fault fault = {0};
    struct profile file = datafile_parse(WHOLE), profile = {0};
    /* Equal points are two as long as nothing is added to them.  */
    ck_assert_uint_eq(file.node_count, 9);
    ck_assert(profile_fold(&profile, &file, "m", &fault));
    ck_assert_uint_eq(profile.node_count, 9);
    profile_join(&profile);
    ck_assert_uint_eq(profile.node_count, 8);
    assert_node(&profile, 0, PROFILE_NO_NODE, 0, 0x1151, 301);
    assert_node(&profile, 1, PROFILE_NO_NODE, 0, 0x1178, 0);
    assert_node(&profile, 2, 1, 1, 0x2f, 40);
    assert_node(&profile, 3, 2, 0, 0x1151, 50);
    assert_node(&profile, 4, 1, PROFILE_NO_MODULE, 0x7fff, 10);
    assert_node(&profile, 5, PROFILE_NO_NODE, PROFILE_LABEL, 1, 0);
    assert_node(&profile, 6, 5, PROFILE_LABEL, 0, 0);
    assert_node(&profile, 7, 6, 0, 0x1178, 0);
    profile_free(&profile);
}
END_TEST

START_TEST(the_empty_profile)
{
    struct profile profile =
        datafile_parse("ccprof mlmon 1\nkind time\nengine wall-timer\nclock "
                       "wall\nrate 1000000\nstack no\n"
                       "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost "
                       "0\nelsewhere 0\nmodule 0 - 0x0 p\ncounts 0\nend\n");
    ck_assert_uint_eq(profile.node_count, 0);
    ck_assert_uint_eq(profile.rate, 1000000);
    ck_assert_uint_eq(profile.engines, PROFILE_WALL_TIMER);
    ck_assert_int_eq(profile.clock, PROFILE_WALL);
    ck_assert(!profile.stack);
    profile_free(&profile);
}
END_TEST

/* What the program has written into a file of its own.  */
START_TEST(a_part)
{
    struct profile profile = datafile_parse(
        "ccprof mlmon 1\nkind time\nengine task-clock\nclock cpu\nrate 100\nstack "
        "yes\ncpu 0\nwall 0\nthreads 0\nwaits 0\nsamples 5\nlost 0\nelsewhere "
        "-5\nmodule 0 - 0x0 p\ncounts 1\n0 0 0x1 5\nend\n");
    ck_assert_int_eq(profile.moved, -5);
    profile_free(&profile);
}
END_TEST

/* Behind the kind, in each version; its backslashes are those of a path.  */
START_TEST(a_command)
{
    static const char *const commands[] = {"command p -x 'a b' $'\\\\033' \xc3\xa9\n",
                                           ""};
    static const char *const times[] = {"", "", "times 1 0\n"};
    for (int i = 0; i < 6; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "ccprof mlmon %d\nkind time\n%sengine task-clock\nclock cpu\nrate "
                 "100\nstack no\ncpu 0\nwall 0\nthreads 1\nwaits 0\nsamples 0\nlost "
                 "0\nelsewhere 0\nmodule 0 - 0x0 p\n%scounts 0\nend\n",
                 i % 3 + 1, commands[i / 3], times[i % 3]);
        struct profile profile = datafile_parse(text);
        ck_assert_uint_eq(profile.commands.count, i < 3);
        if (i < 3)
            ck_assert_str_eq(intern_text(&profile.commands, 0),
                             "p -x 'a b' $'\\033' \xc3\xa9");
        profile_free(&profile);
    }
}
END_TEST

/* The example of mlmon.out(5), between its .EX and .EE.  */
START_TEST(the_example_of_the_page)
{
    char *page = NULL, *text = NULL;
    size_t size;
    const char *source = getenv("SRC");
    ck_assert_int_gt(asprintf(&page, "%s/doc/mlmon.out.5", source ? source : "."), 0);
    FILE *file = fopen(page, "r");
    ck_assert_ptr_nonnull(file);
    char line[256];
    bool inside = false;
    FILE *out = open_memstream(&text, &size);
    while (fgets(line, sizeof line, file)) {
        if (strcmp(line, ".EE\n") == 0)
            inside = false;
        if (inside)
            fputs(line, out);
        if (strcmp(line, ".EX\n") == 0)
            inside = true;
    }
    fclose(file);
    fclose(out);
    struct profile profile = datafile_parse(text);
    ck_assert_uint_eq(profile.engines, PROFILE_THREAD_TIMER);
    ck_assert(profile.stack);
    ck_assert_uint_eq(profile.samples, 401);
    ck_assert_uint_eq(profile.waits, 3);
    ck_assert_uint_eq(profile.module_count, 2);
    ck_assert_uint_eq(profile.commands.count, 1);
    ck_assert_str_eq(intern_text(&profile.commands, 0), "./prog level=3 new");
    ck_assert_str_eq(profile.modules[0].path, "/opt/games/prog");
    ck_assert_int_eq(profile.moved, 0);
    ck_assert_uint_eq(profile.label_count, 1);
    ck_assert_str_eq(profile.labels[0], "load");
    ck_assert_uint_eq(profile.node_count, 5);
    assert_node(&profile, 0, PROFILE_NO_NODE, PROFILE_LABEL, 0, 0);
    assert_node(&profile, 1, 0, 0, 0x1063, 0);
    assert_node(&profile, 2, 1, 0, 0x1151, 300);
    assert_node(&profile, 3, 1, 0, 0x1178, 100);
    assert_node(&profile, 4, 3, 1, 0x2f00, 1);
    profile_free(&profile);
    free(text);
    free(page);
}
END_TEST

START_TEST(cut_off_anywhere)
{
    datafile_assert_cut_off(WHOLE);
    datafile_assert_refused(WHOLE, strlen(WHOLE) - 4, FAULT_GARBLED,
                            "m: line 28: the file is cut off here");
    datafile_assert_refused(WHOLE, strlen(WHOLE) - 1, FAULT_GARBLED,
                            "m: line 28: the file is cut off here");
    datafile_assert_refused(WHOLE, 0, FAULT_GARBLED, "m: line 1: the file is empty");
}
END_TEST

#define COUNTED                                                                          \
    "ccprof mlmon 1\nkind count\ncpu 0\nwall 0\nthreads 1\nwaits 0\nmodule 0 - 0x0 p\n"  \
    "module 1 - 0x0 q\ncounters\n0 0x10 5\n"

static void assert_target(const struct profile *profile, size_t number,
                          struct profile_target right)
{
    const struct profile_target *target = &profile->targets[number];
    ck_assert_uint_eq(target->site_module, right.site_module);
    ck_assert_uint_eq(target->site, right.site);
    ck_assert_uint_eq(target->module, right.module);
    ck_assert_uint_eq(target->address, right.address);
    ck_assert_uint_eq(target->count, right.count);
}

/* The same target twice, the same address in two modules, what could not be kept; and all
   of it once more by a merge, in which the modules have other numbers.  */
START_TEST(targets)
{
    static const char text[] =
        COUNTED "targets\n0 0x20 1 0x30 2\n0 0x20 0 0x30 3\n0 0x20 1 "
                "0x30 4\n1 0x20 1 0x30 5\n- 0x0 - 0x0 6\nend\n";
    struct profile one = {0}, other = {0};
    struct fault fault = {0};
    profile_add_module(&other, "p", NULL);
    profile_add_module(&other, "r", NULL);
    profile_add_counter(&other, 0, 0x10, 1);
    other.kind = CCPROF_KIND_COUNT;
    ck_assert(mlmon_parse(&one, "f", text, sizeof text - 1, &fault));
    ck_assert_uint_eq(one.target_count, 4);
    ck_assert_uint_eq(one.counter_total, 25);
    ck_assert(profile_merge(&other, &one, "f", &fault));
    ck_assert(profile_merge(&other, &one, "f", &fault));
    for (int i = 0; i < 2; i++) {
        const struct profile *profile = i ? &other : &one;
        uint32_t second = i ? 2 : 1;
        uint64_t times = i ? 2 : 1;
        assert_target(profile, 0,
                      (struct profile_target){0, second, 0x20, 0x30, 6 * times});
        assert_target(profile, 1, (struct profile_target){0, 0, 0x20, 0x30, 3 * times});
        assert_target(profile, 2,
                      (struct profile_target){second, second, 0x20, 0x30, 5 * times});
        assert_target(profile, 3,
                      (struct profile_target){PROFILE_NO_MODULE, PROFILE_NO_MODULE, 0, 0,
                                              6 * times});
    }
    profile_free(&one);
    profile_free(&other);
}
END_TEST

/* Version 6: a site's first target, whose count is not told and not merged.  */
START_TEST(rests)
{
    static const char text[] =
        "ccprof mlmon 6\nkind count\ncpu 0\nwall 0\nthreads 1\nwaits 0\nmodule 0 - 0x0 "
        "p\nmodule 1 - 0x0 q\ncounters\n0 0x10 5\ntargets\n0 0x20 1 0x30 2\n0 0x20 1 "
        "0x40 "
        "rest\n1 0x28 - 0x41 rest\nend\n";
    struct profile one = {0}, other = {0};
    struct fault fault = {0};
    ck_assert(mlmon_parse(&one, "f", text, sizeof text - 1, &fault));
    ck_assert_uint_eq(one.target_count, 1);
    ck_assert_uint_eq(one.counter_total, 7);
    ck_assert_uint_eq(one.rest_count, 2);
    ck_assert_uint_eq(one.rests[0].site_module, 0);
    ck_assert_uint_eq(one.rests[0].site, 0x20);
    ck_assert_uint_eq(one.rests[0].module, 1);
    ck_assert_uint_eq(one.rests[0].address, 0x40);
    ck_assert_uint_eq(one.rests[1].site_module, 1);
    ck_assert_uint_eq(one.rests[1].module, PROFILE_NO_MODULE);
    ck_assert_uint_eq(one.rests[1].address, 0x41);
    ck_assert(profile_merge(&other, &one, "f", &fault));
    ck_assert_uint_eq(other.rest_count, 0);
    profile_free(&one);
    profile_free(&other);
}
END_TEST

#define TARGET_WRONG "line 12: it should be a module, a site, a module, a target, a count"

static const struct {
    const char *line, *what;
} wrong_targets[] = {
    {"2 0x20 1 0x30 2", "line 12: no module has this number"},
    {"0 0x20 2 0x30 2", "line 12: no module has this number"},
    {"0 0x20 x 0x30 2", "line 12: no module has this number"},
    {"0 20 1 0x30 2", TARGET_WRONG},
    {"0 0x20 1 0x30", TARGET_WRONG},
    {"0 0x20 1 0x30 2 ", TARGET_WRONG},
    {"0 0x20 1 0x30 -2", TARGET_WRONG},
    {"0 0x20 1 0x30 18446744073709551611",
     "line 12: the counts add up to more than 64 bits"},
    {"0 0x20 1 0x30 rest", TARGET_WRONG},
    {"counters", "line 12: it should be `end'"},
    {"targets", "line 12: it should be `end'"},
};

static const char *const wrong_rests[] = {"0 0x20 1 0x30 rest 1", "0 0x20 1 0x30 res",
                                          "0 0x20 1 0x30", "0 0x20 1 0x30  rest"};

START_TEST(damaged_rests)
{
    char text[500];
    struct profile profile = {0};
    struct fault fault = {0};
    int size =
        snprintf(text, sizeof text,
                 "ccprof mlmon 6\nkind count\ncpu 0\nwall 0\nthreads 1\nwaits 0\n"
                 "module 0 - 0x0 p\nmodule 1 - 0x0 q\ncounters\ntargets\n%s\nend\n",
                 wrong_rests[_i]);
    ck_assert(!mlmon_parse(&profile, "f", text, (size_t)size, &fault));
    ck_assert_int_eq(fault.kind, FAULT_GARBLED);
    ck_assert_ptr_nonnull(strstr(fault.text, "a target, a count or `rest'"));
    fault_clear(&fault);
    profile_free(&profile);
}
END_TEST

START_TEST(damaged_targets)
{
    char text[500];
    struct profile profile = {0};
    struct fault fault = {0};
    int size =
        snprintf(text, sizeof text, COUNTED "targets\n%s\nend\n", wrong_targets[_i].line);
    ck_assert(!mlmon_parse(&profile, "f", text, (size_t)size, &fault));
    ck_assert_int_eq(fault.kind, FAULT_GARBLED);
    ck_assert_ptr_nonnull(strstr(fault.text, wrong_targets[_i].what));
    fault_clear(&fault);
    profile_free(&profile);
}
END_TEST

#define SUM          "counts 1\n0 0 0x1 401\nend\n"
#define COUNTS_WRONG "it should be a depth, a module, an address, a count"
#define OWN_WRONG                                                                        \
    "it should be `own' and a module, where ccprof's code starts, where it ends"
#define LABEL_WRONG  "it should be `label' and a number, a name"
#define POINT_WRONG  "no label has this number, or it cannot stand here"
#define MODULE_WRONG "it should be `module' and a number, a build-id, a bias, a path"

/* FROM of the whole file is replaced by TO.  */
static const struct {
    const char *from, *to;
    enum fault_kind kind;
    const char *what;
} damages[] = {
    {"ccprof mlmon 1", "hello", FAULT_FORMAT, "line 1: not a data file of ccprof"},
    {"ccprof mlmon 1", "ccprof mlmon 1 ", FAULT_FORMAT,
     "line 1: not a data file of ccprof"},
    {"ccprof mlmon 1", "ccprof mlmon 10", FAULT_VERSION,
     "line 1: a data file of version 10; this mlprof reads versions 1 to 9"},
    {"ccprof mlmon 1", "ccprof mlmon 0", FAULT_VERSION,
     "line 1: a data file of version 0; this mlprof reads versions 1 to 9"},
    {"label 1 out side", "thread 1 t", FAULT_GARBLED,
     "line 17: it should be `module', `label' or `counts' and a number"},
    {"0 label 0x1 0", "0 thread 0x1 0", FAULT_GARBLED,
     "line 25: no module has this number"},
    {"kind time", "kind time\ncommand ", FAULT_GARBLED,
     "line 3: it should be `command' and what was typed"},
    {"kind time", "kind time\ncommand p\ncommand q", FAULT_GARBLED,
     "line 4: it should be `engine' and one word"},
    {"kind time", "kind time\ncommand p \\x", FAULT_GARBLED,
     "line 3: it should be `command' and what was typed"},
    {"kind time", "command p\nkind time", FAULT_GARBLED,
     "line 2: it should be `kind' and a kind"},
    {"kind time", "kind heat", FAULT_GARBLED,
     "line 2: a kind of profile that this mlprof does not know"},
    {"kind time", "kind times", FAULT_GARBLED,
     "line 2: a kind of profile that this mlprof does not know"},
    {"kind time\n", "", FAULT_GARBLED, "line 2: it should be `kind' and a kind"},
    {"engine thread-timer", "engine a b", FAULT_GARBLED,
     "line 3: it should be `engine' and one word"},
    {"engine thread-timer", "engine ", FAULT_GARBLED,
     "line 3: it should be `engine' and one word"},
    {"engine thread-timer", "engine thread-time", FAULT_GARBLED,
     "line 3: `engine' and a word that this mlprof does not know"},
    {"engine thread-timer", "engine thread-timers", FAULT_GARBLED,
     "line 3: `engine' and a word that this mlprof does not know"},
    {"clock cpu\n", "", FAULT_GARBLED,
     "line 4: a data file of an older ccprof, without `clock': run the program again"},
    {"clock cpu", "clock", FAULT_GARBLED, "line 4: it should be `clock' and one word"},
    {"clock cpu", "clock sun", FAULT_GARBLED,
     "line 4: `clock' and a word that this mlprof does not know"},
    {"stack yes\n", "", FAULT_GARBLED, "line 6: it should be `stack' and one word"},
    {"stack yes", "stack maybe", FAULT_GARBLED,
     "line 6: `stack' and a word that this mlprof does not know"},
    {"threads 2\n", "", FAULT_GARBLED, "line 9: it should be `threads' and a number"},
    {"waits 3", "waits -3", FAULT_GARBLED, "line 10: it should be `waits' and a number"},
    {"rate 100", "rate 0", FAULT_GARBLED, "line 5: a rate out of range"},
    {"rate 100", "rate 1000001", FAULT_GARBLED, "line 5: a rate out of range"},
    {"rate 100", "rate -100", FAULT_GARBLED, "line 5: it should be `rate' and a number"},
    {"cpu 40", "cpu x", FAULT_GARBLED, "line 7: it should be `cpu' and a number"},
    {"wall 41", "wall  41", FAULT_GARBLED, "line 8: it should be `wall' and a number"},
    {"samples 402", "samples 18446744073709551616", FAULT_GARBLED,
     "line 11: it should be `samples' and a number"},
    {"samples 402", "samples 401", FAULT_GARBLED,
     "line 27: the counts do not add up to the samples"},
    {"lost 1\n", "lost 403\n", FAULT_GARBLED,
     "line 12: more samples were lost than taken"},
    {"elsewhere 30\n", "", FAULT_GARBLED,
     "line 13: it should be `elsewhere' and a number"},
    {"elsewhere 30", "elsewhere 9223372036854775808", FAULT_GARBLED,
     "line 13: it should be `elsewhere' and a number"},
    {"elsewhere 30", "elsewhere -0", FAULT_GARBLED,
     "line 13: it should be `elsewhere' and a number"},
    {"elsewhere 30", "elsewhere 30\ninterrupted 0", FAULT_GARBLED,
     "line 14: it should be `interrupted' and a number above 0"},
    {"elsewhere 30", "elsewhere 30\ninterrupted", FAULT_GARBLED,
     "line 14: it should be `module', `label' or `counts' and a number"},
    {"elsewhere 30", "elsewhere 30\ninterrupted 1 2", FAULT_GARBLED,
     "line 14: it should be `interrupted' and a number above 0"},
    {"elsewhere 30", "elsewhere 30\nrefused", FAULT_GARBLED,
     "line 14: it should be `refused' and system calls"},
    {"elsewhere 30", "elsewhere 30\nrefused ioctl open", FAULT_GARBLED,
     "line 14: it should be `refused' and system calls"},
    {"elsewhere 30", "elsewhere 30\nrefused ioctl fcntl", FAULT_GARBLED,
     "line 14: it should be `refused' and system calls"},
    {"elsewhere 30", "elsewhere 30\nrefused ioctl ioctl", FAULT_GARBLED,
     "line 14: it should be `refused' and system calls"},
    {"label 0 in", "own 2 0x1 0x2\nlabel 0 in", FAULT_GARBLED, "line 16: " OWN_WRONG},
    {"label 0 in", "own 1 0x2 0x2\nlabel 0 in", FAULT_GARBLED, "line 16: " OWN_WRONG},
    {"label 0 in", "own 1 0x2\nlabel 0 in", FAULT_GARBLED, "line 16: " OWN_WRONG},
    {"label 1 out", "own 1 0x2 0x3\nlabel 1 out", FAULT_GARBLED,
     "line 17: it should be `module', `label' or `counts' and a number"},
    {"elsewhere 30", "elsewhere -30", FAULT_GARBLED,
     "line 13: a part of a run, but not of so many samples"},
    {"label 0 in", "label 1 in", FAULT_GARBLED,
     "line 16: the labels are not numbered in order"},
    {"label 1 out side", "label 1", FAULT_GARBLED, "line 17: " LABEL_WRONG},
    {"label 1 out side", "label x out side", FAULT_GARBLED, "line 17: " LABEL_WRONG},
    {"label 1 out side", "label 1 out\\side", FAULT_GARBLED, "line 17: " LABEL_WRONG},
    {"label 1 out side", "module 2 - 0x0 late", FAULT_GARBLED,
     "line 17: it should be `module', `label' or `counts' and a number"},
    {"0 label 0x1 0", "0 label 0x2 0", FAULT_GARBLED, "line 25: " POINT_WRONG},
    {"0 label 0x1 0", "0 label 0xffffffffffffffff 0", FAULT_GARBLED,
     "line 25: " POINT_WRONG},
    {"0 label 0x1 0", "0 label 0x1 1", FAULT_GARBLED, "line 25: " POINT_WRONG},
    {"0 label 0x1 0", "1 label 0x1 0", FAULT_GARBLED, "line 25: " POINT_WRONG},
    {"0 label 0x1 0", "0 labels 0x1 0", FAULT_GARBLED, "line 25: " COUNTS_WRONG},
    {"module 0", "module 1", FAULT_GARBLED,
     "line 14: the modules are not numbered in order"},
    {"module 1", "module 18446744073709551616", FAULT_GARBLED, "line 15: " MODULE_WRONG},
    {"6a2f", "6a2", FAULT_GARBLED, "line 14: " MODULE_WRONG},
    {"6a2f", "6A2F", FAULT_GARBLED, "line 14: " MODULE_WRONG},
    {"6a2f", "", FAULT_GARBLED, "line 14: " MODULE_WRONG},
    {"0x5581b0c00000", "5581b0c00000", FAULT_GARBLED, "line 14: " MODULE_WRONG},
    {" /opt/games/my prog", " ", FAULT_GARBLED, "line 14: " MODULE_WRONG},
    {"/a\\\\b", "/a\\b", FAULT_GARBLED, "line 15: " MODULE_WRONG},
    {"\\nc", "\\", FAULT_GARBLED, "line 15: " MODULE_WRONG},
    {"counts 9", "count 9", FAULT_GARBLED,
     "line 18: it should be `module', `label' or `counts' and a number"},
    {MODULES, "", FAULT_GARBLED, "line 16: the executable's `module' line is missing"},
    {"counts 9", "counts 10", FAULT_GARBLED, "line 28: " COUNTS_WRONG},
    {"counts 9", "counts 5", FAULT_GARBLED,
     "line 23: the counts do not add up to the samples"},
    {"counts 9", "counts 18446744073709551615", FAULT_GARBLED, "line 28: " COUNTS_WRONG},
    {"0 0 0x1151 300", "1 0 0x1151 300", FAULT_GARBLED,
     "line 19: deeper than the point before it by more than one"},
    {"2 0 0x1151 50", "3 0 0x1151 50", FAULT_GARBLED,
     "line 22: deeper than the point before it by more than one"},
    {"2 0 0x1151 50", "18446744073709551615 0 0x1151 50", FAULT_GARBLED,
     "line 22: deeper than the point before it by more than one"},
    {"0 0 0x1151 300", "0 2 0x1151 300", FAULT_GARBLED,
     "line 19: no module has this number"},
    {"0 0 0x1151 300", "0 0 0X1151 300", FAULT_GARBLED, "line 19: " COUNTS_WRONG},
    {"0 0 0x1151 300", "0 0 0x1151 300 ", FAULT_GARBLED, "line 19: " COUNTS_WRONG},
    {"0 0 0x1151 300", "0 0 0x11151112222333344 300", FAULT_GARBLED,
     "line 19: " COUNTS_WRONG},
    {"0 0 0x1151 300", "0 0 0x1151 18446744073709551615", FAULT_GARBLED,
     "line 21: the counts add up to more than 64 bits"},
    {"end\n", "ende\n", FAULT_GARBLED, "line 28: it should be `end'"},
    {"end\n", "end\nmore", FAULT_GARBLED, "line 29: there is something behind `end'"},
};

START_TEST(damage)
{
    datafile_assert_damage(WHOLE, damages[_i].from, damages[_i].to, damages[_i].kind,
                           damages[_i].what);
}
END_TEST

/* A file of version 2: two threads, one in a phase, and those that found no room.  */
#define HEAD_2                                                                           \
    "ccprof mlmon 2\nkind time\nengine task-clock\nclock cpu\nrate 100\nstack yes\n"     \
    "cpu 0\nwall 0\nthreads 3\nwaits 0\nsamples 16\nlost 1\nelsewhere 0\n"               \
    "module 0 - 0x0 p\nlabel 0 load\n"
#define THREADS "thread 0 others\nthread 1 p\nthread 4294967295 w\\\\ 2\\n\n"
#define POINTS_2                                                                         \
    "counts 8\n0 thread 0x1 0\n1 0 0x1151 3\n0 thread 0xffffffff 0\n1 label 0x0 0\n"     \
    "2 0 0x1151 4\n0 thread 0x0 0\n1 0 0x1151 7\n0 0 0x1151 1\n"
#define WHOLE_2 HEAD_2 THREADS POINTS_2 "end\n"

START_TEST(threads)
{
    struct profile profile = datafile_parse(WHOLE_2);
    ck_assert_uint_eq(profile.thread_names.count, 3);
    ck_assert_str_eq(intern_text(&profile.thread_names, 0), "0 others");
    ck_assert_str_eq(intern_text(&profile.thread_names, 1), "1 p");
    ck_assert_str_eq(intern_text(&profile.thread_names, 2), "4294967295 w\\ 2\n");
    ck_assert_uint_eq(profile.node_count, 8);
    assert_node(&profile, 0, PROFILE_NO_NODE, PROFILE_THREAD, 1, 0);
    assert_node(&profile, 1, 0, 0, 0x1151, 3);
    assert_node(&profile, 2, PROFILE_NO_NODE, PROFILE_THREAD, 2, 0);
    assert_node(&profile, 3, 2, PROFILE_LABEL, 0, 0);
    assert_node(&profile, 4, 3, 0, 0x1151, 4);
    assert_node(&profile, 5, PROFILE_NO_NODE, PROFILE_THREAD, 0, 0);
    assert_node(&profile, 6, 5, 0, 0x1151, 7);
    assert_node(&profile, 7, PROFILE_NO_NODE, 0, 0x1151, 1);
    profile_free(&profile);
}
END_TEST

#define THREAD_WRONG "it should be `thread' and a number, a name"
#define PLACE_WRONG  "no thread has this number, or it cannot stand here"

static const struct {
    const char *from, *to, *what;
} wrong_threads[] = {
    {"thread 1 p", "thread 0 p", "line 17: the numbers of threads do not ascend"},
    {"thread 4294967295", "thread 1", "line 18: the numbers of threads do not ascend"},
    {"thread 4294967295", "thread 18446744073709551615",
     "line 18: the numbers of threads do not ascend"},
    {"thread 1 p", "thread 1 ", "line 17: " THREAD_WRONG},
    {"thread 1 p", "thread 1", "line 17: " THREAD_WRONG},
    {"thread 1 p", "thread x p", "line 17: " THREAD_WRONG},
    {"thread 1 p", "thread 1 p\\", "line 17: " THREAD_WRONG},
    {"thread 1 p", "label 1 late",
     "line 17: it should be `module', `label' or `counts' and a number"},
    {"0 thread 0x1 0", "0 thread 0x2 0", "line 20: " PLACE_WRONG},
    {"0 thread 0x1 0", "0 thread 0x1 1", "line 20: " PLACE_WRONG},
    {"0 thread 0x1 0", "0 threads 0x1 0", "line 20: " COUNTS_WRONG},
    {"1 label 0x0 0", "1 thread 0x1 0", "line 23: " PLACE_WRONG},
    {"2 0 0x1151 4", "2 thread 0x1 0", "line 24: " PLACE_WRONG},
};

START_TEST(damaged_threads)
{
    datafile_assert_damage(WHOLE_2, wrong_threads[_i].from, wrong_threads[_i].to,
                           FAULT_GARBLED, wrong_threads[_i].what);
}
END_TEST

/* A file of version 3: a point whose samples were taken in two buckets of the last of the
   times, told twice; one in a phase of a thread, and one of no module.  */
#define HEAD_3                                                                           \
    "ccprof mlmon 3\nkind time\nengine task-clock\nclock cpu\nrate 100\nstack yes\n"     \
    "cpu 0\nwall 0\nthreads 3\nwaits 0\nsamples 16\nlost 1\nelsewhere 0\n"               \
    "module 0 - 0x0 p\nlabel 0 load\n"
#define TIMES "thread 1 p\ntimes 10000000 99999999\n"
#define POINTS_3                                                                         \
    "counts 12\n0 thread 0x1 0\n1 0 0x1151 0\n2 time 0x9 3\n2 0 0x1160 0\n"              \
    "3 time 0x0 1\n2 time 0x4 5\n1 label 0x0 0\n2 - 0x7fff 0\n3 time 0x9 2\n"            \
    "0 thread 0x1 0\n1 0 0x1151 0\n2 time 0x9 4\n"
#define WHOLE_3 HEAD_3 TIMES POINTS_3 "end\n"

static void assert_time(const struct profile *profile, size_t number, uint32_t node,
                        uint32_t bucket, uint64_t count)
{
    const struct shares_entry *entry = &profile->times.shares.entries[number];
    ck_assert_uint_eq(entry->owner, node);
    ck_assert_uint_eq(entry->bin, bucket);
    ck_assert_uint_eq(entry->count, count);
}

START_TEST(times)
{
    struct profile profile = datafile_parse(WHOLE_3);
    ck_assert_uint_eq(profile.times.width, 10000000);
    ck_assert_uint_eq(profile.times.span, 99999999);
    ck_assert_uint_eq(profile.node_count, 7);
    profile_join(&profile);
    ck_assert_uint_eq(profile.node_count, 5);
    assert_node(&profile, 0, PROFILE_NO_NODE, PROFILE_THREAD, 0, 0);
    assert_node(&profile, 1, 0, 0, 0x1151, 12);
    assert_node(&profile, 2, 1, 0, 0x1160, 1);
    assert_node(&profile, 3, 0, PROFILE_LABEL, 0, 0);
    assert_node(&profile, 4, 3, PROFILE_NO_MODULE, 0x7fff, 2);
    ck_assert_uint_eq(profile.times.shares.count, 4);
    assert_time(&profile, 0, 1, 4, 5);
    assert_time(&profile, 1, 1, 9, 7);
    assert_time(&profile, 2, 2, 0, 1);
    assert_time(&profile, 3, 4, 9, 2);
    profile_free(&profile);
}
END_TEST

#define TIMES_WRONG "it should be `times' and two numbers"
#define TIME_WRONG  "a time that is not in the run, or cannot stand here"

static const struct {
    const char *from, *to, *what;
} wrong_times[] = {
    {"times 10000000", "times 0", "line 17: no buckets of time, or too many"},
    {"times 10000000", "times 1525", "line 17: no buckets of time, or too many"},
    {"times 10000000 ", "times 10000000", "line 17: " TIMES_WRONG},
    {"times 10000000", "times -1", "line 17: " TIMES_WRONG},
    {"99999999", "99999999 ", "line 17: " TIMES_WRONG},
    {"99999999", "18446744073709551616", "line 17: " TIMES_WRONG},
    {"times 10000000 99999999\n", "", "line 17: " TIMES_WRONG},
    {"2 time 0x9 3", "2 time 0xa 3", "line 21: " TIME_WRONG},
    {"2 time 0x9 3", "2 time 0x100000000 3", "line 21: " TIME_WRONG},
    {"2 time 0x9 3", "1 time 0x9 3", "line 21: " TIME_WRONG},
    {"2 time 0x9 3", "0 time 0x9 3", "line 21: " TIME_WRONG},
    {"2 time 0x9 3", "2 times 0x9 3", "line 21: " COUNTS_WRONG},
    {"3 time 0x0 1", "4 time 0x0 1",
     "line 23: deeper than the point before it by more than one"},
    {"2 0 0x1160 0", "3 0 0x1160 0",
     "line 22: deeper than the point before it by more than one"},
    {"1 0 0x1151 0", "1 0 0x1151 1", "line 20: samples without a time"},
    {"2 time 0x9 3", "2 time 0x9 4", "line 30: the counts do not add up to the samples"},
    {"2 time 0x9 3", "2 time 0x9 18446744073709551615",
     "line 23: the counts add up to more than 64 bits"},
};

START_TEST(damaged_times)
{
    datafile_assert_damage(WHOLE_3, wrong_times[_i].from, wrong_times[_i].to,
                           FAULT_GARBLED, wrong_times[_i].what);
}
END_TEST

START_TEST(a_nul_in_the_text)
{
    char text[] = WHOLE;
    char *at = strstr(text, "my prog");
    *at = '\0';
    datafile_assert_refused(text, sizeof text - 1, FAULT_GARBLED,
                            "m: line 14: " MODULE_WRONG);
}
END_TEST

START_TEST(files)
{
    struct fault fault = {0};
    struct profile profile = {0};
    ck_assert(!mlmon_read(&profile, "nowhere", &fault));
    ck_assert_str_eq(fault.text, "nowhere: No such file or directory");
    ck_assert(!mlmon_read(&profile, ".", &fault));
    ck_assert_str_eq(fault.text, ".: Is a directory");
    fault_clear(&fault);
    /* An endless file.  */
    ck_assert(!mlmon_read(&profile, "/dev/zero", &fault));
    ck_assert_str_eq(fault.text, "/dev/zero: line 1: not a data file of ccprof");
    fault_clear(&fault);
    FILE *file = fopen("whole", "w");
    fputs(WHOLE, file);
    fclose(file);
    ck_assert(mlmon_read(&profile, "whole", &fault));
    ck_assert_uint_eq(profile.samples, 402);
    profile_free(&profile);
}
END_TEST

START_TEST(many_points_and_great_depth)
{
    enum { POINTS_COUNT = 200000 };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(
        out,
        "ccprof mlmon 1\nkind time\nengine task-clock\nclock cpu\nrate 100\nstack yes\n"
        "cpu 0\nwall 0\nthreads 1\nwaits 0\nsamples %d\nlost 0\nelsewhere 0\nmodule 0 - "
        "0x0 p\ncounts "
        "%d\n",
        POINTS_COUNT, POINTS_COUNT);
    for (int i = 0; i < POINTS_COUNT; i++)
        fprintf(out, "%d 0 0x%x 1\n", i, i);
    fputs("end\n", out);
    fclose(out);
    struct profile profile = datafile_parse(text);
    ck_assert_uint_eq(profile.node_count, POINTS_COUNT);
    ck_assert_uint_eq(profile.nodes[POINTS_COUNT - 1].parent, POINTS_COUNT - 2);
    profile_free(&profile);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mlmon");
    TCase *tests = tcase_create("mlmon");
    tcase_add_test(tests, a_whole_file);
    tcase_add_test(tests, the_own_code);
    tcase_add_test(tests, an_empty_name);
    tcase_add_test(tests, the_tree);
    tcase_add_test(tests, the_empty_profile);
    tcase_add_test(tests, a_part);
    tcase_add_test(tests, a_command);
    tcase_add_test(tests, the_example_of_the_page);
    tcase_add_test(tests, cut_off_anywhere);
    tcase_add_test(tests, targets);
    tcase_add_test(tests, rests);
    tcase_add_loop_test(tests, damaged_rests, 0,
                        sizeof wrong_rests / sizeof *wrong_rests);
    tcase_add_test(tests, threads);
    tcase_add_loop_test(tests, damaged_threads, 0,
                        sizeof wrong_threads / sizeof *wrong_threads);
    tcase_add_test(tests, times);
    tcase_add_loop_test(tests, damaged_times, 0,
                        sizeof wrong_times / sizeof *wrong_times);
    tcase_add_loop_test(tests, damaged_targets, 0,
                        sizeof wrong_targets / sizeof *wrong_targets);
    tcase_add_loop_test(tests, damage, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, a_nul_in_the_text);
    tcase_add_test(tests, files);
    tcase_add_test(tests, many_points_and_great_depth);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}
