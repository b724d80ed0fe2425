/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the executable and the shared objects in which a profile was measured,
   together with their tables. Reads the local stack at an address. Used by all
   modules that join a profile with the tables. */

#ifndef MLPROF_PROGRAM_H
#define MLPROF_PROGRAM_H

#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

struct machine_code;
struct skid;

struct program {
    /* Indexed by the module number of the profile. NULL: the module is unprofiled.
       Module 0, the executable, is always set, even if nothing was measured in it. */
    struct tables **tables;
    size_t count;
    /* Machine code of the modules (machine-code.h). NULL: not read. */
    struct machine_code *code;
    /* Says how samples are charged (skid.h). NULL: each sample is charged to its own
       address. */
    struct skid *skid;
};

/* Opens the modules of PROFILE that have counts. EXECUTABLE becomes the tables of
   module 0, and program_close does not close it. A module that was not compiled with
   ccprof is left out silently. A missing module is left out with a message on stderr.
   If a module is damaged, or is another build than the measured module, returns false
   and sets FAULT. With TOLERANT, such a module is left out with a message on stderr. */
bool program_open(struct program *program, const struct profile *profile,
                  struct tables *executable, bool tolerant, struct fault *fault);

void program_close(struct program *program);

/* Returns the path of the file that was opened for a module of PROFILE. If none was
   opened, returns the path at the time of the measurement. */
const char *program_path(const struct program *program, const struct profile *profile,
                         uint32_t module);

/* Returns whether at least one open module has tables. */
bool program_is_profiled(const struct program *program);

/* Returns whether at least one open module has code of the kind time-field. */
bool program_has_field(const struct program *program);

/* Returns whether the open modules contain the counters of GCC's own profile (the
   argument train), but no call counters. */
bool program_is_trained_alone(const struct program *program);

/* Returns whether both paths have the same last component. MEASURED is a path from
   the kernel. It has a suffix if the file was replaced while the program ran
   (readlink of /proc/PID/exe, proc(5)). */
bool program_same_name(const char *path, const char *measured);

/* Returns whether DATA was measured with EXECUTABLE. If not, FAULT names FILE, from
   which DATA was read. */
bool program_check(const struct tables *executable, const struct profile *data,
                   const char *file, struct fault *fault);

/* The local stack at an address. If several addresses are given, only the outermost
   frames that their local stacks have in common. All members start as zero. One
   object may be filled repeatedly. */
struct frames {
    uint32_t module;
    uint32_t number;  /* number of the function in the tables of the module */
    uint64_t address; /* 0: the frames belong to several addresses */
    const struct function *function;
    struct function_frame *list; /* the outermost frame comes first */
    size_t count, capacity;
};

void frames_free(struct frames *frames);

/* Reads the frames at ADDRESS of a module. Returns false if there are none. */
bool frames_read(struct frames *frames, const struct program *program, uint32_t module,
                 uint64_t address);

/* Like frames_read, for callers that already know the POINT of the tables at ADDRESS. */
bool frames_read_at(struct frames *frames, const struct program *program, uint32_t module,
                    uint64_t address, const struct tables_point *point);

/* Keeps only the outermost frames that both have in common. If both have different
   positions in the innermost of these frames, its position is removed. */
void frames_keep(struct frames *frames, const struct frames *other);

/* Finds the machine code of an allocation site. The tables describe the storage of a
   function's sites as if it were code (doc/tables.md, "Allocation sites"). The
   machine code of a site is in a function of the same source and the same unit.
   There, the call has the same position and is in the same chain of inlined copies. */
struct site_code;

/* PROGRAM must live as long as the result. */
struct site_code *site_code_new(const struct program *program);

/* Replaces *FUNCTION and *POINT, which describe a site in MODULE, by the function and
   point of its machine code. Returns false and changes nothing if there is no such
   code, or if several clones of one function have it. */
bool site_code_find(struct site_code *sites, uint32_t module, uint32_t *function,
                    uint32_t *point);

void site_code_free(struct site_code *sites);

#endif
