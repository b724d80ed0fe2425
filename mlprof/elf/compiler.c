/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the name and version of the compiler from the section .comment. gates.c uses it
   to explain why counts differ. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/elffile.h"

#include <stdlib.h>
#include <string.h>

/* Each compilation adds its name to the section. The linker removes duplicates. More
   names than these are not compilers but a damaged section. */
#define NAMES_MOST 64

static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

char *elffile_compiler(const struct elffile *file)
{
    GElf_Shdr header;
    Elf_Scn *section = elffile_section(file, ".comment", &header);
    const Elf_Data *data =
        section && header.sh_type == SHT_PROGBITS && !(header.sh_flags & SHF_COMPRESSED)
            ? elf_rawdata(section, NULL)
            : NULL;
    const char *names[NAMES_MOST];
    size_t count = 0;
    if (!data || !data->d_buf || !data->d_size)
        return NULL;
    BUF_OWN char *copy = buf_alloc(data->d_size + 1);
    memcpy(copy, data->d_buf, data->d_size);
    for (const char *cursor = copy; cursor < copy + data->d_size && count < NAMES_MOST;
         cursor += strlen(cursor) + 1)
        if (*cursor)
            names[count++] = cursor;
    BUF_SORT(names, count, by_text);
    char *all = NULL;
    for (size_t i = 0; i < count; i++) {
        BUF_OWN char *before = all;
        BUF_OWN char *name = text_clean(names[i]);
        if (i && strcmp(names[i], names[i - 1]) == 0)
            all = buf_copy(before);
        else
            all = before ? buf_format("%s; %s", before, name) : buf_copy(name);
    }
    return all;
}
