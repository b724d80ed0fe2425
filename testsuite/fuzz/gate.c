/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/compare/budget.h"
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

/* Parses a budget, checks it against COUNTS, updates it and prints it.  Returns the text,
   to be freed, or NULL if it is no budget.  */
static char *use_budget(const char *text, size_t size, const struct budget_counts *counts)
{
    struct fault fault = {0};
    struct budget budget = {0};
    char *copy = malloc(size ? size : 1), *printed = NULL;
    memcpy(copy, text, size);
    bool good = budget_parse(&budget, "b", copy, size, &fault);
    free(copy);
    assert(good == (fault.kind == FAULT_NONE));
    assert(good || strncmp(fault.text, "b: ", 3) == 0);
    fault_clear(&fault);
    if (good) {
        struct budget_found found = {0};
        struct gate gate = {.path = "b"};
        for (size_t i = 0; i < budget.count; i++)
            budget.lines[i].selected = budget.lines[i].kind == BUDGET_LIMIT &&
                                       runset_has(&counts->side, budget.lines[i].measure);
        budget_find(&found, &budget, counts, 1);
        budget_check(&gate, &budget, &found);
        char *report = NULL;
        FILE *out = buf_open(&report, &size);
        gate_table_print(out, &gate, 10);
        gate_write_junit(out, &gate, "/");
        gate_print_github(out, &gate, "/", 0);
        buf_close(out);
        free(report);
        gate_free(&gate);
        budget_update(&budget, &found, counts, 1, "GCC");
        budget_found_free(&found);
        out = buf_open(&printed, &size);
        budget_print(out, &budget);
        buf_close(out);
    }
    budget_free(&budget);
    return printed;
}

/* A budget that was updated and printed is the same when this is done again.  */
static bool check_budget(const char *text, size_t size)
{
    struct budget_counts counts = {.measure = measure_of_kinds(CCPROF_KIND_COUNT)};
    bool known = parse(&counts.side, counted, sizeof counted - 1);
    assert(known);
    char *once = use_budget(text, size, &counts);
    if (once) {
        char *twice = use_budget(once, strlen(once), &counts);
        assert(twice && strcmp(once, twice) == 0);
        free(twice);
    }
    runset_free(&counts.side);
    free(once);
    return once;
}

bool targets_gate(const unsigned char *bytes, size_t size)
{
    size_t length = strlen(BUDGET_START);
    if (size >= length && memcmp(bytes, BUDGET_START, length) == 0)
        return check_budget((const char *)bytes, size);
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
