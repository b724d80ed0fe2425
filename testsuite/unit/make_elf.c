/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "testsuite/unit/make_elf.h"

#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An assertion that works with every compiler option. */
static void must(bool good)
{
    if (!good)
        abort();
}

static unsigned digit(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

unsigned char *make_bytes(const char *text, size_t *size)
{
    unsigned char *bytes = calloc(1, strlen(text) + 1);
    *size = 0;
    while (*text) {
        if (isspace((unsigned char)*text)) {
            text++;
            continue;
        }
        must(isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1]));
        bytes[(*size)++] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
        text += 2;
    }
    return bytes;
}

char *make_path(void)
{
    char folder[] = "file-XXXXXX";
    char *path = NULL;
    must(mkdtemp(folder) != NULL);
    must(asprintf(&path, "%s/x", folder) > 0);
    return path;
}

/* A file being written. The data it points to must stay valid until the file is
   written. */
struct writer {
    const struct make_elf *file;
    Elf *elf;
    char names[2048];
    size_t names_size;
    void *owned[MAKE_ELF_SECTIONS + 5];
    size_t owned_count;
};

static size_t add_name(struct writer *writer, const char *name)
{
    size_t at = writer->names_size;
    memcpy(writer->names + at, name, strlen(name) + 1);
    writer->names_size += strlen(name) + 1;
    return at;
}

/* Takes ownership of DATA. */
static Elf_Scn *add_section(struct writer *writer, const char *name, GElf_Word type,
                            void *data, size_t size)
{
    Elf_Scn *section = elf_newscn(writer->elf);
    Elf_Data *content = elf_newdata(section);
    GElf_Shdr header;
    writer->owned[writer->owned_count++] = data;
    content->d_buf = data;
    content->d_size = size;
    content->d_type = ELF_T_BYTE;
    content->d_align = type == SHT_NOTE ? 4 : 1;
    gelf_getshdr(section, &header);
    header.sh_name = (GElf_Word)add_name(writer, name);
    header.sh_type = type;
    header.sh_addralign = content->d_align;
    gelf_update_shdr(section, &header);
    return section;
}

static void put_word(unsigned char *to, uint32_t value, int order)
{
    for (int i = 0; i < 4; i++)
        to[order == ELFDATA2MSB ? 3 - i : i] = (unsigned char)(value >> 8 * i);
}

static void add_build_id(struct writer *writer, int order)
{
    size_t size;
    unsigned char *id = make_bytes(writer->file->build_id, &size);
    unsigned char *note = calloc(1, 16 + size);
    put_word(note, 4, order);
    put_word(note + 4, (uint32_t)size, order);
    put_word(note + 8, NT_GNU_BUILD_ID, order);
    memcpy(note + 12, "GNU", 4);
    memcpy(note + 16, id, size);
    free(id);
    /* Without padding, as ld writes it. */
    add_section(writer, ".note.gnu.build-id", SHT_NOTE, note, 16 + size);
}

static void add_header(struct writer *writer)
{
    const struct make_elf *file = writer->file;
    GElf_Ehdr header;
    must(gelf_newehdr(writer->elf, file->class ? file->class : ELFCLASS64));
    gelf_getehdr(writer->elf, &header);
    header.e_ident[EI_DATA] = (unsigned char)(file->order ? file->order : ELFDATA2LSB);
    header.e_type = (GElf_Half)(file->type ? file->type : ET_DYN);
    header.e_machine = (GElf_Half)file->machine;
    header.e_version = EV_CURRENT;
    gelf_update_ehdr(writer->elf, &header);
}

static void finish_header(struct writer *writer, Elf_Scn *names)
{
    GElf_Ehdr header;
    gelf_getehdr(writer->elf, &header);
    header.e_shstrndx = (GElf_Half)elf_ndxscn(names);
    gelf_update_ehdr(writer->elf, &header);
}

static void add_code(struct writer *writer)
{
    size_t size;
    unsigned char *bytes = make_bytes(writer->file->code, &size);
    Elf_Scn *section = add_section(writer, ".text", SHT_PROGBITS, bytes, size);
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    header.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    header.sh_addr = MAKE_ELF_CODE;
    gelf_update_shdr(section, &header);
}

static void add_tables(struct writer *writer)
{
    for (int i = 0; i < MAKE_ELF_SECTIONS && writer->file->sections[i].name; i++) {
        const struct make_elf_section *from = &writer->file->sections[i];
        size_t size = writer->file->sizes[i];
        unsigned char *bytes = size ? memcpy(malloc(size), from->bytes, size)
                                    : make_bytes(from->bytes, &size);
        Elf_Scn *section = add_section(writer, from->name, SHT_PROGBITS, bytes, size);
        if (writer->file->compress)
            must(elf_compress(section, ELFCOMPRESS_ZLIB, ELF_CHF_FORCE) >= 0);
    }
}

void make_elf(const char *path, const struct make_elf *file)
{
    struct writer writer = {.file = file, .names_size = 1};
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    must(descriptor >= 0);
    elf_version(EV_CURRENT);
    writer.elf = elf_begin(descriptor, ELF_C_WRITE, NULL);
    must(writer.elf != NULL);
    add_header(&writer);
    if (file->build_id)
        add_build_id(&writer, file->order);
    if (file->debuglink)
        add_section(&writer, ".gnu_debuglink", SHT_PROGBITS, strdup(file->debuglink),
                    strlen(file->debuglink) + 1);
    if (file->code)
        add_code(&writer);
    add_tables(&writer);
    Elf_Scn *names = add_section(&writer, ".shstrtab", SHT_STRTAB, NULL, 0);
    elf_getdata(names, NULL)->d_buf = writer.names;
    elf_getdata(names, NULL)->d_size = writer.names_size;
    finish_header(&writer, names);
    must(elf_update(writer.elf, ELF_C_WRITE) >= 0);
    elf_end(writer.elf);
    close(descriptor);
    for (size_t i = 0; i < writer.owned_count; i++)
        free(writer.owned[i]);
}
