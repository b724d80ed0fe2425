/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the tables of one executable or shared object, which say what each address means
   (doc/tables.md); the later rooms ask it.  Everything is checked when they are
   opened; a function is decoded when one of its addresses is asked for, and then kept.
 */

#ifndef MLPROF_TABLES_H
#define MLPROF_TABLES_H

#include "mlprof/elf/elffile.h"
#include "mlprof/tables/alloctable.h"
#include "mlprof/tables/function.h"
#include "mlprof/tables/tables-count.h"

struct tables;

/* A program point.  */
struct tables_point {
    uint32_t function;
    uint32_t point; /* in the function */
};

/* Reads the tables in PATH or in its debug file.  NULL and FAULT if there are none
   or they are damaged.  */
struct tables *tables_open(const char *path, struct fault *fault);

/* The same with another place than /usr/lib/debug for debug files.  */
struct tables *tables_open_with(const char *path, const char *debug_root,
                                struct fault *fault);

/* An executable or shared object that has no tables: only path and build-id.  */
struct tables *tables_open_bare(const char *path, struct fault *fault);

bool tables_is_bare(const struct tables *tables);

/* TABLES may be NULL.  */
void tables_close(struct tables *tables);

const char *tables_path(const struct tables *tables);

/* Hexadecimal digits; NULL: none.  */
const char *tables_build_id(const struct tables *tables);

/* It holds code of the kind time-field: samples say which local stack was executed, and
   nothing of what that has called.  */
bool tables_has_field(const struct tables *tables);

/* The point at ADDRESS, as in the file; false if it lies in no profiled function.  */
bool tables_find(struct tables *tables, uint64_t address, struct tables_point *point);

/* Counters are numbered from 0.  */
uint32_t tables_counter_count(const struct tables *tables);
struct tables_counter tables_counter(const struct tables *tables, uint32_t number);

/* Likewise the inclusive counters of source functions.  */
uint32_t tables_inclusive_count(const struct tables *tables);
struct tables_counter tables_inclusive(const struct tables *tables, uint32_t number);

/* The file that the tables are in; lives as long as they.  */
const struct elffile *tables_holder(const struct tables *tables);

/* The unit at OFFSET in its section; NULL if none starts there.  */
const struct unit *tables_unit_at(const struct tables *tables, uint32_t offset);

/* Compilations are numbered from 0.  */
uint32_t tables_unit_count(const struct tables *tables);
struct unit *tables_unit(struct tables *tables, uint32_t number);
/* The allocation sites.  */
const struct alloctable *tables_allocations(const struct tables *tables);

/* Functions are numbered from 0.  */
uint32_t tables_function_count(const struct tables *tables);

/* The addresses of its code, as in the file, END excluded.  */
void tables_function_range(const struct tables *tables, uint32_t number, uint64_t *start,
                           uint64_t *end);

/* Whether a source that was neither excluded nor taken out is at any of its points.  */
bool tables_is_profiled(struct tables *tables, uint32_t number);

/* The function with the number in a point; lives as long as the tables.  */
const struct function *tables_function(struct tables *tables, uint32_t number);

#endif
