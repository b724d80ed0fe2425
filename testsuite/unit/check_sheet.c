/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Tables with numbers first, and the same in MLton's layout.  */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/sheet.h"
#include "mlprof/base/text.h"
#include "testsuite/unit/tests.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static void make(struct sheet *sheet)
{
    static const struct {
        const char *cur, *calls, *type, *name, *position;
    } rows[] = {{"100.0%", "1,234", "int", "main", "a.c: 1"},
                {"~0.5%", "", "", "std::vector<...>::push_back", NULL},
                {"0.0%", "7", "struct \303\244", "", NULL}};
    sheet_column(sheet, "cur", SHEET_NUMBER, 2);
    sheet_column(sheet, "calls", SHEET_NUMBER, 2);
    sheet_column(sheet, "type", SHEET_TEXT, 1);
    sheet_column(sheet, "function", SHEET_TEXT, 0);
    for (size_t i = 0; i < 3; i++) {
        sheet_tone(sheet, SHEET_HOT);
        sheet_put(sheet, buf_copy(rows[i].cur));
        sheet_put(sheet, buf_copy(rows[i].calls));
        sheet_put(sheet, buf_copy(rows[i].type));
        sheet_put_name(sheet, buf_copy(rows[i].name),
                       rows[i].position ? buf_copy(rows[i].position) : NULL);
    }
}

static void assert_sheet(struct sheet *sheet, bool mlton, const char *expected)
{
    FILE *out = print_begin();
    sheet_print(out, sheet, mlton);
    print_end(out, expected);
    ck_assert_ptr_null(sheet->cells);
}

TEST(numbers_first)
{
    struct sheet sheet = {0};
    make(&sheet);
    assert_sheet(&sheet, false,
                 "   cur  calls  type      function\n"
                 "100.0%  1,234  int       main  a.c: 1\n"
                 " ~0.5%                   std::vector<...>::push_back\n"
                 "  0.0%      7  struct \303\244\n");
}

TEST(names_first)
{
    struct sheet sheet = {0};
    make(&sheet);
    assert_sheet(&sheet, true,
                 "         function             type    cur   calls\n"
                 "--------------------------- -------- ------ -----\n"
                 "main  a.c: 1                     int 100.0% 1,234\n"
                 "std::vector<...>::push_back           ~0.5%      \n"
                 "                            struct \303\244   0.0%     7\n");
}

TEST(only_the_first_rows)
{
    struct sheet sheet = {0};
    make(&sheet);
    sheet_cut(&sheet, 0);
    sheet_cut(&sheet, 1);
    assert_sheet(&sheet, false,
                 "   cur  calls  type  function\n"
                 "100.0%  1,234  int   main  a.c: 1\n");
}

/* Has a terminal of COLUMNS print the sheet, and compares that with EXPECTED.  */
static bool coloured;

static void assert_on_terminal(struct sheet *sheet, unsigned short columns,
                               const char *expected)
{
    char text[4096] = "";
    size_t size = 0;
    struct winsize window = {.ws_col = columns};
    struct termios plain;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert(slave >= 0 && ioctl(slave, TIOCSWINSZ, &window) == 0);
    ck_assert(tcgetattr(slave, &plain) == 0);
    cfmakeraw(&plain);
    ck_assert(tcsetattr(slave, TCSANOW, &plain) == 0);
    FILE *out = fdopen(slave, "w");
    setenv("NO_COLOR", coloured ? "" : "1", 1);
    setenv("TERM", "xterm", 1);
    sheet_print(out, sheet, false);
    fputs("end", out);
    fflush(out);
    while (!strstr(text, "end")) {
        ssize_t count = read(master, text + size, sizeof text - 1 - size);
        ck_assert(count > 0);
        size += (size_t)count;
    }
    fclose(out);
    close(master);
    *strstr(text, "end") = '\0';
    ck_assert_str_eq(text, expected);
}

/* The numbers take 6 + 2 + 9 + 2 + 4 + 2 and the name has 24 columns at least, if it
   needs them; with its heading alone it needs 8.  */
