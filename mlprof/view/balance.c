/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how many samples were taken, how precise shares are, and warnings about late
   or missing samples. show.c calls it below the tables, export/html.c for the page. */

#include "mlprof/view/balance.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"
#include "mlprof/base/text.h"
#include "mlprof/view/rows-table.h"
#include "rt/format.h"

#include <inttypes.h>
#include <math.h>

/* Shares are good if their error is at most this. */
#define GOOD 0.01

/* A larger error of shares is reported even in the brief report. */
#define POOR 0.05

/* Returns the minimum number of samples with good shares. */
static uint64_t samples_needed(void)
{
    uint64_t least = 0, most = 1 << 20;
    while (most - least > 1) {
        uint64_t middle = least + (most - least) / 2;
        if (statistics_bound(middle) > GOOD)
            least = middle;
        else
            most = middle;
    }
    return most;
}

/* Prints the sampling rate, to two digits, or the number of runs that would make
   shares good. */
static void print_remedy(FILE *out, const struct profile *profile)
{
    double times = (double)samples_needed() / (double)profile->sampling.samples;
    double rate = times * (double)profile->sampling.rate;
    double step = pow(10, floor(log10(rate)) - 1);
    rate = ceil(rate / step) * step;
    fprintf(out, "; +-%.0f: ", 100 * GOOD);
    if (profile->sampling.rate < CCPROF_RATE_MOST)
        fprintf(out, "CCPROF=rate=%.0f",
                rate < CCPROF_RATE_MOST ? rate : CCPROF_RATE_MOST);
    if (rate > CCPROF_RATE_MOST && profile->sampling.rate < CCPROF_RATE_MOST) {
        times *= (double)profile->sampling.rate / CCPROF_RATE_MOST;
        fputs(" and ", out);
    } else if (profile->sampling.rate < CCPROF_RATE_MOST) {
        fputs(", or ", out);
    }
    fprintf(out, "%.0f runs", fmax(ceil(times), 2));
}

/* Returns the maximum error of any share of the samples, in 95 of 100 runs. */
static double precision(const struct profile *profile)
{
    double effect =
        statistics_design_effect(&profile->sampling.weights, profile->sampling.samples);
    return statistics_bound(statistics_effective(profile->sampling.samples, effect));
}

/* Returns whether shares may be wrong by more than five percentage points. Also
   returns true if there are no samples. */
static bool is_poor(const struct profile *profile)
{
    return precision(profile) > POOR;
}

bool balance_print_precision(FILE *out, const struct profile *profile, bool marked,
                             bool brief)
{
    double bound = precision(profile);
    bool few = profile->sampling.samples && (brief ? is_poor(profile) : bound > GOOD);
    if (few) {
        BUF_OWN char *number = text_number(profile->sampling.samples, "sample");
        fprintf(out, "%s: shares are good to +-%.1f points", number, 100 * bound);
        print_remedy(out, profile);
        putc('\n', out);
    }
    if (marked)
        fputs(ROWS_TABLE_MARK " not certainly less than the row above\n", out);
    return few || marked;
}

static const struct {
    enum profile_engine engine;
    const char *name;
} engines[] = {{PROFILE_TASK_CLOCK, "task-clock"},
               {PROFILE_THREAD_TIMER, "thread-timer"},
               {PROFILE_WALL_TIMER, "wall-timer"}};

/* The sampled percentage is printed only if at least this many samples were expected,
   and the CPU time in nanoseconds is at least PERCENT_TIME. Otherwise the percentage
   would be mostly random. */
#define PERCENT_EXPECTED 10
#define PERCENT_TIME     100000000

/* A profile is reported as wrong in two cases: if the CPU time that is missing, or the
   CPU time in ccprof's own code, is more than UNSAMPLED_WRONG of the total; or if more
   than LOST_WRONG of the samples are lost. */
#define UNSAMPLED_WRONG 0.05
#define LOST_WRONG      0.01

/* Returns the number of all samples of the runs. Samples in ccprof's own code and in
   other files are included, because waits are counted during them too. */
