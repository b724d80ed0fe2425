/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of one executable or shared object, which say what each address means
   (doc/tables.md), for the later rooms.  Everything is checked on opening.  A function is
   decoded when one of its addresses is first asked for, and then kept.  */

#ifndef MLPROF_TABLES_H
#define MLPROF_TABLES_H

#include "mlprof/elf/elffile.h"
#include "mlprof/tables/alloctable.h"
#include "mlprof/tables/function.h"
#include "mlprof/tables/countertables.h"

struct tables;

/* A program point.  */
struct tables_point {
    uint32_t function;
    uint32_t point; /* number in the function */
};

/* Reads the tables in the file at PATH or in its debug file.  NULL and FAULT if there are
   none, or if they are damaged.  */
struct tables *tables_open(const char *path, struct fault *fault);

/* Like tables_open, with DEBUG_ROOT in place of /usr/lib/debug for debug files.  */
struct tables *tables_open_with(const char *path, const char *debug_root,
                                struct fault *fault);

/* Opens an executable or shared object that has no tables: only its path and build-id are
   known.  */
struct tables *tables_open_bare(const char *path, struct fault *fault);

bool tables_is_bare(const struct tables *tables);

/* TABLES may be NULL.  */
void tables_close(struct tables *tables);

const char *tables_path(const struct tables *tables);

/* In hexadecimal digits; NULL: there is none.  */
const char *tables_build_id(const struct tables *tables);

/* The file holds code of the kind time-field: a sample has the local stack that was
   executed, but not whom that code has called.  */
bool tables_has_field(const struct tables *tables);

/* Sets POINT to the point at ADDRESS, as in the file; false if no profiled function is
   there.  */
bool tables_find(struct tables *tables, uint64_t address, struct tables_point *point);

/* The number of counters of calls, which are numbered from 0.  */
uint32_t tables_counter_count(const struct tables *tables);
struct tables_counter tables_counter(const struct tables *tables, uint32_t number);

/* The number of inclusive counters, which are numbered from 0.  */
uint32_t tables_inclusive_count(const struct tables *tables);
struct tables_counter tables_inclusive(const struct tables *tables, uint32_t number);

/* The file that holds the tables.  It lives as long as TABLES.  */
const struct elffile *tables_holder(const struct tables *tables);

/* The unit that starts at OFFSET in its section; NULL if there is none.  */
const struct unit *tables_unit_at(const struct tables *tables, uint32_t offset);

/* The number of units, which are numbered from 0.  */
uint32_t tables_unit_count(const struct tables *tables);
struct unit *tables_unit(struct tables *tables, uint32_t number);
const struct alloctable *tables_allocations(const struct tables *tables);
const struct typedtable *tables_types(const struct tables *tables);

/* The number of functions, which are numbered from 0.  */
uint32_t tables_function_count(const struct tables *tables);

/* The addresses of a function's code, as in the file; END is excluded.  */
void tables_function_range(const struct tables *tables, uint32_t number, uint64_t *start,
                           uint64_t *end);

/* Whether at least one point of the function has a source that was neither excluded nor
   taken out.  */
bool tables_is_profiled(struct tables *tables, uint32_t number);

/* The function with this number.  It lives as long as TABLES.  */
const struct function *tables_function(struct tables *tables, uint32_t number);

#endif
