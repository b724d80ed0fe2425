/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens an executable or shared object with libelf, and never runs it: finds its
   build-id, the sections that are ccprof's, and the name of its debug file.  */

#ifndef MLPROF_ELFFILE_H
#define MLPROF_ELFFILE_H

#include <stdint.h>
#include "mlprof/base/fault.h"

#include <stddef.h>

struct elffile_section {
    const char *name;
    const void *data;
    size_t size;
};

struct elffile {
    char *path;
    bool big_endian;
    char *build_id;                   /* lower-case hexadecimal digits; NULL: none */
    bool has_field;                   /* it holds code of the kind time-field */
    char *debuglink;                  /* content of .gnu_debuglink's name; NULL: none */
    struct elffile_section *sections; /* those called .ccprof.*, decompressed */
    size_t section_count, section_capacity;
    int descriptor;
    void *elf;
};

/* NULL and FAULT if there is no such file or it is damaged.  */
struct elffile *elffile_open(const char *path, struct fault *fault);

/* FILE may be NULL.  */
void elffile_close(struct elffile *file);

/* It has tables of ccprof.  */
bool elffile_has_tables(const struct elffile *file);

/* There is machine code at ADDRESS.  */
bool elffile_is_code(const struct elffile *file, uint64_t address);

/* Both have the same build-id, or both have none.  */
bool elffile_same_build_id(const char *one, const char *other);

#endif
