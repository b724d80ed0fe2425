/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the executable and shared objects that a profile was measured in, with their
   tables.  */

#ifndef MLPROF_PROGRAM_H
#define MLPROF_PROGRAM_H

#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

struct machine_code;
struct skid;

struct program {
    struct tables **tables; /* by the profile's module number; NULL: unprofiled; 0 is the
                               executable, also if nothing was measured */
    size_t count;
    struct machine_code *code; /* of the modules (machine-code.h); NULL: not looked at */
    struct skid *skid; /* how samples are charged (skid.h); NULL: where they were taken */
};

/* Opens the modules of PROFILE that have counts.  EXECUTABLE becomes module 0's tables;
   it is not closed by program_close.  A module that was not compiled with ccprof is
   left out silently, one that is gone with a line on stderr; one that is damaged or is
   of another build than the one measured is a FAULT, or if TOLERANT left out with such a
   line.  */
bool program_open(struct program *program, const struct profile *profile,
                  struct tables *executable, bool tolerant, struct fault *fault);

void program_close(struct program *program);

/* The file of a module of PROFILE: the one that was opened, otherwise the one that was
   measured.  */
const char *program_path(const struct program *program, const struct profile *profile,
                         uint32_t module);

/* Whether any module that was opened has tables.  */
bool program_is_profiled(const struct program *program);

/* Whether any module that was opened holds code of the kind time-field.  */
bool program_has_field(const struct program *program);

/* Whether the files are called the same, wherever they are.  MEASURED is the kernel's
   path, which goes on if the file was replaced while the program ran (readlink of
   /proc/PID/exe, proc(5)).  */
bool program_same_name(const char *path, const char *measured);

/* DATA, which was read from FILE, was measured with EXECUTABLE; otherwise a FAULT that
   names FILE.  */
bool program_check(const struct tables *executable, const struct profile *data,
                   const char *file, struct fault *fault);

#endif
