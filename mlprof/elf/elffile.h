/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens an executable or shared object with libelf: finds its build-id, ccprof's
   sections, and the name of its debug file.  The file is never executed.  */

#ifndef MLPROF_ELFFILE_H
#define MLPROF_ELFFILE_H

#include "mlprof/base/fault.h"

#include <stddef.h>
#include <stdint.h>

struct elffile_section {
    const char *name;
    const void *data;
    size_t size;
};

struct elffile {
    char *path;
    bool big_endian;
    unsigned machine; /* one of ELF's numbers EM_* */
    char *build_id;   /* lower-case hexadecimal digits; NULL: none */
    bool has_field;   /* it holds code of the kind time-field */
    /* The name in .gnu_debuglink; NULL: there is none.  */
    char *debuglink;
    struct elffile_section *sections; /* the sections called .ccprof.*, decompressed */
    size_t section_count, section_capacity;
    int descriptor;
    void *elf;
};

/* NULL and FAULT if the file is missing or damaged.  */
struct elffile *elffile_open(const char *path, struct fault *fault);

/* FILE may be NULL.  */
void elffile_close(struct elffile *file);

/* Whether the file has ccprof's tables.  */
bool elffile_has_tables(const struct elffile *file);

/* Whether machine code is at ADDRESS.  */
bool elffile_is_code(const struct elffile *file, uint64_t address);

/* Whether a stub of the linker is at ADDRESS, which jumps to a function of another module
   (System V ABI, procedure linkage table).  */
bool elffile_is_stub(const struct elffile *file, uint64_t address);

/* Whether both have the same build-id, or both have none (NULL).  */
bool elffile_same_build_id(const char *one, const char *other);

/* Describes a text of SIZE bytes that is not the data file that was expected, and says
   which file to name instead.  */
const char *elffile_instead_of_data(const char *text, size_t size);

#define DEBUGFILE_ROOT "/usr/lib/debug"

/* Opens the separate debug file of FILE, whose own tables or symbols were stripped.  It
   must have the build-id of FILE, and ACCEPTS must return true for it.  The places are
   gdb's
   ("Debugging Information in Separate Files"): by build-id below ROOT, then by the name
   in .gnu_debuglink in the folder of FILE and in .debug/ there.  Returns NULL with an
   empty FAULT if there is no such file, and NULL with a FAULT if all files found are
   damaged or of another build.  */
struct elffile *debugfile_open(const struct elffile *file, const char *root,
                               bool (*accepts)(const struct elffile *),
                               struct fault *fault);

#endif
