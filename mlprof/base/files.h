/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens, reads and writes whole files (regular_, content_, save_), compresses text
   (gzip_), and embeds files such as the page's scripts in the program (EMBED). */

#ifndef MLPROF_FILES_H
#define MLPROF_FILES_H

#include "mlprof/base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of opening a file that the user did not name: its name comes from a
   table, a data file or a folder. */
enum regular_state {
    REGULAR_IS,     /* a regular file, now open */
    REGULAR_CANNOT, /* cannot be opened; see errno */
    REGULAR_FOLDER,
    REGULAR_OTHER, /* a pipe, device or socket: opening it may have effects */
    /* A file of size 0. The kernel's own files have this size; some of them never end,
       or lose data when they are read. */
    REGULAR_EMPTY,
};

struct regular {
    int descriptor; /* closed by the caller */
    uint64_t size;
};

/* Opens the file at PATH for reading without blocking. If the result is REGULAR_IS,
 *FILE is set; otherwise nothing is open. */
enum regular_state regular_open(const char *path, struct regular *file);

/* Returns a description of STATE, which is not REGULAR_IS. The text is valid until the
   next call of strerror. */
const char *regular_describe(enum regular_state state);

/* Returns the content of the file at PATH, which the user has named, with a final NUL;
   freed by free. If the file cannot be read, returns NULL and sets FAULT. If START is
   not NULL and the file does not begin with START or contains a NUL, only the
   beginning of the file is read, because the file is not the expected text and may be
   endless. */
char *content_read(const char *path, const char *start, size_t *size,
                   struct fault *fault);

/* Like content_read, for a file that was not named by the user: reads only regular
   files, and at most MOST bytes. If the file is not regular, sets FAULT_FORMAT. */
char *content_read_found(const char *path, const char *start, size_t most, size_t *size,
                         struct fault *fault);

/* Like content_read, for an open regular FILE. Reads at most the size in FILE, and
   closes FILE. */
char *content_read_regular(const struct regular *file, const char *path,
                           const char *start, size_t *size, struct fault *fault);

/* Returns whether PATH means standard output: `-' or /dev/stdout. */
bool save_is_output(const char *path);

/* Writes SIZE bytes of TEXT to the file at PATH, which the user has named. A regular file
   is replaced as by save_made_up, but symbolic links are followed and stay. A pipe or a
   device is written directly, and also a file in a folder in which no file can be
   created. Text for standard output is kept until save_flush. On failure returns false
   and sets FAULT. */
bool save_file(const char *path, const char *text, size_t size, struct fault *fault);

/* Prints the texts that save_file has kept for standard output. Call it when all files
   are written: if one of them fails, nothing has been printed. On failure returns false
   and sets FAULT. */
bool save_flush(struct fault *fault);

/* Frees these texts. */
void save_forget(void);

/* Writes SIZE bytes of TEXT to the file at PATH, whose last component mlprof has
   chosen. Another user may have put a symbolic link there. Therefore the text is
   written to a new file in the same folder, which is then renamed to PATH; at a full
   disk the old file stays. A regular file at PATH is replaced; its owner and permissions
   are kept. If PATH is anything
   else, or if writing fails, returns false, sets FAULT, and changes nothing. */
bool save_made_up(const char *path, const char *text, size_t size, struct fault *fault);

/* Returns whether a file is to be compressed: PATH ends in .gz. */
bool gzip_is_wanted(const char *path);

/* Returns SIZE bytes of TEXT compressed in gzip format; freed by free. Sets *LENGTH to
   the compressed size. */
char *gzip_compress(const char *text, size_t size, size_t *length);

/* Embeds FILE in the program. Defines the symbols NAME, the file's content with a
   final NUL, and NAME_end, the address of that NUL. The assembler searches FILE below
   the root of the sources and below the build folder. mlprof.mk lists the modules that
   use EMBED in MLPROF_EMBEDS. */
#define EMBED(name, file)                                                                \
    __asm__(".pushsection .rodata\n"                                                     \
            ".globl " name "\n" name ":\n.incbin \"" file "\"\n"                         \
            ".globl " name "_end\n" name "_end:\n.byte 0\n"                              \
            ".popsection\n")

#endif
