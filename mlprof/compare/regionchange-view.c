/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/regionchange.h"

#include <math.h>
#include <stdlib.h>

/* Less than a tick has no sign.  */
static char *signed_text(double nanoseconds, double tick)
{
    char *time = regiontimes_text(fabs(nanoseconds), tick);
    const char *sign = fabs(nanoseconds) < tick ? "" : nanoseconds < 0 ? "-" : "+";
    char *text = buf_format("%s%s", sign, time);
    free(time);
    return text;
}

static char *side_text(const struct regionchange *change, size_t side, double tick)
{
    return change->calls[side] > 0 ? regiontimes_text(change->mean[side], tick)
                                   : buf_copy("-");
}

static char *change_text(const struct regionchange *change, double tick)
{
    if (!(change->calls[0] > 0) || !(change->calls[1] > 0))
        return buf_copy(change->calls[1] > 0 ? "new" : "gone");
    return signed_text(change->mean[1] - change->mean[0], tick);
}

/* Of what is less than a tick nothing is known.  */
static char *percent_text(const struct regionchange *change, double tick)
{
    if (!(change->mean[0] >= tick) || !(change->mean[1] >= tick))
        return buf_copy("-");
    return buf_format("%+.1f%%", 100 * (change->mean[1] / change->mean[0] - 1));
}

static char *range_text(const struct regionchange *change, double tick)
{
    if (!change->verdict.tested)
        return buf_copy("-");
    char *least = signed_text(change->verdict.interval.least, tick);
    char *most = signed_text(change->verdict.interval.most, tick);
    char *text = buf_format("%s to %s", least, most);
    free(least);
    free(most);
    return text;
}

static void print_heading(FILE *out, const struct regionchanges *changes)
{
    static const char *const words[] = {"before", "after "};
    for (size_t s = 0; s < 2; s++) {
        char *program = text_clean(changes->programs[s]);
        char *runs = text_number(changes->runs[s], "run");
        fprintf(out, "%s  %s, %s\n", words[s], program, runs);
        free(program);
        free(runs);
    }
    putc('\n', out);
}

void regionchanges_print(FILE *out, const struct regionchanges *changes, size_t top)
{
    static const char *const heads[] = {"before", "after",     "change",
                                        "in %",   "95% range", "chance "};
    struct sheet sheet = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 1);
        if (i < 2)
            sheet_gives_way(&sheet);
    }
    sheet_column(&sheet, "region", SHEET_TEXT, 0);
    for (size_t i = 0; i < changes->count; i++) {
        const struct regionchange *change = &changes->changes[i];
        sheet_put(&sheet, side_text(change, 0, changes->tick));
        sheet_put(&sheet, side_text(change, 1, changes->tick));
        sheet_put(&sheet, change_text(change, changes->tick));
        sheet_put(&sheet, percent_text(change, changes->tick));
        sheet_put(&sheet, range_text(change, changes->tick));
        sheet_put(&sheet, verdict_text(&change->verdict));
        sheet_put(&sheet, buf_copy(change->name));
    }
    sheet_cut(&sheet, top);
    print_heading(out, changes);
    sheet_print(out, &sheet, false);
    char *number = text_number(changes->tested, "region");
    fprintf(out,
            "\nmean time of a call\n"
            "* certain: %zu of %s; in 95 of 100 comparisons all such are right\n"
            "95%% range: of the change, in 95 of 100 cases\n",
            changes->certain, number);
    free(number);
    if (changes->runs[0] + changes->runs[1] < 3)
        fputs("one run a side: how much runs differ by themselves is not known\n", out);
}
