/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats the value, difference, range, growth and certainty of a change for tables,
   with the unit of its measure. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/change.h"
#include "mlprof/view/heapwords.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct change_text_style change_text_style(const struct runset *const sides[2],
                                           const struct changes *changes)
{
    uint64_t rate = 0;
    double most = 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->runs.count; i++)
            if (rate < sides[s]->runs.list[i].rate)
                rate = sides[s]->runs.list[i].rate;
    struct change_text_style style = {.seconds = changes->seconds,
                                      .of_share = changes->of_share};
    if (style.seconds)
        style.decimals = style.of_share ? 1 : rate <= 100 ? 2 : rate <= 1000 ? 3 : 4;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = &changes->changes[i];
        most = fmax(most, fmax(change->before, change->after));
        if (!style.seconds && (floor(change->before) < change->before ||
                               floor(change->after) < change->after))
            style.decimals = 1;
    }
    /* The greatest value gets about four digits. */
    while (style.decimals > 0 && most * pow(10, style.decimals) >= 10000)
        style.decimals--;
    return style;
}

static char *size_text(const struct change_text_style *style, double value)
{
    return text_commas(fabs(value) * (style->of_share ? 100 : 1), style->decimals);
}

static bool is_zero_text(const char *number)
{
    return number[strspn(number, "0.")] == '\0';
}

bool change_text_is_zero(const struct change_text_style *style, double value)
{
    BUF_OWN char *number = size_text(style, value);
    return is_zero_text(number);
}

/* Returns a value without its unit. A DIFFERENCE has a sign. */
static char *number_text(const struct change_text_style *style, double value,
                         bool difference)
{
    BUF_OWN char *number = size_text(style, value);
    bool plain = !difference || is_zero_text(number);
    const char *sign = plain ? "" : value < 0 ? "-" : "+";
    return buf_format("%s%s", sign, number);
}

/* Returns NUMBER with its unit and frees NUMBER. */
static char *with_unit(const struct change_text_style *style, char *number)
{
    const char *unit = style->of_share   ? "%"
                       : !style->seconds ? ""
                       : style->in_words ? " s"
                                         : "s";
    char *text = buf_format("%s%s", number, unit);
    free(number);
    return text;
}

/* Returns one end of an interval, which may be infinite. */
static char *end_text(const struct change_text_style *style, double value)
{
    if (isinf(value))
        return buf_copy(value > 0 ? "infinite" : "-infinite");
    return number_text(style, value, true);
}

char *change_text_value(const struct change_text_style *style, double value)
{
    return with_unit(style, number_text(style, value, false));
}

char *change_text_difference(const struct change_text_style *style, double value)
{
    return isinf(value) ? end_text(style, value)
                        : with_unit(style, number_text(style, value, true));
}

char *change_text_range(const struct change_text_style *style,
                        const struct statistics_interval *interval)
{
    BUF_OWN char *least = end_text(style, interval->least);
    BUF_OWN char *most = end_text(style, interval->most);
    return buf_format("%s to %s", least, most);
}

char *change_text_growth(const struct change *change)
{
    double before = change->before, after = change->after;
    if (!(before > 0) && !(after > 0) && change->exists[0] && change->exists[1])
        return buf_copy("0.0%");
    if (!(before > 0) && (after > 0 || !change->exists[0]))
        return buf_copy(change->exists[0] ? "from 0" : "new");
    if (!(after > 0))
        return buf_copy(change->exists[1] ? "to 0" : "gone");
    double percent = 100 * (after / before - 1);
    if (fabs(percent) < 0.05)
        return buf_copy("0.0%");
    return fabs(percent) < 9999.5 ? buf_format("%+.1f%%", percent)
                                  : buf_format("x%.3g", after / before);
}

char *change_text_certainty(const char *noun, size_t certain, size_t tested, size_t runs)
{
    BUF_OWN char *number = text_number(tested, noun);
    return buf_format(
        "* certain: %zu of %s; in 95 of 100 comparisons all such are right\n"
        "row's 95%%, by chance: the row alone; *: all rows together\n%s",
        certain, number,
        runs < 3 ? "one run a side: how much runs differ by themselves is not known\n"
                 : "");
}

char *change_text_of_heap(const struct runset *side, struct runset_measure measure)
{
    bool named = measure_is_of_heap(measure.base) && measure.part != RUNSET_STACK;
    return buf_format("%s%s%s", named ? " " : "", named ? measure.base->what : "",
                      measure.base->memory && runset_is_estimated(side) ? ", estimated"
                                                                        : "");
}

char *change_text_formula(double value)
{
    if (isnan(value))
        return buf_copy("-");
    if (isinf(value))
        return buf_copy(value > 0 ? "infinite" : "-infinite");
    double size = fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4))
        return buf_format("%.4g", value);
    bool whole = !(floor(size) < size) || size >= 1e6;
    BUF_OWN char *number = text_commas(size, whole         ? 0
                                             : size < 10   ? 4
                                             : size < 1000 ? 2
                                                           : 1);
    return buf_format("%s%s", value < 0 ? "-" : "", number);
}
