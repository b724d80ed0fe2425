/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes Cobertura's XML, which GitLab and Jenkins read (Cobertura: coverage-04.dtd).  */

#ifndef MLPROF_COBERTURA_H
#define MLPROF_COBERTURA_H

#include "mlprof/export/export.h"

/* A package is a folder, a class a source file, named from the folder that all are in.
   Files below /usr are left out unless there are no others.  */
export_writer cobertura_write;

#endif
