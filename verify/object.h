/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object file with its groups and relocations resolved, for objdiff.
   What cannot be read ends the program: exit status 2. */

#ifndef VERIFY_OBJECT_H
#define VERIFY_OBJECT_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

struct section {
    Elf_Scn *scn;
    GElf_Shdr shdr;
    const char *name;
    const char *group;     /* signature of the group it is a member of, or "" */
    struct section *rel;   /* the relocations for it, or NULL */
    bool own;              /* ccprof's */
    bool compared;         /* part of the program: not own, not bookkeeping of the file */
    unsigned ordinal;      /* among the compared ones of the same name and group */
    unsigned place;        /* among all compared ones */
    struct section *other; /* the same one in the other object, or NULL */
};

struct symbol {
    GElf_Sym sym;
    const char *name;
    size_t section; /* number of its section if it is in one, else 0 */
    bool wanted;    /* something other than ccprof refers to it */
    bool spurned;   /* a section of ccprof refers to it */
};

struct object {
    const char *path;
    int fd;
    Elf *elf;
    GElf_Ehdr ehdr;
    struct section *sections;
    size_t n_sections;
    struct symbol *symbols;
    size_t n_symbols;
};

struct object object_read(const char *path);
void object_free(struct object *o);

/* Whether the name of a section, group or symbol is one of ccprof's. */
bool object_own_name(const char *name);

/* Contents as they are in the file. */
Elf_Data *object_data(const struct object *o, const struct section *s);
struct section *object_section(const struct object *o, size_t index);

size_t object_count_relocations(const struct section *s);
/* The addend is 0 where the file's format has none. */
GElf_Rela object_relocation(const struct object *o, const struct section *s,
                            size_t index);

#endif
