// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword-inside.h"
#include "plugin/gcc/assembly.h"

static const char att[] = R"(	endbr64
	movq	@W@gottpoff(%rip), %rax
	ret
)";

static const char intel[] = R"(	endbr64
	mov	rax, QWORD PTR @W@gottpoff[rip]
	ret
)";

void threadword_print_offset(const char *word)
{
    const struct assembly_token tokens[] = {{"@W", word}};

    assembly_text(ASSEMBLER_DIALECT == ASM_ATT ? att : intel, tokens, ARRAY_SIZE(tokens));
}
