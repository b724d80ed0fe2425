/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the executable and shared objects that a profile was measured in, with their
   tables, and reads the local stack at an address.  */

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

/* The local stack at an address, or the part that the local stacks at several addresses
   have in common.  Starts as all zero.  May be filled again and again.  */
struct frames {
    uint32_t module;
    uint32_t number;  /* number of the function in the module's tables */
    uint64_t address; /* 0: the frames are those of several addresses */
    const struct function *function;
    struct function_frame *list; /* the outermost frame first */
    size_t count, capacity;
};

void frames_free(struct frames *frames);

/* Reads the frames at ADDRESS of a module of the program; false if there are none.  */
bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address);

/* Like frames_read, where the POINT of the tables at ADDRESS is known already.  */
bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point);

/* Keeps only the outermost frames that both have in common.  If the positions in the last
   of them differ, it has no position.  */
void frames_keep(struct frames *frames, const struct frames *other);

/* Finds the machine code that an allocation site stands for.  The tables describe the
   storage of a function's sites as if it were code (doc/tables.md, "Allocation sites").
   The machine code of a site is the code of the same source in the same unit, with the
   same copies inlined in each other, and with the call at the same position.  */
struct site_code;

/* PROGRAM must live as long as the result.  */
struct site_code *site_code_new(const struct program *program);

/* Replaces the function and point of a site in MODULE by those of its machine code.
   Returns false, and changes nothing, if there is no such code, or if several clones of
   one function have it.  */
bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point);

void site_code_free(struct site_code *sites);

#endif