#define WIDE "name::of_24_columns_so_x"
TEST(columns_give_way)
{
    static const unsigned short lines[] = {49, 48, 41, 40, 33, 32};
    static const char *const tables[] = {
        "before      after  same  function\n     1  1,234,567     5  " WIDE "\n",
        "    after  same  function\n1,234,567     5  " WIDE "\n",
        "    after  same  function\n1,234,567     5  " WIDE "\n",
        "same  function\n   5  " WIDE "\n",
        "before      after  same  function\n     1  1,234,567     5  f\n",
        "    after  same  function\n1,234,567     5  f\n"};
    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct sheet sheet = {0};
        sheet_column(&sheet, "before", SHEET_NUMBER, 0);
        sheet_gives_way(&sheet, 1);
        sheet_column(&sheet, "after", SHEET_NUMBER, 0);
        sheet_gives_way(&sheet, 1);
        sheet_column(&sheet, "same", SHEET_NUMBER, 0);
        sheet_column(&sheet, "function", SHEET_TEXT, 0);
        const char *const cells[] = {"1", "1,234,567", "5", i < 4 ? WIDE : "f"};
        for (size_t c = 0; c < 4; c++)
            sheet_put(&sheet, buf_copy(cells[c]));
        assert_on_terminal(&sheet, lines[i], tables[i]);
    }
}

TEST(those_of_a_higher_rank_go_first)
{
    static const unsigned short lines[] = {49, 48, 42};
    static const char *const tables[] = {
        "before      after  same  function\n     1  1,234,567     5  " WIDE "\n",
        "before      after  function\n     1  1,234,567  " WIDE "\n",
        "    after  function\n1,234,567  " WIDE "\n"};
    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct sheet sheet = {0};
        const char *const cells[] = {"1", "1,234,567", "5", WIDE};
        sheet_column(&sheet, "before", SHEET_NUMBER, 0);
        sheet_gives_way(&sheet, 1);
        sheet_column(&sheet, "after", SHEET_NUMBER, 0);
        sheet_gives_way(&sheet, 1);
        sheet_column(&sheet, "same", SHEET_NUMBER, 0);
        sheet_gives_way(&sheet, 2);
        sheet_column(&sheet, "function", SHEET_TEXT, 0);
        for (size_t c = 0; c < 4; c++)
            sheet_put(&sheet, buf_copy(cells[c]));
        assert_on_terminal(&sheet, lines[i], tables[i]);
    }
}

/* Before the name 6 + 2 + 20 + 2 columns are taken.  Beside a text a name with its
   position has 34 columns or stands below.  */
TEST(placed_names_stand_below)
{
    static const unsigned short lines[] = {64, 63};
    static const char *const tables[] = {
        "before  type                  function\n"
        "     1  a_type_of_20_columns  name  folder/file.c: 7\n",
        "before  type\n    function\n     1  a_type_of_20_columns\n"
        "    name  folder/file.c: 7\n"};
    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct sheet sheet = {0};
        sheet_column(&sheet, "before", SHEET_NUMBER, 0);
        sheet_column(&sheet, "type", SHEET_TEXT, 0);
        sheet_column(&sheet, "function", SHEET_TEXT, 0);
        sheet_put(&sheet, buf_copy("1"));
        sheet_put(&sheet, buf_copy("a_type_of_20_columns"));
        sheet_put_name(&sheet, buf_copy("name"), buf_copy("folder/file.c: 7"));
        assert_on_terminal(&sheet, lines[i], tables[i]);
    }
}

/* Before the name 6 + 2 + 12 + 2 columns are taken, so that at 46 the name has its 24.
   With less the name stands below, and the type may take what is left.  */
TEST(names_stand_below)
{
    static const unsigned short lines[] = {46, 45, 28};
    static const char *const tables[] = {
        "before  type          function\n"
        "     1  a_typ...umns  " WIDE "\n",
        "before  type\n    function\n     1  a_type_of_20_columns\n    " WIDE "\n",
        "before  type\n    function\n     1  a_type_o...columns\n    " WIDE "\n"};
    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct sheet sheet = {0};
        sheet_column(&sheet, "before", SHEET_NUMBER, 0);
        sheet_column(&sheet, "type", SHEET_TEXT, 0);
        sheet_column(&sheet, "function", SHEET_TEXT, 0);
        sheet_put(&sheet, buf_copy("1"));
        sheet_put(&sheet, buf_copy("a_type_of_20_columns"));
        sheet_put(&sheet, buf_copy(WIDE));
        assert_on_terminal(&sheet, lines[i], tables[i]);
    }
}

/* The number takes 4 + 2: at 40 columns 34 are left for the name, and 36 for a place that
   has its own line.  */
