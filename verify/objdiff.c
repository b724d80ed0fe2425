/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objdiff PLAIN.o PROFILED.o: is an object made with ccprof the one that GCC makes
   without it? A stand-alone program for ccprof-verify and the same-code tests.

   Compared are the sections in their order: name, type, flags, alignment, group,
   contents and relocations (by the name of the symbol and the addend, since
   numbers of symbols shift), and the symbols in their order. Left out is what is
   ccprof's own by its name: sections with "ccprof" in the name, members of a group
   whose signature has it, symbols with it, and undefined symbols that only such
   sections refer to. So are the sections with GCC's intermediate code for the link.
   Section symbols have no name, and an assembler makes only those that something refers
   to: they count where a relocation names them. So do labels (.L5), of which an
   assembler makes symbols where the linker may shorten code (riscv64): by their places,
   since their numbers shift. A constant of which the linker keeps one copy for all
   (SHF_MERGE) counts there by what it is, not by its place.

   Prints a line for each difference. Exit status 0: none; 1: some; 2: trouble. */

#include "verify/object.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned differences;

__attribute__((format(printf, 1, 2))) static void differ(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    differences++;
}

static struct section *counterpart(const struct object *o, const struct section *s)
{
    for (size_t i = 0; i < o->n_sections; i++) {
        struct section *t = &o->sections[i];

        if (t->compared && t->ordinal == s->ordinal && strcmp(t->name, s->name) == 0 &&
            strcmp(t->group, s->group) == 0)
            return t;
    }
    return NULL;
}

static void pair_sections(struct object *a, struct object *b)
{
    for (size_t i = 0; i < a->n_sections; i++) {
        struct section *s = &a->sections[i];

        if (s->compared && (s->other = counterpart(b, s)))
            s->other->other = s;
    }
}

/* The members of a group that are compared, counted; ccprof may add its own. */
static size_t members(const struct object *o, const struct section *group)
{
    Elf_Data *data = object_data(o, group);
    const Elf32_Word *words = data->d_buf;
    size_t n = 0;

    for (size_t i = 1; i < data->d_size / sizeof *words; i++)
        n += object_section(o, words[i])->compared;
    return n;
}

static void compare_groups(const struct object *a, const struct section *s,
                           const struct object *b, const struct section *t)
{
    const Elf32_Word *flags_a = object_data(a, s)->d_buf,
                     *flags_b = object_data(b, t)->d_buf;

    if (flags_a && flags_b && *flags_a != *flags_b)
        differ("group %s: flags differ", s->group);
    if (members(a, s) != members(b, t))
        differ("group %s: %zu and %zu members", s->group, members(a, s), members(b, t));
}

static void compare_contents(const struct object *a, const struct section *s,
                             const struct object *b, const struct section *t)
{
    size_t shorter =
        s->shdr.sh_size < t->shdr.sh_size ? s->shdr.sh_size : t->shdr.sh_size;

    if (s->shdr.sh_type != SHT_NOBITS && t->shdr.sh_type != SHT_NOBITS && shorter > 0) {
        const unsigned char *x = object_data(a, s)->d_buf, *y = object_data(b, t)->d_buf;
        size_t i = 0;

        while (i < shorter && x[i] == y[i])
            i++;
        if (i < shorter)
            differ("%s: contents differ at 0x%zx", s->name, i);
    }
    if (s->shdr.sh_size != t->shdr.sh_size)
        differ("%s: 0x%llx and 0x%llx bytes", s->name,
               (unsigned long long)s->shdr.sh_size, (unsigned long long)t->shdr.sh_size);
}

static bool same_place(const struct object *a, const struct symbol *x,
                       const struct object *b, const struct symbol *y)
{
    if (!x->section || !y->section)
        return x->section == y->section && x->sym.st_shndx == y->sym.st_shndx;
    return a->sections[x->section].other == &b->sections[y->section];
}

static bool is_label(const struct symbol *y)
{
    return strncmp(y->name, ".L", 2) == 0 && y->section != 0 &&
           GELF_ST_BIND(y->sym.st_info) == STB_LOCAL &&
           GELF_ST_TYPE(y->sym.st_info) == STT_NOTYPE;
}

