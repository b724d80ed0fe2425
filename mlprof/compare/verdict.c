/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/verdict.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/student.h"

#include <math.h>
#include <stdlib.h>

bool verdict_widen(struct verdict *verdict, double change, double variance,
                   double freedom)
{
    if (!(variance > 0) || !(freedom > 0))
        return false;
    double error = sqrt(variance), spread = student_bound(freedom) * error;
    verdict->interval.least = fmin(verdict->interval.least, change - spread);
    verdict->interval.most = fmax(verdict->interval.most, change + spread);
    verdict->chance = fmax(verdict->chance, student_beyond(change / error, freedom));
    return true;
}

struct verdict_counts verdict_decide(struct verdict *first, size_t count, size_t size)
{
    struct verdict_counts counts = {0};
    double *chances = buf_alloc((count + 1) * sizeof *chances);
    struct verdict **tested = buf_alloc((count + 1) * sizeof *tested);
    for (size_t i = 0; i < count; i++) {
        struct verdict *verdict = (void *)((char *)first + i * size);
        counts.certain += !verdict->tested && verdict->certain;
        if (!verdict->tested)
            continue;
        chances[counts.tested] = verdict->chance;
        tested[counts.tested++] = verdict;
    }
    student_family(chances, counts.tested);
    for (size_t i = 0; i < counts.tested; i++) {
        tested[i]->certain = chances[i] <= STATISTICS_LEVEL;
        counts.certain += tested[i]->certain;
    }
    free(tested);
    free(chances);
    return counts;
}

int verdict_order(const struct verdict *one, double change, const struct verdict *other,
                  double other_change)
{
    if (one->certain != other->certain)
        return one->certain ? -1 : 1;
    double size = fabs(change), other_size = fabs(other_change);
    return (size < other_size) - (size > other_size);
}

char *verdict_text(const struct verdict *verdict)
{
    const char *mark = verdict->certain ? "*" : " ";
    if (!verdict->tested)
        return buf_format("-%s", mark);
    return verdict->chance < 0.001 ? buf_format("<0.001%s", mark)
                                   : buf_format("%.3f%s", verdict->chance, mark);
}
