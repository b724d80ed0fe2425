/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/asked.h"
#include "rt/format.h"

#include <string.h>

static const char *behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* Strings of later versions are skipped.  */
static void read_string(struct asked *asked, const char *text)
{
    const char *pattern = behind(text, CCPROF_ASKED_PATTERN);
    const char *met = behind(text, CCPROF_ASKED_MET);
    const char *lacks = behind(text, CCPROF_ASKED_LACKS);
    if (pattern)
        intern_put(&asked->patterns, pattern);
    if (met)
        intern_put(&asked->met, met);
    if (lacks)
        intern_put(&asked->lacks, lacks);
    asked->lto |= strcmp(text, CCPROF_ASKED_LTO) == 0;
    asked->linked |= strcmp(text, CCPROF_ASKED_LINKED) == 0;
}

void asked_read(struct asked *asked, const struct elffile *file)
{
    for (size_t i = 0; i < file->section_count; i++) {
        const struct elffile_section *section = &file->sections[i];
        const char *at = section->data, *end = at + section->size, *stop;
        if (strcmp(section->name, CCPROF_SECTION_ASKED) != 0)
            continue;
        for (; at < end && (stop = memchr(at, '\0', (size_t)(end - at))); at = stop + 1)
            read_string(asked, at);
    }
}

bool asked_is_unlinked(const struct asked *asked)
{
    return asked->lto && !asked->linked;
}

bool asked_is_missed(const struct asked *asked, uint32_t number)
{
    const char *pattern = intern_text(&asked->patterns, number);
    for (uint32_t i = 0; i < asked->met.count; i++)
        if (strcmp(intern_text(&asked->met, i), pattern) == 0)
            return false;
    return true;
}

void asked_free(struct asked *asked)
{
    intern_free(&asked->patterns);
    intern_free(&asked->met);
    intern_free(&asked->lacks);
}
