/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugin/tables/thunk.h"
#include "plugin/tables/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind a number and `_'; NULL: there is none.  */
static const char *skip_number(const char *at)
{
    if (*at == 'n')
        at++;
    size_t digits = strspn(at, "0123456789");
    return digits && at[digits] == '_' ? at + digits + 1 : NULL;
}

/* Behind h NUMBER or v NUMBER NUMBER; NULL: there is none.  */
static const char *skip_call_offset(const char *at)
{
    char kind = *at;
    if (kind != 'h' && kind != 'v')
        return NULL;
    at = skip_number(at + 1);
    return at && kind == 'v' ? skip_number(at) : at;
}

const char *thunk_target(const char *symbol)
{
    static char *target;
    static size_t room;

    if (strncmp(symbol, "_ZT", 3) != 0)
        return NULL;
    const char *at = symbol + 3;
    at = *at == 'c' ? skip_call_offset(at + 1) : at;
    at = at ? skip_call_offset(at) : NULL;
    if (!at)
        return NULL;
    target = memory_reserve(target, &room, strlen(at) + 3, 1);
    sprintf(target, "_Z%s", at);
    return target;
}
