/* SPDX-License-Identifier: MIT */
/* Functions with external linkage for the inline functions of ccprof.h. They are used
   by the Fortran module ccprof.f90, the Ada package ccprof.ads and any other language
   that can call C. The program calls them. This file is not part of the runtime: it
   becomes a separate archive, and finds the runtime in the same way as the program's
   code. */

#include "rt/ccprof.h"

int ccprof_f_on(void);
void ccprof_f_start(void);
void ccprof_f_stop(void);
int ccprof_f_write(const char *file);
struct ccprof_data *ccprof_f_data_new(void);
int ccprof_f_data_free(struct ccprof_data *data);
int ccprof_f_data_write(struct ccprof_data *data, const char *file);
struct ccprof_stretch ccprof_f_stretch_begin(struct ccprof_data *data);
void ccprof_f_stretch_end(struct ccprof_stretch *stretch);
int ccprof_f_label_begin(const char *name);
int ccprof_f_label_end(void);
void ccprof_f_region_begin(struct ccprof_region *region);
void ccprof_f_region_end(struct ccprof_region *region);
void ccprof_f_chain_print(int descriptor);

int ccprof_f_on(void)
{
    return ccprof_on();
}

void ccprof_f_start(void)
{
    ccprof_start();
}

void ccprof_f_stop(void)
{
    ccprof_stop();
}

int ccprof_f_write(const char *file)
{
    return ccprof_write(file);
}

struct ccprof_data *ccprof_f_data_new(void)
{
    return ccprof_data_new();
}

int ccprof_f_data_free(struct ccprof_data *data)
{
    return ccprof_data_free(data);
}

int ccprof_f_data_write(struct ccprof_data *data, const char *file)
{
    return ccprof_data_write(data, file);
}

struct ccprof_stretch ccprof_f_stretch_begin(struct ccprof_data *data)
{
    return ccprof_stretch_begin(data);
}

void ccprof_f_stretch_end(struct ccprof_stretch *stretch)
{
    ccprof_stretch_end(stretch);
}

int ccprof_f_label_begin(const char *name)
{
    return ccprof_label_begin(name);
}

int ccprof_f_label_end(void)
{
    return ccprof_label_end();
}

void ccprof_f_region_begin(struct ccprof_region *region)
{
    ccprof_region_begin(region);
}

void ccprof_f_region_end(struct ccprof_region *region)
{
    ccprof_region_end(region);
}

/* Optimized, so that the call is a tail call and this function has no frame in the
   chain. */
__attribute__((optimize("O2"))) void ccprof_f_chain_print(int descriptor)
{
    if (CCPROF_API_HAS(chain_print))
        ccprof_attach_api->chain_print(0, descriptor);
}
