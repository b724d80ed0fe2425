/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/view.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/evaluate/cost.h"
#include "mlprof/evaluate/names.h"

#include <stdlib.h>

/* The time of a garbage collector, which is a column of MLton's; there is none here.  */
#define GC 0

double view_seconds(const struct view *view, uint64_t samples)
{
    return (double)samples / (double)view->profile->rate;
}

char *view_percent(const struct view *view, uint64_t samples)
{
    if (view->rows->total == 0)
        return buf_copy("-");
    return buf_format("%.1f%%", rows_percent(samples, view->rows->total));
}

char *view_raw(const struct view *view, uint64_t samples)
{
    if (profile_measure(view->profile) == PROFILE_SAMPLES)
        return buf_format("(%.2fs)", view_seconds(view, samples));
    char *number = text_commas((double)samples, 0);
    char *text = buf_format("(%s)", number);
    free(number);
    return text;
}

char *view_amount(const struct view *view, uint64_t samples)
{
    static const char *const words[] = {
        [PROFILE_BYTES] = "byte", [PROFILE_CALLS] = "call"};
    enum profile_measure measure = profile_measure(view->profile);
    if (measure == PROFILE_SAMPLES)
        return buf_format("%.2f s", view_seconds(view, samples));
    return text_number(samples, words[measure]);
}

bool view_reaches(const struct view *view, uint64_t samples)
{
    return rows_percent(samples, view->rows->total) >= view->style.thresh;
}

static bool has_costs(const struct view *view)
{
    return profile_measure(view->profile) == PROFILE_SAMPLES &&
           view->profile->kind & CCPROF_KIND_COUNT;
}

/* Bytes and blocks, unless bytes are what the other columns tell.  */
static bool has_bytes(const struct view *view)
{
    return profile_measure(view->profile) == PROFILE_SAMPLES &&
           view->profile->kind & CCPROF_KIND_ALLOC;
}

static bool has_blocks(const struct view *view)
{
    return view->profile->kind & CCPROF_KIND_ALLOC;
}

/* Calls beside bytes.  */
static bool has_calls(const struct view *view)
{
    return profile_measure(view->profile) == PROFILE_BYTES &&
           view->profile->kind & CCPROF_KIND_COUNT;
}

size_t view_heads(const struct view *view, const char *heads[VIEW_COLUMNS])
{
    static const char *const names[] = {"cur", "stack", "GC"};
    size_t count = 0;
    for (size_t i = 0; i < (view->rows->stack ? 3 : 1); i++) {
        heads[count++] = names[i];
        if (view->style.raw)
            heads[count++] = "raw";
    }
    if (has_costs(view)) {
        heads[count++] = "calls";
        heads[count++] = "per call";
    }
    if (has_bytes(view))
        heads[count++] = "bytes";
    if (has_blocks(view))
        heads[count++] = "blocks";
    if (has_calls(view))
        heads[count++] = "calls";
    return count;
}

void view_cells(const struct view *view, const struct rows_row *row,
                char *cells[VIEW_COLUMNS])
{
    const uint64_t numbers[] = {row->cur, row->stack, GC};
    for (size_t i = 0; i < (view->rows->stack ? 3 : 1); i++) {
        *cells++ = view_percent(view, numbers[i]);
        if (view->style.raw)
            *cells++ = view_raw(view, numbers[i]);
    }
    if (has_costs(view)) {
        *cells++ = row->counted ? text_commas((double)row->calls, 0) : buf_copy("-");
        const struct stacks_trust *trust = &row->trust;
        bool known = !row->branch && view->rows->total > 0 &&
                     (row->cur || trust->coded || !row->source.file);
        *cells++ = !known ? buf_copy("-")
                          : cost_uncertain(row->cur, trust->less, trust->more,
                                           view->profile->rate, row->calls);
    }
    if (has_bytes(view))
        *cells++ = text_commas((double)row->bytes, 0);
    if (has_blocks(view))
        *cells++ = text_commas((double)row->blocks, 0);
    if (has_calls(view))
        *cells++ = row->counted ? text_commas((double)row->calls, 0) : buf_copy("-");
}

static char *cleaned(char *text)
{
    char *clean = text_clean(text);
    free(text);
    return clean;
}

char *view_name(const struct view *view, const struct rows_row *row)
{
    if (row->shown)
        return text_clean(row->shown);
    return cleaned(names_of(&row->source,
                            &(struct names_style){.long_name = view->style.long_name,
                                                  .full_name = view->style.full_name}));
}

char *view_position(const struct rows_row *row)
{
    return names_position(&row->source);
}

char *view_label(const struct view *view, const struct rows_row *row)
{
    char *name = view_name(view, row);
    char *position = view->style.show_line ? view_position(row) : NULL;
    if (!position)
        return name;
    char *label = buf_format("%s  %s", name, position);
    free(name);
    free(position);
    return label;
}

bool view_matches(const struct view *view, const struct pattern *pattern,
                  const struct rows_row *row)
{
    return names_match(pattern, &row->source, row->shown, view->style.long_name);
}

char *view_part(const struct view *view)
{
    const struct stacks_filter_part *part = view->part;
    if (!part || part->all == 0)
        return NULL;
    bool bytes = profile_measure(view->profile) == PROFILE_BYTES;
    char *options = stacks_filter_text(view->filter), *clean = text_clean(options);
    char *text = buf_format("%.1f%% of the %s: %s; percentages are of all",
                            rows_percent(part->kept, part->all),
                            bytes ? "bytes" : "samples", clean);
    free(clean);
    free(options);
    return text;
}

void view_header(FILE *out, const struct view *view)
{
    const struct profile *profile = view->profile;
    if (!profile->kind)
        return;
    if (profile_measure(profile) != PROFILE_SAMPLES) {
        bool calls = profile_measure(profile) == PROFILE_CALLS;
        char *number = text_number(view->rows->total, calls ? "tick" : "byte");
        fprintf(out, "%s%s\n", number, calls ? "" : " allocated (0 bytes by GC)");
        free(number);
        return;
    }
    char *total = text_commas(view_seconds(view, profile->samples), 2);
    fprintf(out, "%s seconds %s (0.00 seconds GC)\n", total,
            profile->clock == PROFILE_WALL ? "on the clock" : "of CPU time");
    free(total);
}
