/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of tables that are pieces one behind the other, each with its version in
   front.  */

#ifndef MLPROF_PIECES_H
#define MLPROF_PIECES_H

#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"

/* Reads one behind its version; what is wrong READER tells.  */
typedef void pieces_piece(void *context, struct reader *reader);

/* Reads the pieces of all sections of FILE that are called NAME.  False and FAULT if one
   is damaged or of another version.  */
bool pieces_read(const struct elffile *file, const char *name, pieces_piece *read,
                 void *context, struct fault *fault);

/* Sets FAULT to what is wrong there; false.  KNOWN is the version that can be read.  */
bool pieces_garbled(const struct elffile *file, const char *section, size_t offset,
                    const char *why, struct fault *fault);
bool pieces_other_version(const struct elffile *file, const char *section, size_t offset,
                          unsigned version, unsigned known, struct fault *fault);

#endif
