/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/file.c rt/output/output.c rt/os/text.c rt/os/lock.c rt/os/proc.c */
/* The command in the syntax of a shell: bytes made by hand, all byte values read back by
   bash, and the maximum length. */

#include "rt_tests.h"
#include "rt/output/output.h"

static const struct {
    const char *arguments, *text;
    size_t size;
} cases[] = {
#define ARGUMENTS(arguments, text)                                                       \
    {                                                                                    \
        arguments, text, sizeof arguments                                                \
    }
    {"", "", 0},
    ARGUMENTS("a\0-x=1,2:3@%_+\0/b.c", "a -x=1,2:3@%_+ /b.c"),
    ARGUMENTS("A=b\0A=b", "'A=b' A=b"),
    ARGUMENTS("it's\0a\\b\0#", "'it'\\''s' 'a\\b' '#'"),
    ARGUMENTS("a\nb\0\x1b[31m\0\x7f", "$'a\\012b' $'\\033[31m' $'\\177'"),
    /* Characters of two, three and four bytes. */
    ARGUMENTS("\xc3\xa9\0\xe2\x82\xac\0\xf0\x9f\x98\x80",
              "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
    /* Latin 1; incomplete; too long; a surrogate; above the maximum; a control
       character. */
    ARGUMENTS("\xe9\0\xe2\x82\0\xc0\xaf\0\xe0\x80\xaf",
              "$'\\351' $'\\342\\202' $'\\300\\257' $'\\340\\200\\257'"),
    ARGUMENTS("\xed\xa0\x80\0\xf4\x90\x80\x80\0\xf8\0\xc2\x9b",
              "$'\\355\\240\\200' $'\\364\\220\\200\\200' $'\\370' $'\\302\\233'"),
    /* The last argument is incomplete. */
    {"a\0bc", "a ...", 4},
    {"ab", "...", 2},
};

TEST_ROWS(test_cases, cases)
{
    char got[CCPROF_COMMAND_SIZE];
    memset(got, '#', sizeof got);
    ccprof_command_show(got, cases[_i].arguments, cases[_i].size);
    ck_assert_str_eq(got, cases[_i].text);
}

/* A shell reads the text back as the original words. */
TEST(test_shell)
{
    char arguments[1024], text[CCPROF_COMMAND_SIZE], read[sizeof arguments];
    size_t size = 0;
    for (int c = 1; c < 256; c++) {
        arguments[size++] = (char)c;
        if (c % 16 == 0)
            arguments[size++] = '\0';
    }
    arguments[size++] = '\0';
    ccprof_command_show(text, arguments, size);
    FILE *script = fopen("script", "w");
    fprintf(script, "LC_ALL=C\nprintf '%%s\\0' %s", text);
    fclose(script);
    FILE *shell = popen("bash script", "r");
    ck_assert_ptr_nonnull(shell);
    ck_assert_uint_eq(fread(read, 1, sizeof read, shell), size);
    ck_assert_int_eq(pclose(shell), 0);
    ck_assert_mem_eq(read, arguments, size);
}

/* Short arguments: as many as fit are shown. The exact limit is checked. */
TEST(test_long)
{
    char arguments[CCPROF_COMMAND_MOST + 2], got[CCPROF_COMMAND_SIZE];
    memset(arguments, 'a', sizeof arguments);
    for (size_t i = 9; i < sizeof arguments; i += 10)
        arguments[i] = '\0';
    ccprof_command_show(got, arguments, CCPROF_COMMAND_MOST);
    ck_assert_uint_eq(strlen(got), CCPROF_COMMAND_MOST - 1);
    ccprof_command_show(got, arguments, sizeof arguments);
    ck_assert_str_eq(got + CCPROF_COMMAND_MOST - 4, "aaa ...");
    /* The last argument has a space. In quotes it no longer fits. */
    arguments[CCPROF_COMMAND_MOST - 5] = ' ';
    ccprof_command_show(got, arguments, CCPROF_COMMAND_MOST);
    ck_assert_str_eq(got + CCPROF_COMMAND_MOST - 14, "aaa ...");
}
