// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword.h"
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

bool threadword_is_packed(void)
{
    return false;
}

// If the offset is 0, the result is 0.
#define OFFSET "mov{q\t%1, %0|\t%0, %1}\n\ttest{q}\t%0, %0\n\t"
#define READ   "mov{q\t%%fs:(%0), %0|\t%0, QWORD PTR fs:[%0]}"
#define INDEX  "\n\tadd{q\t%2, %0|\t%0, %2}"

const char *threadword_text(enum threadword_code code)
{
    static const char *const texts[] = {
        OFFSET "je\t1f\n\t" READ "\n1:",
        OFFSET "jne\t1f\n\tlea{q\t%3, %0|\t%0, %3}\n\tjmp\t2f\n1:\t" READ INDEX "\n2:",
        OFFSET "je\t1f\n\t" READ INDEX "\n\tmov{q\t(%0), %0|\t%0, QWORD PTR [%0]}\n1:",
        OFFSET "je\t1f\n\tmov{q\t%2, %%fs:(%0)|\tQWORD PTR fs:[%0], %2}\n1:",
    };
    return texts[code];
}
