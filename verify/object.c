/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_MARK "ccprof"

static _Noreturn void die(const char *path, const char *what)
{
    fprintf(stderr, "objdiff: %s: %s\n", path, what);
    exit(2);
}

static void *allocate(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);

    if (!memory)
        die("memory", strerror(errno));
    return memory;
}

bool object_own_name(const char *name)
{
    return strstr(name, OWN_MARK) != NULL;
}

static bool is_relocation(const struct section *s)
{
    return s->shdr.sh_type == SHT_REL || s->shdr.sh_type == SHT_RELA;
}

static bool is_bookkeeping(const struct section *s)
{
    /* For the linker: the stub has no prologue for split stacks. */
    if (strcmp(s->name, ".note.GNU-no-split-stack") == 0)
        return true;
    switch (s->shdr.sh_type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_STRTAB:
        return true;
    default:
        return is_relocation(s);
    }
}

Elf_Data *object_data(const struct object *o, const struct section *s)
{
    Elf_Data *data = elf_getdata(s->scn, NULL);

    if (!data)
        die(o->path, elf_errmsg(-1));
    return data;
}

struct section *object_section(const struct object *o, size_t index)
{
    if (index >= o->n_sections)
        die(o->path, "a section number is out of range");
    return &o->sections[index];
}

static void read_sections(struct object *o)
{
    size_t names;

    if (elf_getshdrnum(o->elf, &o->n_sections) != 0 ||
        elf_getshdrstrndx(o->elf, &names) != 0)
        die(o->path, elf_errmsg(-1));
    o->sections = allocate(o->n_sections, sizeof *o->sections);
    for (size_t i = 0; i < o->n_sections; i++) {
        struct section *s = &o->sections[i];

        s->scn = elf_getscn(o->elf, i);
        if (!s->scn || !gelf_getshdr(s->scn, &s->shdr))
            die(o->path, elf_errmsg(-1));
        s->name = elf_strptr(o->elf, names, s->shdr.sh_name);
        if (!s->name)
            die(o->path, elf_errmsg(-1));
        s->group = "";
    }
}

static void read_symbols(struct object *o)
{
    const struct section *table = NULL;
    const struct section *wide = NULL;

    for (size_t i = 0; i < o->n_sections; i++)
        if (o->sections[i].shdr.sh_type == SHT_SYMTAB)
            table = &o->sections[i];
        else if (o->sections[i].shdr.sh_type == SHT_SYMTAB_SHNDX)
            wide = &o->sections[i];
    if (!table)
        die(o->path, "no symbols");

    Elf_Data *data = object_data(o, table);
    Elf_Data *indexes = wide ? object_data(o, wide) : NULL;

    o->n_symbols =
        table->shdr.sh_entsize ? table->shdr.sh_size / table->shdr.sh_entsize : 0;
    o->symbols = allocate(o->n_symbols, sizeof *o->symbols);
    for (size_t i = 0; i < o->n_symbols; i++) {
        struct symbol *y = &o->symbols[i];
        Elf32_Word index = 0;

        if (!gelf_getsymshndx(data, indexes, (int)i, &y->sym, &index))
            die(o->path, elf_errmsg(-1));
        y->name = elf_strptr(o->elf, table->shdr.sh_link, y->sym.st_name);
        if (!y->name)
            die(o->path, elf_errmsg(-1));
        if (y->sym.st_shndx == SHN_XINDEX)
            y->section = index;
        else if (y->sym.st_shndx < SHN_LORESERVE)
            y->section = y->sym.st_shndx;
        object_section(o, y->section);
    }
}

static const char *signature(const struct object *o, const struct section *group)
{
    if (group->shdr.sh_info >= o->n_symbols)
        die(o->path, "a group without a signature");

    const struct symbol *y = &o->symbols[group->shdr.sh_info];

    if (GELF_ST_TYPE(y->sym.st_info) == STT_SECTION)
        return object_section(o, y->section)->name;
    return y->name;
}