static double all_samples(const struct profile *profile)
{
    return (double)profile->sampling.samples + (double)profile->sampling.ccprof_samples +
           (double)profile->sampling.moved;
}

double balance_in_step(const struct profile *profile)
{
    if (profile->sampling.samples == 0 || all_samples(profile) <= 0 ||
        (profile->sampling.engines & PROFILE_THREAD_TIMER) == 0)
        return 0;
    double samples = all_samples(profile), waits = (double)profile->runs.waits;
    /* waits / samples must exceed 0.05 and 1 / sqrt (samples). */
    if (waits * 20 <= samples || waits * waits <= samples)
        return 0;
    return waits < samples ? waits / samples : 1;
}

static void print_seconds(FILE *out, const char *before, double seconds,
                          const char *after)
{
    BUF_OWN char *text = text_commas(seconds > 0 ? seconds : 0, 2);
    fprintf(out, "%s%s s%s", before, text, after);
}

static void print_engines(FILE *out, unsigned set)
{
    const char *before = "";
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (set & engines[i].engine) {
            fprintf(out, "%s%s", before, engines[i].name);
            before = " and ";
        }
}

/* If several data files were added up, prints how many, and from how many ranks and
   hosts. */
static void print_files(FILE *out, const struct profile *profile)
{
    if (profile->runs.files < 2)
        return;
    size_t ranks = origins_ranks(&profile->origins);
    uint64_t least, size = origins_size(&profile->origins, &least);
    fprintf(out, ", %" PRIu64 " data files", profile->runs.files);
    if (ranks && ranks < size)
        fprintf(out, " of %zu of %" PRIu64 " ranks", ranks, size);
    else if (ranks)
        fprintf(out, " of %zu rank%s", ranks, ranks == 1 ? "" : "s");
    if (profile->origins.hosts.count > 1)
        fprintf(out, " on %zu hosts", profile->origins.hosts.count);
}

/* Returns whether the sampled percentage of the CPU time is known well enough to
   print. */
static bool has_percent(const struct profile *profile)
{
    double cpu = (double)profile->runs.cpu / 1e9;
    return profile->sampling.clock == PROFILE_CPU && profile->sampling.moved >= 0 &&
           profile->runs.cpu >= PERCENT_TIME &&
           cpu * (double)profile->sampling.rate >= PERCENT_EXPECTED;
}

static void print_sampled(FILE *out, const struct profile *profile, double sampled,
                          double cpu)
{
    print_seconds(out, "sampled ", sampled, "");
    if (profile->sampling.moved < 0) {
        fputs(", a part of what the program used", out);
    } else if (profile->sampling.clock == PROFILE_WALL) {
        print_seconds(out, " on the clock, all threads together, in ",
                      (double)profile->runs.wall / 1e9, " with ");
        print_seconds(out, "", cpu, " CPU time");
    } else {
        print_seconds(out, " of ", cpu, " CPU time");
        if (has_percent(profile))
            fprintf(out, " (%.1f %%)", 100 * sampled / cpu);
    }
    fputs(", engine ", out);
    print_engines(out, profile->sampling.engines);
    fprintf(out, " at %" PRIu64 " Hz", profile->sampling.rate);
    /* Do not print the number of threads for several runs with one thread each. */
    if (profile->sampling.moved >= 0 && profile->runs.threads &&
        (profile->runs.files < 2 || profile->runs.most_threads > 1))
        fprintf(out, ", %" PRIu64 " thread%s", profile->runs.threads,
                profile->runs.threads == 1 ? "" : "s");
    print_files(out, profile);
    putc('\n', out);
}

/* Prints the seconds without a sampler, and their share of the CPU time. */
static void print_unsampled(FILE *out, const struct profile *profile, double unsampled,
                            double cpu)
{
    print_seconds(out, "unsampled ", unsampled, "");
    if (has_percent(profile))
        fprintf(out, " (%.1f %%)", unsampled > 0 ? 100 * unsampled / cpu : 0);
    fputs(", ", out);
}

