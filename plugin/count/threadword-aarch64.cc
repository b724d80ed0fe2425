// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword-inside.h"
#include "plugin/gcc/assembly.h"

// hint #34 is bti c, whatever the assembler is told of the processor.
static const char text[] = R"(	hint	#34
	adrp	x0, :gottprel:@W
	ldr	x0, [x0, #:gottprel_lo12:@W]
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