static void read_groups(struct object *o)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        struct section *group = &o->sections[i];

        if (group->shdr.sh_type != SHT_GROUP)
            continue;
        group->group = signature(o, group);

        Elf_Data *data = object_data(o, group);
        const Elf32_Word *words = data->d_buf;

        for (size_t j = 1; j < data->d_size / sizeof *words; j++)
            object_section(o, words[j])->group = group->group;
    }
}

static void link_relocations(struct object *o)
{
    for (size_t i = 0; i < o->n_sections; i++)
        if (is_relocation(&o->sections[i]))
            object_section(o, o->sections[i].shdr.sh_info)->rel = &o->sections[i];
}

/* GCC's intermediate code, in which the markers travel to the compiler at link time;
   no part of the program. */
static bool is_intermediate(const struct section *s)
{
    return strncmp(s->name, ".gnu.lto_", 9) == 0 ||
           strncmp(s->name, ".gnu.offload_lto_", 17) == 0;
}

static void classify(struct object *o)
{
    unsigned place = 0;

    for (size_t i = 0; i < o->n_sections; i++) {
        struct section *s = &o->sections[i];

        s->own = object_own_name(s->name) || object_own_name(s->group);
        s->compared = !s->own && !is_bookkeeping(s) && !is_intermediate(s);
        if (!s->compared)
            continue;
        s->place = place++;
        for (size_t j = 0; j < i; j++) {
            const struct section *before = &o->sections[j];

            if (before->compared && strcmp(before->name, s->name) == 0 &&
                strcmp(before->group, s->group) == 0)
                s->ordinal++;
        }
    }
}

size_t object_count_relocations(const struct section *s)
{
    return s->rel && s->rel->shdr.sh_entsize
               ? s->rel->shdr.sh_size / s->rel->shdr.sh_entsize
               : 0;
}

GElf_Rela object_relocation(const struct object *o, const struct section *s, size_t index)
{
    GElf_Rela rela = {0};
    Elf_Data *data = object_data(o, s->rel);

    if (s->rel->shdr.sh_type == SHT_RELA) {
        if (!gelf_getrela(data, (int)index, &rela))
            die(o->path, elf_errmsg(-1));
    } else {
        GElf_Rel rel;

        if (!gelf_getrel(data, (int)index, &rel))
            die(o->path, elf_errmsg(-1));
        rela.r_offset = rel.r_offset;
        rela.r_info = rel.r_info;
    }
    if (GELF_R_SYM(rela.r_info) >= o->n_symbols)
        die(o->path, "a symbol number is out of range");
    return rela;
}

static void see_who_refers(struct object *o)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        const struct section *s = &o->sections[i];

        for (size_t j = 0, n = object_count_relocations(s); j < n; j++) {
            struct symbol *y = &o->symbols[GELF_R_SYM(object_relocation(o, s, j).r_info)];

            if (s->own)
                y->spurned = true;
            else
                y->wanted = true;
        }
    }
}

struct object object_read(const char *path)
{
    struct object o = {.path = path};

    o.fd = open(path, O_RDONLY | O_CLOEXEC);
    if (o.fd < 0)
        die(path, strerror(errno));
    o.elf = elf_begin(o.fd, ELF_C_READ, NULL);
    if (!o.elf || elf_kind(o.elf) != ELF_K_ELF || !gelf_getehdr(o.elf, &o.ehdr))
        die(path, "not an ELF file");
    if (o.ehdr.e_type != ET_REL)
        die(path, "not an object file");
    read_sections(&o);
    read_symbols(&o);
    read_groups(&o);
    link_relocations(&o);
    classify(&o);
    see_who_refers(&o);
    return o;
}

void object_free(struct object *o)
{
    elf_end(o->elf);
    close(o->fd);
    free(o->sections);
    free(o->symbols);
}
