/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the texts about the heap above and below the tables: total, peak, leaks, freed
   blocks, and what was not seen. */

#include "mlprof/view/heapwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/profile/heappoints.h"
#include "mlprof/profile/heapranges.h"

#include <math.h>

bool heapwords_check_times(const struct heapdata *heap, uint64_t files,
                           const char *option, struct fault *fault)
{
    if (heap->times.count)
        return true;
    return fault_set(fault, FAULT_MISMATCH, option,
                     files > 1 ? "times are those of one run: give it one data file"
                               : "the data do not say when blocks were allocated: an "
                                 "older runtime or a crash wrote them");
}

/* Returns bytes and blocks as text. The caller frees it. */
static char *amount_text(const struct heapdata_amount *amount)
{
    BUF_OWN char *bytes = text_number(amount->bytes, "byte");
    BUF_OWN char *blocks = text_number(amount->blocks, "block");
    return buf_format("%s in %s", bytes, blocks);
}

char *heapwords_range(struct statistics_interval range)
{
    BUF_OWN char *from = text_commas(round(range.least), 0);
    BUF_OWN char *to = text_commas(round(range.most), 0);
    return buf_format("%s-%s", from, to);
}

/* Adds the errors of all samples of MEASURE to ERRORS. Returns the number of samples. */
static uint64_t add_samples(const struct heapdata *heap, enum heapdata_measure measure,
                            struct statistics_error errors[2])
{
    uint64_t samples = 0;
    for (size_t i = 0; i < heap->sampled.blocks.count; i++) {
        const struct heapdata_sized *sized = &heap->sampled.blocks.list[i];
        heapdata_add_error(errors, heap->sample, sized->size, sized->blocks[measure]);
        samples += sized->blocks[measure];
    }
    return samples;
}

char *heapwords_samples(const struct heapdata *heap, enum heapdata_measure measure)
{
    struct statistics_error errors[2] = {0};
    uint64_t samples = add_samples(heap, measure, errors);
    struct statistics_interval interval =
        heapdata_interval(&heap->sums[measure], heap->sums[HEAPDATA_TOTAL].bytes,
                          &errors[1], heap->sample, measure, false);
    BUF_OWN char *count = text_number(samples, "sample"),
                 *bytes = heapwords_range(interval);
    BUF_OWN char *size = text_number(heap->sample, "byte");
    return buf_format("estimates from %s, one in %s; 95%% range of the bytes %s", count,
                      size, bytes);
}

static char *seconds_text(uint64_t milliseconds)
{
    return text_commas((double)milliseconds / 1000, milliseconds % 10 ? 3 : 2);
}

/* If only allocations in a range of time are shown, prints the range. */
static void put_range(FILE *out, const struct heaptimes_range *range)
{
    if (range->to == 0)
        return;
    BUF_OWN char *from = seconds_text(range->from), *to = seconds_text(range->to);
    fprintf(out, ", of what was allocated from %s to %s seconds", from, to);
}

/* Prints the point in time for which the report shows memory in use. */
static void put_alive(FILE *out, const struct heapdata *heap)
{
    const struct heaptimes_range *range = &heap->times.range;
    bool then = range->to && !range->at_end;
    if (then) {
        BUF_OWN char *to = seconds_text(range->to);
        fprintf(out, " alive after %s seconds", to);
    } else {
        fputs(heap->ended ? " alive at the end" : " alive", out);
    }
    put_range(out, range);
}

/* Prints how much of the memory in use was allocated in the last tenth of the run, so
   that it may not be leaked. */
static void put_young(FILE *out, const struct heapdata *heap)
{
    const struct heaptimes *times = &heap->times;
    uint32_t young = heaptimes_young(times);
    if (young == HEAPTIMES_ALIVE || heap->sums[HEAPDATA_LIVE].blocks == 0)
        return;
    BUF_OWN char *amount = amount_text(&heap->sums[HEAPDATA_YOUNG]);
    BUF_OWN char *time = seconds_text((times->count - young) * times->width);
    fprintf(out, "%s of these are young: from the last %s seconds\n", amount, time);
}

static void put_part(FILE *out, const struct heapdata *heap,
                     enum heapdata_measure measure, const char *how)
{
    BUF_OWN char *amount = amount_text(&heap->sums[measure]);
    if (heap->sums[measure].blocks)
        fprintf(out, "\n%s %s", amount, how);
}

/* Prints how much was leaked directly, through other leaked blocks, and possibly, and
   how much is still reachable. */
static void put_leaked(FILE *out, const struct heapdata *heap)
{
    fputs(" leaked", out);
    put_part(out, heap, HEAPDATA_INDIRECT, "of these are lost with others");
    put_part(out, heap, HEAPDATA_POSSIBLE,
             "possibly lost: pointers lead into blocks only");
    put_part(out, heap, HEAPDATA_REACHED, "still reachable at the end");
}

/* Prints the likely peak, and the times at which the peak may have occurred. The
   measured peak is the maximum of many estimates, so on average it is too large. If
   the maximum of a bucket is within two standard errors of the measured peak, the true
   peak may be in this bucket. */
