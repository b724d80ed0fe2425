/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/rewriter.h"
#include "mlprof/base/buf.h"

#include <string.h>

struct rewriter rewriter_begin(const char *name)
{
    struct rewriter rewriter = {.at = name};
    rewriter_put(&rewriter, "", 0);
    return rewriter;
}

void rewriter_put(struct rewriter *rewriter, const char *text, size_t length)
{
    rewriter->text =
        buf_grow(rewriter->text, &rewriter->capacity, rewriter->length + length + 1, 1);
    memcpy(rewriter->text + rewriter->length, text, length);
    rewriter_cut(rewriter, rewriter->length + length);
}

void rewriter_copy(struct rewriter *rewriter, size_t length)
{
    rewriter_put(rewriter, rewriter->at, length);
    rewriter->at += length;
}

void rewriter_cut(struct rewriter *rewriter, size_t length)
{
    rewriter->length = length;
    rewriter->text[length] = '\0';
}

void rewriter_deeper(struct rewriter *rewriter)
{
    if (++rewriter->depth > REWRITER_DEEPEST)
        rewriter->bad = true;
}