TEST(places)
{
    const char *rows[][2] = {{TEXT_PART "main" TEXT_PART " and 2 more",
                              TEXT_PART "src/abcdef.c" TEXT_PART ": 170"},
                             {TEXT_PART "main" TEXT_PART " and 2 more",
                              TEXT_PART "src/abcdefg.c" TEXT_PART ": 170"},
                             {TEXT_PART "geometry::shape::area_of_all_shapes" TEXT_PART
                                        " and 2 more",
                              "inlined in " TEXT_PART "geometry::shapes::sum" TEXT_PART
                              " at " TEXT_PART "src/shapes.cc" TEXT_PART ": 7"}};
    static const char *const tables[] = {
        "same  line\n"
        "   5  main and 2 more  src/abcdef.c: 170\n"
        "   5  main and 2 more  src/abcdefg.c: 170\n"
        "   5  geometry::shape::area_of_all_shapes and 2 more"
        "  inlined in geometry::shapes::sum at src/shapes.cc: 7\n",
        "same  line\n"
        "   5  main and 2 more  src/abcdef.c: 170\n"
        "   5  main and 2 more\n"
        "    src/abcdefg.c: 170\n"
        "   5  ...::area_of_all_shapes and 2 more\n"
        "    inlined in ...s::sum at shapes.cc: 7\n"};
    for (size_t i = 0; i < 2; i++) {
        struct sheet sheet = {0};
        sheet_column(&sheet, "same", SHEET_NUMBER, 0);
        sheet_column(&sheet, "line", SHEET_TEXT, 0);
        for (size_t r = 0; r < 3; r++) {
            sheet_put(&sheet, buf_copy("5"));
            sheet_put_place(&sheet, buf_copy(rows[r][0]), buf_copy(rows[r][1]));
        }
        if (i == 0)
            assert_sheet(&sheet, false, tables[i]);
        else
            assert_on_terminal(&sheet, 40, tables[i]);
    }
}

/* A scope of more than half of the names is faint, here of three of five; what is in
   brackets is none.  */
TEST(scope_of_most)
{
    static const char *const shown[][2] = {
        {"ns::in::f", "\033[2mns::in::\033[0mf"},
        {"ns::in::g<std::a::b>", "\033[2mns::in::\033[0mg<std::a::b>"},
        {"ns::in::h::i", "\033[2mns::in::\033[0mh::i"},
        {"ns::f", "ns::f"},
        {"main", "main"}};
    char *expected = buf_copy("\033[1mn\033[0m  \033[1mname\033[0m\n");
    struct sheet sheet = {0};
    sheet_column(&sheet, "n", SHEET_NUMBER, 0);
    sheet_column(&sheet, "name", SHEET_TEXT, 0);
    for (size_t r = 0; r < LENGTH(shown); r++) {
        char *more = buf_format("%s1  %s\n", expected, shown[r][1]);
        free(expected);
        expected = more;
        sheet_put(&sheet, buf_copy("1"));
        sheet_put_name(&sheet, buf_copy(shown[r][0]), NULL);
    }
    coloured = true;
    assert_on_terminal(&sheet, 80, expected);
    coloured = false;
    free(expected);
}

/* The number takes 4 + 2: at 40 columns 34 are left for name, place and text, and a line
   of its own has 36.  */
TEST(texts)
{
    static const char *const rows[][3] = {
        {"f", "a.c: 1", "return n + 1;"},
        {"f", "a.c: 21", "return n + 1234567890;"},
        {"f", "a.c: 33", "return n + 12345678901;"},
        {"f", "a.c: 4", NULL},
        {"a_function_of_this", "file.c: 5", "i++;"},
        {"f", "a.c: 6", "a_long_call(of(a_function), with, all);"}};
    static const char *const tables[] = {
        "same  line\n"
        "   5  f  a.c: 1  return n + 1;\n"
        "   5  f  a.c: 21  return n + 1234567890;\n"
        "   5  f  a.c: 33  return n + 12345678901;\n"
        "   5  f  a.c: 4\n"
        "   5  a_function_of_this  file.c: 5  i++;\n"
        "   5  f  a.c: 6  a_long_call(of(a_function), with, all);\n",
        "same  line\n"
        "   5  f  a.c: 1  return n + 1;\n"
        "   5  f  a.c: 21  return n + 1234567890;\n"
        "   5  f  a.c: 33\n"
        "    return n + 12345678901;\n"
        "   5  f  a.c: 4\n"
        "   5  a_function_of_this  file.c: 5\n"
        "    i++;\n"
        "   5  f  a.c: 6\n"
        "    a_long_call(of(a_function), with,...\n"};
    for (size_t i = 0; i < 2; i++) {
        struct sheet sheet = {0};
        sheet_column(&sheet, "same", SHEET_NUMBER, 0);
        sheet_column(&sheet, "line", SHEET_TEXT, 0);
        for (size_t r = 0; r < LENGTH(rows); r++) {
            sheet_put(&sheet, buf_copy("5"));
            sheet_put_text(&sheet, text_part(rows[r][0]), buf_copy(rows[r][1]),
                           rows[r][2] ? buf_copy(rows[r][2]) : NULL);
        }
        if (i == 0)
            assert_sheet(&sheet, false, tables[i]);
        else
            assert_on_terminal(&sheet, 40, tables[i]);
    }
}

