/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "unit.h"

unsigned unit_file(struct unit *unit, const char *name)
{
    unsigned string = intern_string(&unit->strings, name);
    return intern_add(&unit->files, &string, sizeof string);
}

unsigned unit_source(struct unit *unit, const char *name, unsigned file, unsigned line)
{
    struct unit_source key = {intern_string(&unit->strings, name), file, line};
    return intern_add(&unit->sources, &key, sizeof key);
}

const struct unit_source *unit_get_source(const struct unit *unit, unsigned source)
{
    return intern_get(&unit->sources, source);
}

unsigned unit_get_file(const struct unit *unit, unsigned file)
{
    const unsigned *string = intern_get(&unit->files, file);
    return *string;
}

const char *unit_get_string(const struct unit *unit, unsigned string)
{
    return intern_get(&unit->strings, string);
}
