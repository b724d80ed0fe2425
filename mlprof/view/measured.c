/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/measured.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

bool measured_is_sampled(const struct view *view)
{
    return view->profile->kind && profile_measure(view->profile)->sampled;
}

struct table_value measured_samples(const struct view *view, bool known, uint64_t samples)
{
    return table_integer_if(known && measured_is_sampled(view), samples);
}

struct table_value measured_time(const struct view *view, bool known, uint64_t samples)
{
    return table_integer_if(known && measured_is_sampled(view),
                            profile_nanoseconds(view->profile, samples));
}

struct table_value measured_bytes(const struct view *view, bool known, uint64_t bytes)
{
    return table_integer_if(known && profile_measure(view->profile)->memory, bytes);
}

struct table_value measured_name(const struct view *view, const struct rows_row *row)
{
    return table_text_freed(row ? view_name(view, row) : NULL);
}

struct table_value measured_file(const struct rows_row *row)
{
    return table_text(row ? row->source.file : NULL);
}

struct table_value measured_line(const struct rows_row *row)
{
    uint32_t line = row ? row->source.line : 0;
    return table_integer_if(line, line);
}

struct table_value measured_symbol(const struct rows_row *row)
{
    const char *symbol = row->source.symbol;
    return table_text(symbol && *symbol ? symbol : NULL);
}

struct table_value measured_place(const struct rows_row *row)
{
    return table_text_freed(row->place ? text_plain(row->place) : NULL);
}

char *measured_calls_cell(struct arcs_calls calls)
{
    BUF_OWN char *number = text_commas((double)calls.count, 0);
    return buf_format("%s%s", calls.least == calls.most ? "" : "~", number);
}

char *measured_sure_cell(struct arcs_calls calls)
{
    return buf_format("%.0f%%", calls.least == calls.most
                                    ? 100.0
                                    : rows_percent(calls.least, calls.most));
}

void measured_guessed(FILE *out, const struct view *view, bool guessed)
{
    if (guessed && !view->style.mlton)
        fputs("\n~ is a guess: a call by a pointer, shared out among all functions that "
              "one "
              "can lead to, of whatever type\n"
              "whom these calls reach is counted with -fplugin-arg-ccprof-targets\n",
              out);
}
