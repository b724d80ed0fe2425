/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/demangle.h"

#include <stddef.h>
#include <string.h>

/* libsupc++ defines this function (Itanium C++ ABI, 3.4); nothing else of libsupc++ is
   linked.  */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

char *demangle(const char *symbol)
{
    if (!symbol || strncmp(symbol, "_Z", 2) != 0)
        return NULL;
    return __cxa_demangle(symbol, NULL, NULL, NULL);
}
