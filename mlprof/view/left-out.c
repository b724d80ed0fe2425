/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a line for each kind of code that is missing in exact counts: ccprof's own, code
   without counters, the kernel, and repetitions. */

#include "mlprof/view/left-out.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>

static void put_own(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *counters = text_number(rest->counters, "instruction");
    if (rest->counters)
        fprintf(out, "not in the numbers: %s of ccprof's counters (%.1f%% of all)\n",
                counters, rows_percent(rest->counters, rest->all + rest->counters));
    BUF_OWN char *padding = text_number(rest->padding, "no-operation");
    if (rest->padding)
        fprintf(out, "not in the numbers: %s that align code (%.1f%%)\n", padding,
                rows_percent(rest->padding, rest->all + rest->padding));
}

/* Prints a line about code without counters, whose instructions are not known. */
static void put_outside(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *calls = text_number(rest->calls, "call");
    BUF_OWN char *system = text_number(rest->system, "system call");
    if (rest->calls)
        fprintf(out, "not in the numbers: code without counters, such as libraries (%s)",
                calls);
    if (rest->system)
        fprintf(out, "%s (%s)",
                rest->calls ? ", and the kernel" : "not in the numbers: the kernel",
                system);
    if (rest->calls || rest->system)
        putc('\n', out);
}

static void put_once(FILE *out, const struct instructions_rest *rest)
{
    BUF_OWN char *repeats = text_number(rest->repeats, "repeated instruction");
    BUF_OWN char *unknown = text_number(rest->unknown, "byte");
    if (rest->repeats)
        fprintf(out, "counted once, not as often as they repeat: %s (rep)\n", repeats);
    BUF_OWN char *loops = text_number(rest->loops, "loop");
    if (rest->loops)
        fprintf(out, "counted once, not as often as they repeat: %s inside assembly\n",
                loops);
    BUF_OWN char *skips = text_number(rest->skips, "instruction");
    if (rest->skips)
        fprintf(out, "counted, although jumps inside assembly may skip them: %s\n",
                skips);
    if (rest->unknown)
        fprintf(out, "counted as one instruction each: %s that mlprof cannot decode\n",
                unknown);
}

/* Code that other kinds have added is not the plain build's. */
static void put_inside(FILE *out, const struct profile *profile)
{
    if (profile->kind & CCPROF_KIND_COUNT)
        fputs("in the numbers: the counters of calls, because profile=count was given, "
              "too\n",
              out);
}

char *leftout_text(const struct view *view)
{
    const struct instructions_rest *rest = &view->report->instructions;
    char *text = NULL;
    size_t size;
    if (!rest->measured)
        return NULL;
    FILE *out = buf_open(&text, &size);
    put_own(out, rest);
    put_outside(out, rest);
    put_once(out, rest);
    put_inside(out, view->profile);
    return buf_close_text(out, &text);
}
