/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The distribution of samples over ranks and threads, on stacks small enough to work out
   everything by hand. */

#include "mlprof/rows/spread.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/keep_graph.h"

static struct keep_graph made;
static struct profile profile;

static void add_rank(uint64_t rank, bool ranked)
{
    struct origins_origin like = {.ranked = ranked, .rank = rank, .files = 1};
    origins_add(&profile.origins, "host", &like);
}

static void setup(void)
{
    keep_graph_make(&made);
    profile = (struct profile){0};
}

static void teardown(void)
{
    origins_free(&profile.origins);
    packed_free(&made.rows.stacks.origins);
    keep_graph_free(&made);
}
TEST_AROUND(setup, teardown)

static void share(uint32_t node, uint32_t worker, uint64_t count)
{
    packed_add(&made.rows.stacks.origins, node, worker, count);
}

/* Prints a sum. If it is not 0, also prints the least and the most that a worker has, and
   the worker with the most; ! if chance cannot explain the most. The chance is computed
   by exact fractions of the binomial distribution, times the number of workers and
   rows. */
static void print_load(FILE *out, const struct spread_load *load)
{
    fprintf(out, "%u", (unsigned)load->total);
    if (load->most)
        fprintf(out, ":%u-%u@%u%s", (unsigned)load->least, (unsigned)load->most,
                load->busiest, load->certain ? "!" : "");
}

/* Prints the workers, ranks with their origin; the samples of no worker; and for each
   function its own samples and those on the stack. */
static void assert_spread(enum spread_over kind, const char *expected)
{
    struct spread spread;
    packed_sort(&made.rows.stacks.origins);
    spread_find(&spread, kind, &made.rows, &profile);
    FILE *out = print_begin();
    for (size_t i = 0; i < spread.count; i++) {
        fprintf(out, "%u", (unsigned)spread.workers[i].number);
        if (kind == SPREAD_RANKS)
            fprintf(out, ".%u%s", spread.workers[i].origin,
                    spread.workers[i].moved ? " moved" : "");
        fputs(", ", out);
    }
    fprintf(out, "apart %u", (unsigned)spread.apart);
    for (size_t i = 0; i < KEEP_GRAPH_FUNCTIONS; i++) {
        fprintf(out, ", %s ", keep_graph_names[i]);
        print_load(out, &spread.self[i]);
        fputs("/", out);
        print_load(out, &spread.stack[i]);
    }
    print_end(out, expected);
    if (spread.self[KEEP_GRAPH_F].total == 6)
        ck_assert(spread_mean(&spread, &spread.self[KEEP_GRAPH_F]) == 2);
    spread_free(&spread);
}

/* Rank 0 (a worker without a sample), rank 5, which has all samples of z's k, and rank 7.
   4 samples of f and all of the second h belong to no rank. z is on its stack twice and
   counts once. */
TEST(ranks)
{
    add_rank(0, true);
    add_rank(0, false);
    add_rank(5, true);
    add_rank(7, true);
    share(1, 1, 4), share(1, 2, 1), share(1, 3, 5);
    share(2, 2, 10);
    share(3, 3, 20);
    share(4, 1, 20);
    share(5, 2, 15), share(5, 3, 15);
    share(8, 2, 10);
    assert_spread(SPREAD_RANKS,
                  "0.0, 5.2, 7.3, apart 24, main 0/76:0-40@2!, f 6:0-5@2/16:0-11@1, "
                  "g 20:0-20@2!/50:0-35@2!, h 10:0-10@1!/40:0-25@1!, "
                  "k 40:0-25@1!/40:0-25@1!, z 0/10:0-10@1!");
}

/* The calls of main and z are two threads; the second was created before the first. f is
   directly below main. Samples in [other threads] belong to no thread. */
TEST(threads)
{
    static const char alone[] = "2, apart 90, main 0/0, f 0/0, g 0/0, h 0/0, "
                                "k 10:10-10@0/10:10-10@0, z 0/0";
    struct identity_source sources[KEEP_GRAPH_FUNCTIONS] = {0};
    made.rows.stacks.sources.list = sources;
    sources[made.copies[0].source].name = "[thread 10 a]";
    sources[made.copies[made.nodes[6].copy].source].name = "[thread 2 b]";
    made.copies[0].what = STACKS_THREAD;
    made.nodes[6].parent = STACKS_NONE;
    made.copies[made.nodes[6].copy].what = STACKS_THREAD;
    assert_spread(SPREAD_THREADS, "2, 10, apart 0, main 0/0, f 10:0-10@1!/20:0-20@1!, "
                                  "g 20:0-20@1!/70:0-70@1!, h 30:0-30@1!/60:0-60@1!, "
                                  "k 40:10-30@1!/40:10-30@1!, z 0/0");
    sources[made.copies[0].source].name = "[other threads]";
    assert_spread(SPREAD_THREADS, alone);
    made.copies[0].what = STACKS_CODE;
    assert_spread(SPREAD_THREADS, alone);
}