static void print_warning(FILE *out, const struct profile *profile, double fraction)
{
    fprintf(
        out,
        "warning: the program waited %.2f times a sample: if it runs in step with the "
        "kernel's tick, by which the engine samples, shares are wrong by up to %.0f "
        "points\n",
        (double)profile->runs.waits / all_samples(profile), 100 * fraction);
}

static void print_interrupted(FILE *out, const struct profile *profile)
{
    if (!profile->sampling.interrupted)
        return;
    fprintf(out, "warning: %" PRIu64 " system call%s returned EINTR for a sample%s\n",
            profile->sampling.interrupted, profile->sampling.interrupted == 1 ? "" : "s",
            profile->sampling.clock == PROFILE_WALL
                ? ": if the program does not wait again, what it does then has too few"
                : "");
}

static void print_late(FILE *out, const struct profile *profile)
{
    BUF_OWN char *number = text_number(profile->sampling.late, "sample");
    if (profile->sampling.late)
        fprintf(out,
                "warning: %s came more than a tick late, since the program blocked "
                "signals: they count\nwhere it unblocked them\n",
                number);
}

char *balance_refused(const struct profile *profile)
{
    static const char *const names[] = CCPROF_REFUSED_NAMES;
    const char *before = "";
    char *text;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (unsigned i = 0; i < CCPROF_REFUSED_COUNT; i++)
        if (profile->sampling.refused & 1u << i) {
            fprintf(out, "%s%s", before, names[i]);
            before = ", ";
        }
    buf_close(out);
    return text;
}

static void print_refused(FILE *out, const struct profile *profile)
{
    if (!profile->sampling.refused)
        return;
    BUF_OWN char *names = balance_refused(profile);
    fprintf(out, "warning: samples are missing: the program was not allowed to call %s\n",
            names);
}

static void print_skid(FILE *out, const struct profile *profile, const struct skid *skid)
{
    if (profile->sampling.samples == 0)
        return;
    uint64_t read = skid ? skid_read(skid) : 0, unread = skid ? skid_unread(skid) : 0;
    if (skid && !read && !unread)
        return;
    fputs(read ? ", skid corrected" : ", skid not corrected", out);
    if (!read || !unread)
        return;
    print_seconds(out, " but for ", (double)unread / (double)profile->sampling.rate, "");
}

void balance_print(FILE *out, const struct profile *profile, const struct skid *skid)
{
    if (!profile->kind)
        return;
    double ccprof_seconds =
        (double)profile->sampling.ccprof_samples / (double)profile->sampling.rate;
    double sampled = (double)profile->sampling.samples / (double)profile->sampling.rate +
                     ccprof_seconds;
    double moved = (double)profile->sampling.moved / (double)profile->sampling.rate;
    double cpu = (double)profile->runs.cpu / 1e9, fraction = balance_in_step(profile);
    print_sampled(out, profile, sampled, cpu);
    if (profile->sampling.clock == PROFILE_CPU)
        print_unsampled(out, profile, cpu - sampled - moved, cpu);
    if (profile->sampling.moved > 0)
        print_seconds(out, "in other files ", moved, ", ");
    if (profile->sampling.ccprof_samples)
        print_seconds(out, "in ccprof's own code ", ccprof_seconds, ", ");
    print_seconds(out, "<lost> ",
                  (double)profile->sampling.lost / (double)profile->sampling.rate, "");
    print_skid(out, profile, skid);
    putc('\n', out);
    print_interrupted(out, profile);
    print_late(out, profile);
    print_refused(out, profile);
    if (fraction > 0)
        print_warning(out, profile, fraction);
}

void balance_print_brief(FILE *out, const struct profile *profile, double uncovered)
{
    double expected = (double)profile->runs.cpu / 1e9 * (double)profile->sampling.rate;
    if (!profile->kind)
        return;
    if (has_percent(profile))
        fprintf(out, "%.1f %% sampled", 100 * all_samples(profile) / expected);
    else
        fprintf(out, "%" PRIu64 " sample%s", profile->sampling.samples,
                profile->sampling.samples == 1 ? "" : "s");
    if (!is_poor(profile))
        fprintf(out, ", shares +-%.1f points", 100 * precision(profile));
    print_files(out, profile);
    if (uncovered >= 0.05)
        fprintf(out, ", %.1f %% in unprofiled code", uncovered);
    fputs(": -balance true\n", out);
    print_interrupted(out, profile);
}

