/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the tables as data for programs: all of them as JSON, the one that is asked for
   as CSV (mlprof(1), "FORMATS"; doc/mlprof.schema.json).  */

#ifndef MLPROF_DATA_H
#define MLPROF_DATA_H

#include "mlprof/export/export.h"

/* Of what is written; a program that reads a version reads later ones that only add.  */
#define DATA_VERSION 1

export_writer data_write_json;
export_writer data_write_csv;

#endif
