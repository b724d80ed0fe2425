/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the name and version of the compiler from the section .comment. gates.c uses it
   to explain why counts differ. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/elffile.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Each compilation adds its name to the section. The linker removes duplicates. More
   names than these are not compilers but a damaged section. */
#define NAMES_MOST 64

/* Returns the content of the section .comment; NULL if there is none. */
static const Elf_Data *find_comment(const struct elffile *file)
{
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(file->elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            header.sh_flags & SHF_COMPRESSED)
            continue;
        const char *name = elf_strptr(file->elf, names, header.sh_name);
        if (name && strcmp(name, ".comment") == 0)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

char *elffile_compiler(const struct elffile *file)
{
    const Elf_Data *data = find_comment(file);
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
