/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/compare/gate.h"
#include "testsuite/fuzz/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What was counted now.  */
static const char counted[] = "ccprof baseline 2\n"
                              "measures calls bytes blocks executions\n"
                              "3 0 0 _ZN1a1fEv\ta.cc\n"
                              "5 64 2 f\ta.c\n"
                              " 5 500 5\tlines\n"
                              " 5\tcase false\n"
                              " 495\tcase true\n"
                              "7 32 1 f\ta.c\n"
                              "1 0 0 f\tb.c\n"
                              "18446744073709551599 1 1 main\t\n"
                              "end\n";

static bool parse(struct runset *side, const char *text, size_t size)
{
    struct fault fault = {0};
    /* In memory of its own size, so that a sanitizer sees a byte too many.  */
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    char *compiler = NULL;
    bool good = baseline_parse(side, &compiler, "b", copy, size, &fault);
    free(compiler);
    assert(good == (fault.kind == FAULT_NONE));
    assert(good || strncmp(fault.text, "b: ", 3) == 0);
    fault_clear(&fault);
    free(copy);
    return good;
}

/* How many functions differ.  */
static size_t compare(const struct runset *baseline, const struct runset *now,
                      double threshold)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    struct gate gate = {.path = "b", .threshold = threshold};
    gate_find(&gate, baseline, now);
    gate_table_print(out, &gate, 10);
    buf_close(out);
    size_t beyond = gate.beyond;
    assert(beyond <= gate.functions && beyond <= gate.failed);
    assert((size > 0 || gate.module_count > 0) == (beyond > 0));
    gate_free(&gate);
    free(text);
    return beyond;
}

/* Writes SIDE and reads it as OTHER, with the same totals.  Returns the text, to be
   freed.  */
static char *write_and_read(const struct runset *side, struct runset *other)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    baseline_write(out, side, NULL);
    buf_close(out);
    bool good = parse(other, text, size);
    const struct runset_run *run = &side->runs[0], *again = &other->runs[0];
    assert(good && run->column_count == again->column_count);
    for (size_t i = 0; i < run->column_count; i++)
        assert(runset_is_same(run->columns[i].measure, again->columns[i].measure) &&
               run->columns[i].total == again->columns[i].total);
    return text;
}

/* What was written is written the same from then on.  The first time, names are made
   clean and may come in another order.  */
static void check_rewritten(const struct runset *side)
{
    struct runset sides[3] = {0};
    free(write_and_read(side, &sides[0]));
    char *once = write_and_read(&sides[0], &sides[1]);
    char *twice = write_and_read(&sides[1], &sides[2]);
    assert(strcmp(once, twice) == 0);
    size_t beyond = compare(&sides[0], &sides[1], 0);
    assert(beyond == 0);
    free(once);
    free(twice);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        runset_free(&sides[i]);
}

bool targets_gate(const unsigned char *bytes, size_t size)
{
    struct runset baseline = {0}, now = {0};
    bool good = parse(&baseline, (const char *)bytes, size);
    if (good) {
        bool known = parse(&now, counted, sizeof counted - 1);
        assert(known);
        size_t itself = compare(&baseline, &baseline, 0);
        size_t all = compare(&baseline, &now, 0), some = compare(&baseline, &now, 5);
        assert(itself == 0 && some <= all);
        check_rewritten(&baseline);
    }
    runset_free(&baseline);
    runset_free(&now);
    return good;
}
