// SPDX-License-Identifier: GPL-3.0-or-later
// The vectorizer tries several vector lengths, the preferred length first. For each
// length it writes messages until it gives up. The last message of the preferred length
// is the reason, unless it only says in which step the vectorizer gave up. Then an
// earlier message says why.

#include "plugin/gcc/compat.h"
#include "plugin/remarks/loops.h"

#define TEXT_SIZE 240 // of a reason; the rest is cut off

namespace
{
struct reason {
    char text[TEXT_SIZE];
    unsigned line;
};
} // namespace

// The messages about one loop.
static struct {
    struct reason step;  // the last step that failed
    struct reason cause; // the last message that says why
    char *about;         // variables of the last message that names some
    bool complete;       // the preferred length has failed
} current;

// Messages about details that do not prevent vectorization.
static const char *const details[] = {
    "step unknown",
    "Unknown misalignment",
    "reduc op not supported by target",
    "not consecutive access",
    "versioning for alias required",
    "no reduc code for scalar code",
    "Unknown def-use cycle pattern",
    "Unsupported pattern",
    "reduction used in loop",
    "can't force alignment",
    "recognized as unaligned",
};

// Messages that only name the step that failed.
static const char *const steps[] = {
    "bad loop form",
    "bad data references",
    "bad data access",
    "bad data dependence",
    "bad data alignment",
    "bad operation or unsupported loop bound",
    "bad scalar cycle",
    "unsupported pattern",
    "unexpected pattern",
    "unsupported SLP instances",
    "Loop costings not worthwhile",
    "Loop costings may not be worthwhile",
    "not vectorized: loop contains function calls or data references",
    "can't determine vectorization factor",
};

// Messages about a reduction that has no vector form.
static const char *const reductions[] = {
    "not vectorized: relevant phi not supported",
    "not vectorized: unsupported use in stmt",
    "unsupported use of reduction",
    "not vectorized: unsupported use of reduction",
};

template <size_t count>
static bool is_one_of(const char *text, const char *const (&beginnings)[count])
{
    for (const char *beginning : beginnings)
        if (startswith(text, beginning))
            return true;
    return false;
}

void reasons_start(void)
{
    current.step.text[0] = current.cause.text[0] = 0;
    free(current.about);
    current.about = NULL;
    current.complete = false;
}

void reasons_add(const char *text, unsigned line)
{
    if (current.complete)
        return;
    if (char *about = references_of(text)) {
        free(current.about);
        current.about = about;
    }
    if (is_one_of(text, details))
        return;
    struct reason *reason = is_one_of(text, steps) ? &current.step : &current.cause;
    snprintf(reason->text, sizeof reason->text, "%s", text);
    reason->line = line;
}

void reasons_end_length(void)
{
    current.complete = true;
}

void reasons_tell(unsigned loop)
{
    const struct reason *reason = *current.cause.text ? &current.cause : &current.step;
    const char *about = current.about;
    tree reduction =
        is_one_of(reason->text, reductions) ? loops_ordered_reduction(loop) : NULL_TREE;

    if (reduction)
        about = references_name(reduction);
    loops_remark(loop, CCPROF_REMARK_MISSED, reduction ? CCPROF_MISSED_ORDER : 0,
                 reason->line, reason->text, about);
    reasons_start();
}
