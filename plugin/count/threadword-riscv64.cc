// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword-inside.h"
#include "plugin/gcc/assembly.h"

static const char text[] = R"(	la.tls.ie	a0, @W
	ret
)";

void threadword_print_offset(const char *word)
{
    const struct assembly_token tokens[] = {{"@W", word}};

    assembly_text(text, tokens, ARRAY_SIZE(tokens));
}

const char *threadword_text(enum threadword_code)
{
    return NULL;
}