static void put_likely(FILE *out, const struct heapdata *heap,
                       const struct statistics_error *error)
{
    const struct heaptimes *times = &heap->times;
    const double peak = (double)heap->sums[HEAPDATA_PEAK].bytes;
    struct heapranges_sum sums[CCPROF_SPANS];
    double made = 0;
    uint32_t first = times->count, last = 0;
    heapranges_add_up(sums, heap);
    for (uint32_t i = 0; i < times->count; i++) {
        if ((double)times->buckets[i].most < peak - 2 * sqrt(error->variance))
            continue;
        made += (double)sums[i].made.bytes;
        first = first < i ? first : i;
        last = i;
    }
    double likely = statistics_likely(peak, error, 1 + made / fmax(peak, 1));
    if (likely > 0.98 * peak)
        return;
    BUF_OWN char *bytes = text_commas(round(likely), 0);
    BUF_OWN char *from = seconds_text(first * times->width);
    BUF_OWN char *to = seconds_text((last + 1) * times->width);
    fprintf(out, "%s bytes are likely: the greatest of many estimates is too large\n",
            bytes);
    if (first < last)
        fprintf(out,
                "the peak may have been at any time from %s to %s seconds, with other\n"
                "functions: a smaller size or heap=exact is more certain\n",
                from, to);
}

static void put_peak(FILE *out, const struct heapdata *heap)
{
    fputs(" alive when most was", out);
    if (heap->peak_time) {
        BUF_OWN char *time = text_commas((double)heap->peak_time / 1e9, 2);
        fprintf(out, ", %s seconds after the start", time);
    }
}

/* Prints the amount of MEASURE between two texts. */
static void put_beside(FILE *out, const struct heapdata *heap, const char *before,
                       enum heapdata_measure measure, const char *behind)
{
    BUF_OWN char *amount = amount_text(&heap->sums[measure]);
    fprintf(out, "%s%s%s", before, amount, behind);
}

static void put_temporary(FILE *out, const struct heapdata *heap)
{
    put_beside(out, heap, " freed before their thread allocated or freed another, of ",
               HEAPDATA_TOTAL, "");
}

static void put_total(FILE *out, const struct heapdata *heap)
{
    put_beside(out, heap, " allocated, ", HEAPDATA_FREED, " freed");
    put_range(out, &heap->times.range);
}

void heapwords_head(FILE *out, const struct heapdata *heap, enum heapdata_measure measure)
{
    static void (*const heads[HEAPDATA_MEASURES])(FILE * out,
                                                  const struct heapdata *heap) = {
        [HEAPDATA_LIVE] = put_alive,    [HEAPDATA_PEAK] = put_peak,
        [HEAPDATA_LEAKED] = put_leaked, [HEAPDATA_TEMPORARY] = put_temporary,
        [HEAPDATA_TOTAL] = put_total,
    };
    BUF_OWN char *amount = amount_text(&heap->sums[measure]);
    fputs(amount, out);
    if (heads[measure])
        heads[measure](out, heap);
    else
        fprintf(out, " %s", measure_of_heap(measure)->what);
    if (heap->sample) {
        BUF_OWN char *samples = heapwords_samples(heap, measure);
        fprintf(out, ": %s", samples);
    }
    putc('\n', out);
    if (measure == HEAPDATA_PEAK && heap->sample && heap->times.cells_known) {
        struct statistics_error errors[2] = {0};
        add_samples(heap, measure, errors);
        put_likely(out, heap, &errors[1]);
    }
    if (measure == HEAPDATA_LIVE &&
        heap->times.range.at_end == (heap->times.range.to != 0))
        put_young(out, heap);
}

bool heapwords_check_range(const struct view *view, struct fault *fault)
{
    const struct profile *profile = view->profile;
    bool alone = !view->request->choice && heappoints_alone(profile);
    if (!alone && !measure_all[view->request->choice].heap.ranged)
        return fault_set(fault, FAULT_MISMATCH, "-range",
                         "a range of time has only these measures: -heap allocated, "
                         "-heap live and -heap leaks");
    if (!heapwords_check_times(&profile->heap, profile->runs.files, "-range", fault))
        return false;
    return profile->heap.times.cells_known ||
           fault_set(fault, FAULT_MISMATCH, "-range",
                     "there were too many stacks to remember when each has allocated");
}

/* Prints how much memory was freed in calls that were not seen. */
static void put_unseen(FILE *out, const struct heapdata *heap)
{
    if (heap->unseen.blocks) {
        BUF_OWN char *blocks = text_number(heap->unseen.blocks, "block");
        fprintf(out,
                "\n%s %s freed by calls that were not seen; similar\nblocks may be free, "
                "too, but count as in use here\n",
                blocks, heap->unseen.blocks == 1 ? "was" : "were");
    }
    if (heap->unseen.bytes) {
        BUF_OWN char *bytes = text_number(heap->unseen.bytes, "byte");
        fprintf(
            out,
            "\nat least %s that count as in use here are not in use in the allocator\n",
            bytes);
    }
}

void heapwords_foot(FILE *out, const struct view *view)
{
    const struct heapdata *heap = &view->profile->heap;
    BUF_OWN char *memory = text_commas((double)heap->memory / 1e6, 1);
    if (heap->unknown) {
        BUF_OWN char *blocks = text_number(heap->unknown, "block");
        fprintf(out,
                "\n%s that had been allocated before measuring began, or "
                "unseen, %s freed\n",
                blocks, heap->unknown == 1 ? "was" : "were");
    }
    put_unseen(out, heap);
    if (heap->unkept) {
        BUF_OWN char *calls = text_number(heap->unkept, "call");
        fprintf(out,
                "\n%s of the allocator %s not all counted: there was no room, or a "
                "signal came while another was counted\n",
                calls, heap->unkept == 1 ? "is" : "are");
    }
    fprintf(out, "\nccprof had %s MB of memory for this%s\n", memory,
            view->profile->runs.files > 1 ? " in the run with most" : "");
}

void heapwords_wrappers(FILE *out, const char *names)
{
    fprintf(out, "\nwithout the wrappers %s: -show-wrappers\n", names);
}