/* The number takes 5 + 2: at 31 columns 24 are left for the name, 22 of them with a
   position, of which the file's own name gets 14.  Rows that a terminal has no room to
   tell apart have lines of 27 columns for what they are.  */
TEST(alike)
{
    static const struct {
        const char *name, *position;
        bool place;
    } rows[] = {{"eng::Bin<std::plus<void>>::Bin", "engine.hpp: 56", false},
                {"eng::Bin<std::minus<void>>::Bin", "src/engine.hpp: 56", false},
                {"eng::Bin<std::plus<void>>::Bin", "engine.hpp: 56", false},
                {"once<std::plus<void>>::f", "engine.hpp: 9", false},
                {"same", "include/library/solver.h: 1", false},
                {"same", "another/library/solver.h: 1", false},
                {"f", "the_solver_of_equations.hpp: 7", false},
                {"eng::Bin<std::plus<void>>::eval", NULL, false},
                {"eng::Bin<std::minus<void>>::eval", NULL, false},
                {"eng::Bin<std::plus<void>>::sum", "a.c: 1, in a loop", true},
                {"eng::Bin<std::minus<void>>::sum", "a.c: 1, in a loop", true},
                {"eng::once", "a.c: 1, in a loop of it", true}};
    struct sheet sheet = {0};
    sheet_column(&sheet, "calls", SHEET_NUMBER, 0);
    sheet_column(&sheet, "region", SHEET_TEXT, 0);
    for (size_t r = 0; r < LENGTH(rows); r++) {
        char *position = rows[r].position ? buf_copy(rows[r].position) : NULL;
        sheet_put(&sheet, buf_copy("5"));
        if (rows[r].place)
            sheet_put_place(&sheet, text_part(rows[r].name), position);
        else
            sheet_put_name(&sheet, buf_copy(rows[r].name), position);
    }
    assert_on_terminal(&sheet, 31,
                       "calls  region\n"
                       "    5  ...::Bin  engine.hpp: 56\n"
                       "    ...::plus<void>>::Bin\n"
                       "    5  ...::Bin  engine.hpp: 56\n"
                       "    ...::minus<void>>::Bin\n"
                       "    5  ...::Bin  engine.hpp: 56\n"
                       "    ...::plus<void>>::Bin\n"
                       "    5  ...::f  engine.hpp: 9\n"
                       "    5  same  .../solver.h: 1\n"
                       "    include/library/solver.h: 1\n"
                       "    5  same  .../solver.h: 1\n"
                       "    another/library/solver.h: 1\n"
                       "    5  f  the_solve...ns.hpp: 7\n"
                       "    5  eng::Bin<...>::eval\n"
                       "    ...::plus<void>>::eval\n"
                       "    5  eng::Bin<...>::eval\n"
                       "    ...::minus<void>>::eval\n"
                       "    5  eng::Bin<...>::sum\n"
                       "    ...::plus<void>>::sum\n"
                       "    a.c: 1, in a loop\n"
                       "    5  eng::Bin<...>::sum\n"
                       "    ...::minus<void>>::sum\n"
                       "    a.c: 1, in a loop\n"
                       "    5  eng::once\n"
                       "    a.c: 1, in a loop of it\n");
}

TEST(a_line)
{
    FILE *out = print_begin();
    sheet_line(out, "calls in", buf_copy("f"), NULL);
    sheet_line(out, "", buf_copy("f"), buf_copy("a.c: 7"));
    print_end(out, "calls in f\nf  a.c: 7\n");
}
