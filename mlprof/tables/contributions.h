/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads sections that the linker has put together from contributions, of which a unit has
   one or more, each beginning with its version.  For the modules of tables/.  */

#ifndef MLPROF_CONTRIBUTIONS_H
#define MLPROF_CONTRIBUTIONS_H

#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"

/* Reads a contribution behind its version.  If something is wrong, READER says what.  */
typedef void contributions_read_one(void *context, unsigned version,
                                    struct reader *reader);

/* Calls READ for each contribution to the sections of FILE called NAME.  False and FAULT
   if a contribution is damaged, or of a version later than NEWEST.  */
bool contributions_read(const struct elffile *file, const char *name, unsigned newest,
                        contributions_read_one *read, void *context, struct fault *fault);

/* Set FAULT, and return false, for the contribution at OFFSET of SECTION: it is damaged
   as WHY says, or it has another VERSION than the newest KNOWN.  */
bool contributions_garbled(const struct elffile *file, const char *section, size_t offset,
                           const char *why, struct fault *fault);
bool contributions_other_version(const struct elffile *file, const char *section,
                                 size_t offset, unsigned version, unsigned known,
                                 struct fault *fault);

#endif
