/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words for what GCC did with a loop. GCC's own words differ between its versions,
   so unknown messages are shown as they are. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/program/remarked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Width of a message for which there are no words. */
#define MESSAGE_MOST 50

/* The words for messages of the vectorizer that begin with BEGIN. NAMES: the words are
   followed by the variables. */
static const struct {
    const char *begin, *words;
    bool names;
} reasons[] = {
    {"would need a runtime alias check", "possible aliasing", true},
    {"will not create alias checks", "possible aliasing", true},
    {"number of versioning for alias run-time tests", "too much possible aliasing", true},
    {"not vectorized: compilation time alias", "aliasing", true},
    {"possible alias involving gather/scatter", "possible aliasing", true},
    {"not vectorized, possible dependence", "possible dependence between iterations",
     true},
    {"not vectorized, dependence", "dependence between iterations", true},
    {"bad data dependence", "possible dependence between iterations", true},
    {"some scalar iterations would need to be peeled", "iteration count may leave a rest",
     false},
    {"epilogue peeling", "iteration count may leave a rest", false},
    {"not vectorized: number of iterations cannot be computed",
     "iteration count unknown when the loop starts", false},
    {"not vectorized: loop contains function calls", "a call or an unclear access",
     false},
    {"not vectorized: control flow in loop", "branches in the loop", false},
    {"not vectorized: multiple exits", "several exits", false},
    {"not vectorized: multiple nested loops", "several loops inside", false},
    {"not vectorized: loop nest containing two or more", "several loops inside", false},
    {"not vectorized: more than one", "several loops inside", false},
    {"not vectorized: inner-loop count not", "the inner loop's iterations vary", false},
    {"not vectorized: complicated access pattern", "irregular memory access", true},
    {"not vectorized: data ref analysis failed", "unclear memory access", false},
    {"not vectorized: not suitable for gather", "access through an index", false},
    {"not vectorized: not suitable for scatter", "access through an index", false},
    {"not vectorized: not suitable for strided", "access with a stride", false},
    {"not vectorized: volatile type", "volatile access", false},
    {"not vectorized: stmt has volatile operands", "volatile access", false},
    {"not vectorized: statement can throw", "an exception may be thrown", false},
    {"not vectorized: no vectype", "a type without vectors", false},
    {"not vectorized: unsupported data-type", "a type without vectors", false},
    {"not vectorized: relevant phi not supported", "a reduction without vector form",
     true},
    {"not vectorized: unsupported use in stmt", "a value carried between iterations",
     true},
    {"unsupported use of reduction", "a reduction without vector form", true},
    {"not vectorized: scalar dependence cycle", "a value carried between iterations",
     true},
    {"not vectorized: relevant stmt not supported", "an operation without vector form",
     false},
    {"not vectorized: vector version will never be profitable", "not worthwhile", false},
    {"not vectorized: vectorization not profitable", "not worthwhile", false},
    {"not vectorized: estimated iteration count too small", "too few iterations", false},
    {"not vectorized: iteration count smaller than", "too few iterations", false},
    {"not vectorized: redundant loop. no profit", "not worthwhile", false},
    {"Loop costings", "not worthwhile", false},
    {"loop does not have enough iterations", "too few iterations", false},
    {"not vectorized: latch block not empty", "code after the loop's test", false},
};

/* Returns the name of the called function in a GIMPLE statement such as `_5 = g (_4);'.
   Returns NULL if it is not a call. The caller frees it. */
static char *called(const char *statement)
{
    const char *open = strstr(statement, " (");
    if (!open)
        return NULL;
    const char *start = open;
    while (start > statement && !strchr(" *&!~", start[-1]))
        start--;
    return start < open ? buf_copy_prefix(start, (size_t)(open - start)) : NULL;
}

/* Returns GCC's words without their usual beginning. */
static char *own_words(const char *text)
{
    static const char *const begins[] = {"not vectorized: ", "not vectorized, "};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (text_begins(text, begins[i]))
            text += strlen(begins[i]);
    size_t length = strlen(text);
    BUF_OWN char *bare =
        buf_copy_prefix(text, length - (length && text[length - 1] == '.'));
    BUF_OWN char *clean = text_clean(bare);
    return text_cut(clean, MESSAGE_MOST);
}

static char *with_names(const char *words, const char *names)
{
    BUF_OWN char *clean = text_clean(names);
    return *names ? buf_format("%s of %s", words, clean) : buf_copy(words);
}

