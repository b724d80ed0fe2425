/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the sections of tables that the linker has put together from contributions, one
   or more for each unit, each with its version in front.  For the modules of tables/.  */

#ifndef MLPROF_CONTRIBUTIONS_H
#define MLPROF_CONTRIBUTIONS_H

#include "mlprof/base/reader.h"
#include "mlprof/elf/elffile.h"

/* Reads the contribution at READER, behind its version; READER then tells what is wrong.
 */
typedef void contributions_read_one(void *context, unsigned version,
                                    struct reader *reader);

/* Reads the contributions to all sections of FILE that are called NAME.  False and FAULT
   if one is damaged or of a version behind NEWEST.  */
bool contributions_read(const struct elffile *file, const char *name, unsigned newest,
                        contributions_read_one *read, void *context, struct fault *fault);

/* Sets FAULT to what is wrong there; false.  KNOWN is the version that can be read.  */
bool contributions_garbled(const struct elffile *file, const char *section, size_t offset,
                           const char *why, struct fault *fault);
bool contributions_other_version(const struct elffile *file, const char *section,
                                 size_t offset, unsigned version, unsigned known,
                                 struct fault *fault);

#endif
