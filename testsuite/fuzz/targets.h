/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The targets of fuzzing, for libFuzzer (fuzz.c) and the unit tests. Each does with the
   bytes what mlprof does with those of a user's file. What must not happen ends the
   program, by an assertion or by a sanitizer. */

#ifndef TESTSUITE_FUZZ_TARGETS_H
#define TESTSUITE_FUZZ_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes were taken as what they should be. */
typedef bool targets_run(const unsigned char *bytes, size_t size);

/* A data file, mlmon.out. */
targets_run targets_mlmon;

/* An executable or shared object. */
targets_run targets_elf;

/* The sections of an executable's tables, each behind TARGETS_SECTION and a byte that is
   its number in targets_sections; what stands before the first one is not looked at. */
targets_run targets_tables;

/* Words of the command line: the formula of a comparison; `FROM=TO' with a path behind a
   newline; an expression of -keep. */
targets_run targets_formula;
targets_run targets_map;
targets_run targets_keep;

/* A budget, as -gate reads it, or a baseline, as -gate-update converts it. */
targets_run targets_gate;

/* The fields of a request of HTTP (live/route.h), each on a line. */
targets_run targets_route;

#define TARGETS_SECTION "SEC:"

extern const char *const targets_sections[];
extern const size_t targets_section_count;

#endif
