/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/gate.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/demangle.h"
#include "mlprof/base/text.h"
#include "mlprof/compare/compareview.h"

#include <inttypes.h>
#include <stdlib.h>

static const enum side_measure measures[] = {SIDE_CALLS, SIDE_BYTES, SIDE_BLOCKS};

#define MEASURES (sizeof measures / sizeof *measures)

static bool is_beyond(double threshold, uint64_t before, uint64_t now)
{
    uint64_t difference = before < now ? now - before : before - now;
    if (!before || !now)
        return difference > 0;
    return difference > 0 && (double)difference > (double)before * threshold / 100;
}

static void look_at(struct gate *gate, size_t row, double threshold)
{
    bool any = false, beyond = false;
    for (size_t m = 0; m < MEASURES; m++) {
        uint64_t values[2];
        if (!side_has(gate->sides[0], measures[m]))
            continue;
        for (size_t s = 0; s < 2; s++)
            values[s] = side_value(&gate->sides[s]->runs[0],
                                   gate->match.functions[row * 2 + s], measures[m]);
        any |= values[0] || values[1];
        if (!is_beyond(threshold, values[0], values[1]))
            continue;
        beyond = true;
        gate->differences =
            buf_grow(gate->differences, &gate->difference_capacity,
                     gate->difference_count + 1, sizeof *gate->differences);
        gate->differences[gate->difference_count++] =
            (struct gate_difference){row, measures[m], values[0], values[1]};
    }
    gate->functions += any;
    gate->beyond += beyond;
}

void gate_find(struct gate *gate, const struct side *baseline, const struct side *now,
               double threshold)
{
    *gate = (struct gate){.sides = {baseline, now}};
    match_find(&gate->match, gate->sides, 2);
    for (size_t row = 0; row < gate->match.count; row++)
        look_at(gate, row, threshold);
}

void gate_free(struct gate *gate)
{
    match_free(&gate->match);
    free(gate->differences);
}

static char *percent(uint64_t before, uint64_t now)
{
    if (!before || !now)
        return buf_copy(before ? "gone" : "new");
    double growth = 100 * ((double)now / (double)before - 1);
    /* What differs is not shown as if it did not.  */
    return growth > -0.005 && growth < 0.005 ? buf_copy(growth < 0 ? "-0.00%" : "+0.00%")
                                             : buf_format("%+.2f%%", growth);
}

static void add_row(struct sheet *sheet, const struct gate *gate,
                    const struct gate_difference *of, bool with_line)
{
    uint64_t before = of->baseline, now = of->now;
    uint64_t difference = before < now ? now - before : before - now;
    sheet_put(sheet, buf_format("%" PRIu64, before));
    sheet_put(sheet, buf_format("%" PRIu64, now));
    sheet_put(sheet, buf_format("%c%" PRIu64, before < now ? '+' : '-', difference));
    sheet_put(sheet, percent(before, now));
    sheet_put(sheet, buf_copy(compareview_unit(gate->sides[0], of->measure)));
    bool is_here = gate->match.functions[of->row * 2 + 1] != MATCH_NONE;
    const struct side_function *function =
        match_function(&gate->match, gate->sides, of->row);
    char *plain = is_here ? NULL : demangle(function->key);
    if (plain) {
        sheet_put_name(sheet, text_clean(plain), NULL);
        free(plain);
        return;
    }
    compareview_put_name(sheet, &gate->match, gate->sides, of->row, is_here && with_line);
}

void gate_print(FILE *out, const struct gate *gate, bool show_line)
{
    static const char *const heads[] = {"baseline", "now", "change", "in %"};
    struct sheet sheet = {0};
    if (gate->difference_count == 0)
        return;
    bool *alike = compareview_alike(&gate->match, gate->sides);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(&sheet, heads[i], SHEET_NUMBER, 0);
    sheet_column(&sheet, "of", SHEET_TEXT, 0);
    sheet_column(&sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < gate->difference_count; i++) {
        const struct gate_difference *difference = &gate->differences[i];
        add_row(&sheet, gate, difference, show_line || alike[difference->row]);
    }
    sheet_print(out, &sheet, false);
    free(alike);
}
