/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm -lmd */
/* Reduces the indentation of listed lines that are wider than the terminal. */

#include "mlprof/view/source-files.h"
#include "testsuite/unit/tests.h"

/* Checks that TEXT, with COUNT lines, is WANT if ROOM columns are available. */
static void assert_shown(const char *text, size_t count, size_t room, const char *want)
{
    char shown[200] = "";
    size_t starts[8] = {0};
    struct source_files_text lines = {.text = (char *)text,
                                      .size = strlen(text),
                                      .starts = starts,
                                      .line_count = count};
    for (size_t i = 1; i < count; i++)
        starts[i] = (size_t)(strchr(text + starts[i - 1], '\n') - text) + 1;
    struct indentation indentation =
        source_files_indentation(&lines, 1, (uint32_t)count + 1, room);
    for (uint32_t i = 1; i <= count; i++) {
        char *line = source_files_indented(&indentation, &lines, i);
        strcat(strcat(shown, line), "\n");
        free(line);
    }
    ck_assert_str_eq(shown, want);
    ck_assert_ptr_null(source_files_indented(&indentation, &lines, (uint32_t)count + 1));
}

TEST(what_all_lines_have)
{
    assert_shown("    f()\n    {\n\n  \n        g();\n    }\n", 6, 80,
                 "f()\n{\n\n\n    g();\n}\n");
    assert_shown("\tf()\n\t{\n\t\tg();\n\t}\n", 4, 80, "f()\n{\n        g();\n}\n");
    assert_shown("", 0, 80, "");
}

/* The longest line has 25 columns, and 17 without the common indentation. A tab inside a
   line stays. */
TEST(narrow_tabs)
{
    static const char text[] = "\tf()\n\t{\n\t\tg();\n\t\t h\t1\n\t}\n";
    assert_shown(text, 5, 17, "f()\n{\n        g();\n         h      1\n}\n");
    assert_shown(text, 5, 16, "f()\n{\n    g();\n     h      1\n}\n");
}

/* If both spaces and tabs indent lines, a tab has 8 columns. Otherwise the lines would
   not be aligned. */
TEST(tabs_for_eight_blanks)
{
    assert_shown("f()\n{\n  if (a)\n    {\n      if (b)\n\tc();\n", 6, 8,
                 "f()\n{\n  if (a)\n    {\n      if (b)\n        c();\n");
}