/* Whether two symbols that relocations name are the same one. */
static bool same_target(const struct object *a, const struct symbol *x,
                        const struct object *b, const struct symbol *y)
{
    const struct section *s = &a->sections[x->section], *t = &b->sections[y->section];

    if (GELF_ST_TYPE(x->sym.st_info) == STT_SECTION &&
        GELF_ST_TYPE(y->sym.st_info) == STT_SECTION)
        return s->other == t;
    if (is_label(x) && is_label(y))
        return x->sym.st_value == y->sym.st_value && same_place(a, x, b, y);
    return GELF_ST_TYPE(x->sym.st_info) == GELF_ST_TYPE(y->sym.st_info) &&
           strcmp(x->name, y->name) == 0;
}

/* Whether the symbol's value and the addend make the address that is meant; on x86-64
   distances are counted from the end of an instruction, which the addend allows for. */
static bool has_address(const struct object *o, const GElf_Rela *r)
{
    const unsigned type = GELF_R_TYPE(r->r_info);

    return o->ehdr.e_machine != EM_X86_64 || type == R_X86_64_64 || type == R_X86_64_32 ||
           type == R_X86_64_32S;
}

/* The constant of a mergeable section that a relocation names, with its section; or
   NULL. */
static const unsigned char *constant_of(const struct object *o, const GElf_Rela *r,
                                        const struct section **section)
{
    const struct symbol *y = &o->symbols[GELF_R_SYM(r->r_info)];
    const struct section *s = &o->sections[y->section];
    const GElf_Shdr *header = &s->shdr;
    const uint64_t at = y->sym.st_value + (uint64_t)r->r_addend;

    if (!has_address(o, r) ||
        (GELF_ST_TYPE(y->sym.st_info) != STT_SECTION && !is_label(y)) ||
        (header->sh_flags & (SHF_MERGE | SHF_STRINGS)) != SHF_MERGE ||
        header->sh_type != SHT_PROGBITS || header->sh_entsize == 0 ||
        at % header->sh_entsize != 0 || at >= header->sh_size ||
        header->sh_size - at < header->sh_entsize)
        return NULL;
    *section = s;
    return (const unsigned char *)object_data(o, s)->d_buf + at;
}

/* Whether two relocations of one type, at the same place, name the same. */
static bool same_operand(const struct object *a, const GElf_Rela *p,
                         const struct object *b, const GElf_Rela *q)
{
    const struct section *s, *t;
    const unsigned char *x = constant_of(a, p, &s), *y = constant_of(b, q, &t);

    if (x && y)
        return s->other == t && s->shdr.sh_entsize == t->shdr.sh_entsize &&
               memcmp(x, y, s->shdr.sh_entsize) == 0;
    return p->r_addend == q->r_addend &&
           same_target(a, &a->symbols[GELF_R_SYM(p->r_info)], b,
                       &b->symbols[GELF_R_SYM(q->r_info)]);
}

static void compare_relocations(const struct object *a, const struct section *s,
                                const struct object *b, const struct section *t)
{
    size_t n = object_count_relocations(s);

    if (n != object_count_relocations(t)) {
        differ("%s: %zu and %zu relocations", s->name, n, object_count_relocations(t));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        GElf_Rela p = object_relocation(a, s, i), q = object_relocation(b, t, i);

        if (p.r_offset != q.r_offset || GELF_R_TYPE(p.r_info) != GELF_R_TYPE(q.r_info) ||
            !same_operand(a, &p, b, &q)) {
            differ("%s: relocation differs at 0x%llx", s->name,
                   (unsigned long long)p.r_offset);
            return;
        }
    }
}

