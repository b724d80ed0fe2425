// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword.h"
#include "plugin/gcc/assembly.h"

static const char text[] = R"(	la.tls.ie	a0, @W
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

// If the offset is 0, the result is 0. The runtime recognizes these loads and stores only
// if none of them is compressed.
#define BEGIN  ".option\tpush\n\t.option\tnorelax\n\t.option\tnorvc\n\tld\t%0, %2\n\t"
#define END    "\n\t.option\tpop"
#define SHARED "sext.w\t%0, %0\n\tadd\t%0, %0, tp\n\t"
#define OWN                                                                              \
    "sext.w\t%1, %0\n\tadd\t%1, %1, tp\n\tld\t%1, 0(%1)\n\tsrli\t%0, %0, 32\n\t"         \
    "add\t%0, %0, %1\n\t"

const char *threadword_text(enum threadword_code code)
{
    static const char *const texts[] = {
        BEGIN "beqz\t%0, 1f\n\t" SHARED "ld\t%0, 0(%0)\n1:" END,
        BEGIN "bnez\t%0, 1f\n\tlla\t%0, @\n\tj\t2f\n1:\t" OWN "addi\t%0, %0, -1\n2:" END,
        BEGIN "beqz\t%0, 1f\n\t" OWN "ld\t%0, -1(%0)\n1:" END,
        BEGIN "beqz\t%0, 1f\n\t" SHARED "sd\t%3, 0(%0)\n1:" END,
    };
    return texts[code];
}