/* Returns the reason why a loop was not vectorised. */
static char *reason_of(const struct remarktable_remark *remark)
{
    static const char clobbers[] = "statement clobbers memory: ";
    if (remark->number == CCPROF_MISSED_ORDER) {
        BUF_OWN char *words = with_names("reduction", remark->about);
        return buf_format("%s without -ffast-math", words);
    }
    if (text_begins(remark->text, clobbers)) {
        const char *statement = remark->text + strlen(clobbers);
        BUF_OWN char *name = called(statement);
        BUF_OWN char *clean = name ? text_clean(name) : NULL;
        return text_begins(statement, "__asm__") ? buf_copy("an asm statement")
               : clean                           ? buf_format("a call of %s", clean)
                                                 : buf_copy("a call");
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (text_begins(remark->text, reasons[i].begin))
            return reasons[i].names ? with_names(reasons[i].words, remark->about)
                                    : buf_copy(reasons[i].words);
    return *remark->text ? own_words(remark->text) : buf_copy("GCC gives no reason");
}

/* The remarks about a loop, by kind. */
struct sums {
    uint64_t bytes, rest_bytes, factor, iterations;
    bool vectorized, aliased, versioned, peeled, distributed, swapped, unswitched;
    const struct remarktable_remark *missed, *unseen;
};

static void add_other(struct sums *sums, const char *text)
{
    if (strstr(text, "distributed: split to 0 loops"))
        sums->distributed = true;
    else if (strstr(text, "interchanged"))
        sums->swapped = true;
    else if (strstr(text, "nswitch"))
        sums->unswitched = true;
}

static void add_remark(struct sums *sums, const struct remarktable_remark *remark)
{
    switch (remark->what) {
    case CCPROF_REMARK_VECTORIZED:
        if (sums->vectorized && remark->number < sums->bytes)
            sums->rest_bytes = remark->number;
        else
            sums->bytes = remark->number;
        sums->vectorized = true;
        break;
    case CCPROF_REMARK_MISSED:
        sums->missed = remark;
        break;
    case CCPROF_REMARK_VERSIONED:
        sums->versioned = true;
        sums->aliased = sums->aliased || strstr(remark->text, "alias");
        break;
    case CCPROF_REMARK_UNSEEN:
        sums->unseen = remark;
        break;
    case CCPROF_REMARK_UNROLLED:
        sums->factor = remark->number;
        break;
    case CCPROF_REMARK_PEELED:
        sums->peeled = true;
        sums->iterations = remark->number;
        break;
    case CCPROF_REMARK_OTHER:
        add_other(sums, remark->text);
        break;
    default:
        break;
    }
}

static void put_vectorized(FILE *out, const struct sums *sums)
{
    fputs("vectorised", out);
    if (sums->bytes)
        fprintf(out, " by %" PRIu64 " bytes", sums->bytes);
    if (sums->rest_bytes)
        fprintf(out, ", the rest by %" PRIu64, sums->rest_bytes);
    if (sums->aliased)
        fputs(" with a run-time alias check", out);
    else if (sums->versioned)
        fputs(" with a run-time check", out);
}

static void put_missed(FILE *out, const struct sums *sums, bool inner)
{
    BUF_OWN char *reason = reason_of(sums->missed);
    fprintf(out, "%snot vectorised: %s", inner ? "" : "outer loop, ", reason);
}

static void put_unseen(FILE *out, const struct remarktable_remark *unseen)
{
    BUF_OWN char *option = text_clean(unseen->text);
    if (unseen->number == CCPROF_UNSEEN_COLD)
        fputs("not vectorised: GCC considers it cold", out);
    else
        fprintf(out, "vectoriser off (%s)", option);
}

char *remarked_verdict(const struct remarked_function *function,
                       const struct remarked_loop *loop)
{
    const struct remarktable_remark *remarks =
        BUF_FROM(function->table->remarks.list, loop->table->first_remark);
    struct sums sums = {0};
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < loop->table->remarks; i++)
        add_remark(&sums, &remarks[i]);
    FILE *out = buf_open(&text, &size);
    if (sums.vectorized)
        put_vectorized(out, &sums);
    else if (sums.distributed)
        fputs("replaced by a library call", out);
    else if (sums.peeled)
        fputs("completely unrolled", out);
    else if (sums.missed)
        put_missed(out, &sums, loop->inner);
    else if (sums.unseen)
        put_unseen(out, sums.unseen);
    if (sums.factor && !sums.distributed)
        buf_separate(out, ", "), fprintf(out, "unrolled by %" PRIu64, sums.factor);
    if (sums.swapped)
        buf_separate(out, ", "), fputs("loops interchanged", out);
    if (sums.unswitched)
        buf_separate(out, ", "), fputs("unswitched", out);
    return buf_close_text(out, &text);
}

char *remarked_messages(const struct remarked_function *function,
                        const struct remarked_loop *loop)
{
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    for (size_t i = 0; i < loop->table->remarks; i++) {
        const struct remarktable_remark *remark =
            &function->table->remarks.list[loop->table->first_remark + i];
        if (!*remark->text)
            continue;
        BUF_OWN char *clean = text_clean(remark->text);
        buf_separate(out, "; ");
        fputs(clean, out);
        if (remark->what == CCPROF_REMARK_MISSED && remark->line)
            fprintf(out, " (line %" PRIu32 ")", remark->line);
    }
    return buf_close_text(out, &text);
}
