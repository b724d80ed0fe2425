/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens an executable or shared object with libelf: finds its build ID, the sections
   written by ccprof, and its separate debug file. The file is never executed. Used by
   all rooms that read programs. */

#ifndef MLPROF_ELFFILE_H
#define MLPROF_ELFFILE_H

#include "mlprof/base/buf.h"
#include "mlprof/base/fault.h"

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct elffile_section {
    const char *name;
    const void *data;
    size_t size;
};

/* A section with machine code. */
struct elffile_code_section {
    Elf_Scn *section;
    GElf_Shdr header;
};

struct elffile {
    char *path;
    uint64_t size; /* in bytes */
    bool big_endian;
    bool is_64;       /* of 64 bits */
    unsigned machine; /* EM_* of ELF */
    char *build_id;   /* lower-case hexadecimal digits; NULL: none */
    bool has_field;   /* has code compiled with the kind time-field */
    bool has_stub;    /* was compiled with the plugin */
    /* Highest version of the protocol of requests that it takes (doc/requests.md); 0:
     * none. */
    uint32_t requests;
    /* The file name in .gnu_debuglink; NULL: none. */
    char *debuglink;
    /* Sections named .ccprof.*, decompressed. Empty after elffile_try. */
    BUF_VECTOR(struct elffile_section) sections;
    BUF_VECTOR(struct elffile_code_section) code; /* in the order of the file */
    int descriptor;
    Elf *elf;
};

/* Opens the file at PATH. If the file is missing or damaged, returns NULL and sets
   FAULT. */
struct elffile *elffile_open(const char *path, struct fault *fault);

/* Like elffile_open, for callers that need neither a reason if the result is NULL nor the
   sections of ccprof, which are not read and may be damaged. */
struct elffile *elffile_try(const char *path);

/* Closes FILE, which may be NULL. */
void elffile_close(struct elffile *file);

/* Returns whether the file has ccprof tables. */
bool elffile_has_tables(const struct elffile *file);

/* Returns the names of the compilers that made the file, sorted, with `; ' between
   them, from its section .comment; freed by free. Returns NULL if there is no such
   section. (compiler.c)  */
char *elffile_compiler(const struct elffile *file);

/* Returns the bytes of the machine code from START to *END. If the section ends earlier,
   sets *END to the end of the section. Returns NULL if the file does not have the bytes.
   The bytes are valid until FILE is closed. */
const uint8_t *elffile_code(const struct elffile *file, uint64_t start, uint64_t *end);

/* Returns the first section NAME, and sets HEADER; NULL if there is none. */
Elf_Scn *elffile_section(const struct elffile *file, const char *name, GElf_Shdr *header);

/* Returns whether there is machine code at ADDRESS. */
bool elffile_is_code(const struct elffile *file, uint64_t address);

/* Returns whether ADDRESS is in a stub of the linker that jumps to a function of
   another module (System V ABI, procedure linkage table). */
bool elffile_is_stub(const struct elffile *file, uint64_t address);

/* Returns whether both build IDs are equal, or both are NULL (no build ID). */
bool elffile_same_build_id(const char *one, const char *other);

/* Describes a text of SIZE bytes that is not the expected data file, and names the
   file to use instead. */
const char *elffile_instead_of_data(const char *text, size_t size);

/* The folder of the debug files, /usr/lib/debug. Only tests change it. */
extern const char *debugfile_root;

/* Opens the separate debug file of FILE, if the tables or symbols of FILE were
   stripped. The debug file must have the build ID of FILE, and ACCEPTS must return
   true for it. It is searched where gdb searches it ("Debugging Information in
   Separate Files"): by build ID below debugfile_root, then by the name in
   .gnu_debuglink in the folder of FILE and in its subfolder .debug/. Returns NULL with
   an empty FAULT if there is no such file. Returns NULL and sets FAULT if all files
   found are damaged or belong to another build. */
struct elffile *debugfile_open(const struct elffile *file,
                               bool (*accepts)(const struct elffile *),
                               struct fault *fault);

#endif