static void compare_headers(const struct object *a, const struct section *s,
                            const struct object *b, const struct section *t)
{
    const GElf_Shdr *x = &s->shdr, *y = &t->shdr;

    if (x->sh_type != y->sh_type)
        differ("%s: types differ", s->name);
    if (x->sh_flags != y->sh_flags)
        differ("%s: flags 0x%llx and 0x%llx", s->name, (unsigned long long)x->sh_flags,
               (unsigned long long)y->sh_flags);
    if (x->sh_addralign != y->sh_addralign || x->sh_entsize != y->sh_entsize)
        differ("%s: alignment or size of entries differs", s->name);
    if ((x->sh_flags & y->sh_flags & SHF_LINK_ORDER) &&
        object_section(a, x->sh_link)->other != object_section(b, y->sh_link))
        differ("%s: linked to another section", s->name);
}

static void compare_sections(const struct object *a, const struct object *b)
{
    unsigned place = 0;
    bool ordered = true;

    for (size_t i = 0; i < a->n_sections; i++) {
        const struct section *s = &a->sections[i];
        const struct section *t;

        if (!s->compared)
            continue;
        t = s->other;
        if (!t) {
            differ("%s: only without ccprof", s->name);
            continue;
        }
        if (t->place < place && ordered) {
            differ("%s: the order of sections differs", s->name);
            ordered = false;
        }
        place = t->place;
        compare_headers(a, s, b, t);
        if (s->shdr.sh_type == SHT_GROUP)
            compare_groups(a, s, b, t);
        else
            compare_contents(a, s, b, t);
        compare_relocations(a, s, b, t);
    }
    for (size_t i = 0; i < b->n_sections; i++)
        if (b->sections[i].compared && !b->sections[i].other)
            differ("%s: only with ccprof", b->sections[i].name);
}

/* An assembler adds the name of the global offset table, with no reference to it, where
   code of ccprof's calls a function. */
static bool is_only_for_own(const struct symbol *y)
{
    return y->sym.st_shndx == SHN_UNDEF && !y->wanted &&
           (y->spurned || strcmp(y->name, "_GLOBAL_OFFSET_TABLE_") == 0);
}

/* The first symbol of each file is none. */
static bool is_compared(const struct object *o, const struct symbol *y)
{
    return y != o->symbols && GELF_ST_TYPE(y->sym.st_info) != STT_SECTION &&
           !is_label(y) && !object_own_name(y->name) && !o->sections[y->section].own &&
           !is_only_for_own(y);
}

/* The first symbol from *INDEX on that is compared, or NULL; moves *INDEX behind it. */
static const struct symbol *next_symbol(const struct object *o, size_t *index)
{
    while (*index < o->n_symbols) {
        const struct symbol *y = &o->symbols[(*index)++];

        if (is_compared(o, y))
            return y;
    }
    return NULL;
}

static void compare_symbols(const struct object *a, const struct object *b)
{
    size_t i = 0, j = 0;

    for (;;) {
        const struct symbol *x = next_symbol(a, &i), *y = next_symbol(b, &j);

        if (!x && !y)
            return;
        if (!x || !y || strcmp(x->name, y->name) != 0) {
            differ("symbols: %s without ccprof, %s with it", x ? x->name : "none",
                   y ? y->name : "none");
            return;
        }
        if (x->sym.st_value != y->sym.st_value || x->sym.st_size != y->sym.st_size ||
            x->sym.st_info != y->sym.st_info || x->sym.st_other != y->sym.st_other ||
            !same_place(a, x, b, y))
            differ("symbols: %s differs", x->name);
    }
}

static void compare_files(struct object *a, struct object *b)
{
    if (a->ehdr.e_machine != b->ehdr.e_machine || a->ehdr.e_flags != b->ehdr.e_flags ||
        memcmp(a->ehdr.e_ident, b->ehdr.e_ident, EI_NIDENT) != 0)
        differ("ELF headers differ");
    pair_sections(a, b);
    compare_sections(a, b);
    compare_symbols(a, b);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: objdiff PLAIN.o PROFILED.o\n");
        return 2;
    }
    elf_version(EV_CURRENT);

    struct object a = object_read(argv[1]), b = object_read(argv[2]);

    compare_files(&a, &b);
    object_free(&a);
    object_free(&b);
    return differences != 0;
}
