/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "rt/format.h"
#include "testsuite/fuzz/memory.h"
#include "testsuite/fuzz/targets.h"
#include "testsuite/fuzz/use.h"
#include "testsuite/unit/make_elf.h"

#include <assert.h>
#include <string.h>

const char *const targets_sections[] = {
    CCPROF_SECTION_STR,    CCPROF_SECTION_UNIT,       CCPROF_SECTION_CODE,
    CCPROF_SECTION_COUNT,  CCPROF_SECTION_FLOW,       CCPROF_SECTION_EDGE,
    CCPROF_SECTION_ALLOC,  CCPROF_SECTION_ALLOCATORS, CCPROF_SECTION_INCLUSIVE,
    CCPROF_SECTION_PATHS,  CCPROF_SECTION_TYPES,      CCPROF_SECTION_ARCS,
    CCPROF_SECTION_VALUES, CCPROF_SECTION_CALLEES,    CCPROF_SECTION_MACHINE,
    CCPROF_SECTION_REMARKS};
const size_t targets_section_count = sizeof targets_sections / sizeof *targets_sections;

#define MARK (sizeof TARGETS_SECTION - 1)

/* Where the next section begins; END if there is none. */
static const unsigned char *next_mark(const unsigned char *from, const unsigned char *end)
{
    const unsigned char *mark = memmem(from, (size_t)(end - from), TARGETS_SECTION, MARK);
    return mark && end - mark > (ptrdiff_t)MARK ? mark : end;
}

/* Writes a shared object with the sections of BYTES. */
static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    struct make_elf file = {0};
    const unsigned char *end = bytes + size, *at = next_mark(bytes, end);
    for (size_t i = 0; at < end && i < MAKE_ELF_SECTIONS - 1; i++) {
        const unsigned char *content = at + MARK + 1, *stop = next_mark(content, end);
        file.sizes[i] = (size_t)(stop - content);
        file.sections[i] =
            (struct make_elf_section){targets_sections[at[MARK] % targets_section_count],
                                      file.sizes[i] ? (const char *)content : ""};
        at = stop;
    }
    make_elf(path, &file);
}

bool targets_tables(const unsigned char *bytes, size_t size)
{
    struct fault fault = {0};
    struct memory_file file = memory_open("", 0);
    write_file(file.path, bytes, size);
    struct tables *tables = tables_open(file.path, &fault);
    assert((tables != NULL) == (fault.kind == FAULT_NONE));
    fault_clear(&fault);
    use_tables(tables);
    memory_close(&file);
    return tables != NULL;
}
