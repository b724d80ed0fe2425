// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"

// hint #34 is bti c, but the assembler may not know this name for the selected processor.
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

bool threadword_is_packed(void)
{
    return true;
}

// If the offset is 0, the result is 0. The index is in bytes, a multiple of 8.
#define PACKED "ldr\t%0, %2\n\t"
#define THREAD "mrs\t%1, tpidr_el0\n\t"
#define OFFSET "[%1, %w0, sxtw]"
#define OWN    THREAD "ldr\t%1, " OFFSET "\n\tlsr\t%0, %0, #35\n\t"
#define NONE   "adrp\t%0, @\n\tadd\t%0, %0, #:lo12:@\n\t"

const char *threadword_text(enum threadword_code code)
{
    static const char *const texts[] = {
        PACKED "cbz\t%0, 1f\n\t" THREAD "ldr\t%0, " OFFSET "\n1:",
        PACKED "cbnz\t%0, 1f\n\t" NONE "b\t2f\n1:\t" OWN "add\t%0, %1, %0, lsl #3\n2:",
        PACKED "cbz\t%0, 1f\n\t" OWN "ldr\t%0, [%1, %0, lsl #3]\n1:",
        PACKED "cbz\t%0, 1f\n\t" THREAD "str\t%3, " OFFSET "\n1:",
    };
    return texts[code];
}
