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
    /* By the profile's module number.  NULL: the module is unprofiled.  Module 0, the
       executable, is there even if nothing was measured.  */
    struct tables **tables;
    size_t count;
    /* The modules' machine code (machine-code.h); NULL: not read.  */
    struct machine_code *code;
    /* How samples are charged (skid.h).  NULL: to where they were taken.  */
    struct skid *skid;
};

/* Opens the modules of PROFILE that have counts.  EXECUTABLE becomes the tables of module
   0, and program_close does not close it.  A module that was not compiled with ccprof is
   left out silently, a module that is gone with a line on stderr.  A module that is
   damaged or of another build than the one measured is a FAULT, or with TOLERANT left out
   with a line on stderr.  */
bool program_open(struct program *program, const struct profile *profile,
                  struct tables *executable, bool tolerant, struct fault *fault);

void program_close(struct program *program);

/* The path of a module of PROFILE: of the file that was opened, or else as it was
   measured.  */
const char *program_path(const struct program *program, const struct profile *profile,
                         uint32_t module);

/* Whether at least one open module has tables.  */
bool program_is_profiled(const struct program *program);

/* Whether at least one open module holds code of the kind time-field.  */
bool program_has_field(const struct program *program);

/* Whether the open modules count GCC's own profile (the argument train), and no calls. */
bool program_is_trained_alone(const struct program *program);

/* Whether both paths have the same last component.  MEASURED is the kernel's path, which
   has a suffix if the file was replaced while the program ran (readlink of /proc/PID/exe,
   proc(5)).  */
bool program_same_name(const char *path, const char *measured);

/* Whether DATA, which was read from FILE, was measured with EXECUTABLE.  If not, FAULT
   names FILE.  */
bool program_check(const struct tables *executable, const struct profile *data,
                   const char *file, struct fault *fault);

#endif
