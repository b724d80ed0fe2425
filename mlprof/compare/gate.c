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

struct gate {
    const struct side *sides[2]; /* the baseline, now */
    struct match match;
    struct sheet sheet;
    bool *alike;
    double threshold;
    bool show_line;
};

static bool is_beyond(const struct gate *gate, uint64_t before, uint64_t now)
{
    uint64_t difference = before < now ? now - before : before - now;
    if (!before || !now)
        return difference > 0;
    return difference > 0 && (double)difference > (double)before * gate->threshold / 100;
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

static void add_row(struct gate *gate, size_t row, enum side_measure measure,
                    uint64_t before, uint64_t now)
{
    uint64_t difference = before < now ? now - before : before - now;
    sheet_put(&gate->sheet, buf_format("%" PRIu64, before));
    sheet_put(&gate->sheet, buf_format("%" PRIu64, now));
    sheet_put(&gate->sheet,
              buf_format("%c%" PRIu64, before < now ? '+' : '-', difference));
    sheet_put(&gate->sheet, percent(before, now));
    sheet_put(&gate->sheet, buf_copy(compareview_unit(gate->sides[0], measure)));
    bool is_here = gate->match.functions[row * 2 + 1] != MATCH_NONE;
    const struct side_function *function = match_function(&gate->match, gate->sides, row);
    char *plain = is_here ? NULL : demangle(function->key);
    if (plain) {
        sheet_put_name(&gate->sheet, text_clean(plain), NULL);
        free(plain);
        return;
    }
    compareview_put_name(&gate->sheet, &gate->match, gate->sides, row,
                         is_here && (gate->show_line || gate->alike[row]));
}

static void look_at(struct gate *gate, size_t row, struct gate_result *result)
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
        if (!is_beyond(gate, values[0], values[1]))
            continue;
        beyond = true;
        add_row(gate, row, measures[m], values[0], values[1]);
    }
    result->functions += any;
    result->beyond += beyond;
}

struct gate_result gate_print(FILE *out, const struct side *baseline,
                              const struct side *now, double threshold, bool show_line)
{
    static const char *const heads[] = {"baseline", "now", "change", "in %"};
    struct gate gate = {
        .sides = {baseline, now}, .threshold = threshold, .show_line = show_line};
    struct gate_result result = {0};
    match_find(&gate.match, gate.sides, 2);
    gate.alike = compareview_alike(&gate.match, gate.sides);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        sheet_column(&gate.sheet, heads[i], SHEET_NUMBER, 0);
    sheet_column(&gate.sheet, "of", SHEET_TEXT, 0);
    sheet_column(&gate.sheet, "function", SHEET_TEXT, 0);
    for (size_t row = 0; row < gate.match.count; row++)
        look_at(&gate, row, &result);
    if (result.beyond)
        sheet_print(out, &gate.sheet, false);
    free(gate.alike);
    match_free(&gate.match);
    return result;
}