bool balance_is_wrong(const struct profile *profile, const struct skid *skid)
{
    double samples = (double)profile->sampling.samples, expected,
           unread = skid ? (double)skid_unread(skid) : 0,
           worst = LOST_WRONG * all_samples(profile);
    if (profile->sampling.refused || profile->sampling.moved ||
        (double)profile->sampling.late > worst || balance_in_step(profile) > 0 ||
        (double)profile->sampling.lost > worst ||
        (double)profile->sampling.ccprof_samples >
            UNSAMPLED_WRONG * all_samples(profile) ||
        (samples > 0 && unread > worst))
        return true;
    /* Up to three standard deviations can be random. */
    expected = (double)profile->runs.cpu / 1e9 * (double)profile->sampling.rate;
    double missing = fabs(expected - all_samples(profile));
    return profile->sampling.clock == PROFILE_CPU &&
           missing > UNSAMPLED_WRONG * expected && missing > 3 * sqrt(expected);
}

void balance_print_uncounted(FILE *out, const struct profile *profile)
{
    if (profile->runs.uncounted)
        fprintf(out,
                "warning: %" PRIu64 " thread%s that ccprof did not know of %s not "
                "counted in full\n",
                profile->runs.uncounted, profile->runs.uncounted == 1 ? "" : "s",
                profile->runs.uncounted == 1 ? "was" : "were");
    if (profile->runs.switched)
        fputs("warning: no inclusive counts: stacks were changed unseen (ccprof(1), "
              "stack)\n",
              out);
    for (uint32_t i = 0; i < profile->runs.messages.count; i++) {
        BUF_OWN char *message = text_clean(intern_text(&profile->runs.messages, i));
        fprintf(out, "warning: %s\n", message);
    }
}

/* If at least this many samples were expected and none was taken, the cause is not
   chance: the probability is at most exp(-5), less than one percent. */
#define EXPECTED_OF_NONE 5

char *balance_why_none(const struct profile *profile)
{
    if (!(profile->kind & CCPROF_KIND_TIME) || profile->sampling.samples ||
        profile->sampling.ccprof_samples)
        return NULL;
    if (profile->sampling.moved > 0)
        return buf_copy("no samples: all of them are in the other files that the program "
                        "has written; name these, too");
    bool on_clock = profile->sampling.clock == PROFILE_WALL;
    const char *what = on_clock ? "time" : "CPU time";
    double seconds = (double)(on_clock ? profile->runs.wall : profile->runs.cpu) / 1e9;
    if (profile->sampling.refused) {
        BUF_OWN char *names = balance_refused(profile);
        return buf_format(
            "no samples: the program was not allowed to call %s, by a filter of its own "
            "(seccomp) for example",
            names);
    }
    if (seconds * (double)profile->sampling.rate > EXPECTED_OF_NONE)
        return buf_format(
            "no samples in %.3g s of %s: %sthe signal SIGPROF was taken or blocked, by "
            "another profiler for example (gcc -pg), or sampling was never started "
            "(CCPROF=start=no)",
            seconds, what,
            profile->sampling.engines == PROFILE_THREAD_TIMER
                ? "the program never ran at the kernel's tick, by which engine "
                  "thread-timer samples, as one that works briefly and waits; or "
                : "");
    BUF_OWN char *more =
        profile->sampling.rate < CCPROF_RATE_MOST
            ? buf_format(", or sample more often: CCPROF=rate=%d", CCPROF_RATE_MOST)
            : buf_copy("");
    char *text =
        buf_format("no samples: the program used %.3g s of %s, and one is taken every "
                   "%.3g s; let it run longer%s",
                   seconds, what, 1 / (double)profile->sampling.rate, more);
    return text;
}
