/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Tables with numbers first, and the same tables in MLton's layout. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/columns/sheet.h"
#include "mlprof/base/text.h"
#include "testsuite/unit/tests.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* How a sheet is printed: the number of COLUMNS of a terminal, or one of these
   constants. */
#define PLAIN    0
#define MLTON    -1
#define COLOURED -2 /* on a terminal of 80 columns */

#define WIDE  "name::of_24_columns_so_x"
#define LATER "before<1 after<1 same function:"
#define LAST  "before<1 after<1 same<2 function:"
#define PLACES                                                                           \
    "5|P*main* and 2 more|*src/abcdef.c*: 170\n"                                         \
    "5|P*main* and 2 more|*src/abcdefg.c*: 170\n"                                        \
    "5|P*geometry::shape::area_of_all_shapes* and 2 more|"                               \
    "inlined in *geometry::shapes::sum* at *src/shapes.cc*: 7\n"
#define TEXTS                                                                            \
    "5|T*f*|a.c: 1|return n + 1;\n5|T*f*|a.c: 21|return n + 1234567890;\n"               \
    "5|T*f*|a.c: 33|return n + 12345678901;\n5|T*f*|a.c: 4\n"                            \
    "5|T*a_function_of_this*|file.c: 5|i++;\n"                                           \
    "5|T*f*|a.c: 6|a_long_call(of(a_function), with, all);\n"
#define SOME                                                                             \
    "100.0%|1,234|int|Nmain|a.c: 1\n~0.5%|||Nstd::vector<...>::push_back\n"              \
    "0.0%|7|struct \303\244|N\n"

/* COLUMNS are the headings. A colon marks a text column; others are numbers. </RANK: the
   column may be dropped. /PLACE: the position in MLton's layout. ROWS: cells separated by
   |. The last cell may start with N, for a name and perhaps its position; P, for a name
   and a place with parts between *; or T, which is P and perhaps a line of source. */
static const struct {
    const char *columns, *rows;
    int how;
    const char *printed;
} sheets[] = {
    {"cur/2 calls/2 type:/1 function:", SOME, PLAIN,
     "   cur  calls  type      function\n"
     "100.0%  1,234  int       main  a.c: 1\n"
     " ~0.5%                   std::vector<...>::push_back\n"
     "  0.0%      7  struct \303\244\n"},
    /* A table from the description of MLton's tool. */
    {"cur/1 raw/1 stack/1 raw/1 GC/1 raw/1 function:",
     "83.3%|(3.75s)|83.3%|(3.75s)|8.9%|(0.40s)|Mat.mul\n"
     "11.1%|(0.50s)|0.0%|(0.00s)|11.1%|(0.50s)|<gc>\n"
     "5.6%|(0.25s)|88.9%|(4.00s)|11.1%|(0.50s)|<main>\n",
     MLTON,
     "function  cur    raw   stack   raw    GC     raw  \n"
     "-------- ----- ------- ----- ------- ----- -------\n"
     "Mat.mul  83.3% (3.75s) 83.3% (3.75s)  8.9% (0.40s)\n"
     "<gc>     11.1% (0.50s)  0.0% (0.00s) 11.1% (0.50s)\n"
     "<main>    5.6% (0.25s) 88.9% (4.00s) 11.1% (0.50s)\n"},

    /* The numbers take 6 + 2 + 9 + 2 + 4 + 2 columns. The name gets at least 24 columns
       if it needs them; a short name needs the 8 of its heading. */
    {LATER, "1|1,234,567|5|" WIDE "\n", 49,
     "before      after  same  function\n     1  1,234,567     5  " WIDE "\n"},
    {LATER, "1|1,234,567|5|" WIDE "\n", 48,
     "    after  same  function\n1,234,567     5  " WIDE "\n"},
    {LATER, "1|1,234,567|5|" WIDE "\n", 40, "same  function\n   5  " WIDE "\n"},
    {LATER, "1|1,234,567|5|f\n", 32, "    after  same  function\n1,234,567     5  f\n"},
    /* Columns with a higher rank are removed first. */
    {LAST, "1|1,234,567|5|" WIDE "\n", 48,
     "before      after  function\n     1  1,234,567  " WIDE "\n"},

    /* 6 + 2 + 20 + 2 columns precede the name. After a text column, a name with its
       position gets 34 columns or its own line. */
    {"before type: function:", "1|a_type_of_20_columns|Nname|folder/file.c: 7\n", 64,
     "before  type                  function\n"
     "     1  a_type_of_20_columns  name  folder/file.c: 7\n"},
    {"before type: function:", "1|a_type_of_20_columns|Nname|folder/file.c: 7\n", 63,
     "before  type\n    function\n     1  a_type_of_20_columns\n"
     "    name  folder/file.c: 7\n"},
    /* 6 + 2 + 12 + 2 columns precede the name, so in 46 columns the name gets its 24. In
       fewer columns the name gets its own line, and the type can use the rest. */
    {"before type: function:", "1|a_type_of_20_columns|" WIDE "\n", 46,
     "before  type          function\n     1  a_typ...umns  " WIDE "\n"},
    {"before type: function:", "1|a_type_of_20_columns|" WIDE "\n", 45,
     "before  type\n    function\n     1  a_type_of_20_columns\n    " WIDE "\n"},
    /* Three numbers of 13 columns take 43. */
    {"before after same function:", "1,234,567,890|1,234,567,890|1,234,567,890|f\n", 28,
     "       before          after\n    function\n1,234,567,890  1,234,567,890\n"
     "    f\n"},
    {"before type: function:", "1|a_type_of_20_columns|" WIDE "\n", 28,
     "before  type\n    function\n     1  a_type_o...columns\n    " WIDE "\n"},

    /* The number takes 4 + 2 columns. Of 40 columns, 34 remain for the name, and 36 for a
       place on its own line. */
    {"same line:", PLACES, 40,
     "same  line\n"
     "   5  main and 2 more  src/abcdef.c: 170\n"
     "   5  main and 2 more\n"
     "    src/abcdefg.c: 170\n"
     "   5  ...::area_of_all_shapes and 2 more\n"
     "    inlined in ...s::sum at shapes.cc: 7\n"},
    /* 34 columns for name, place and text. */
    {"same line:", TEXTS, 40,
     "same  line\n"
     "   5  f  a.c: 1  return n + 1;\n"
     "   5  f  a.c: 21  return n + 1234567890;\n"
     "   5  f  a.c: 33\n"
     "    return n + 12345678901;\n"
     "   5  f  a.c: 4\n"
     "   5  a_function_of_this  file.c: 5\n"
     "    i++;\n"
     "   5  f  a.c: 6\n"
     "    a_long_call(of(a_function), with,...\n"},

    /* A scope is faint if it is common to more than half of the names, here three of
       five. Scopes inside brackets do not count. */
    {"n name:",
     "1|Nns::in::f\n1|Nns::in::g<std::a::b>\n1|Nns::in::h::i\n1|Nns::f\n1|Nmain\n",
     COLOURED,
     "\033[1mn\033[0m  \033[1mname\033[0m\n"
     "1  \033[2mns::in::\033[0mf\n"
     "1  \033[2mns::in::\033[0mg<std::a::b>\n"
     "1  \033[2mns::in::\033[0mh::i\n"
     "1  ns::f\n"
     "1  main\n"},

    /* The number takes 5 + 2 columns. Of 31 columns, 24 remain for the name, or 22 with a
       position, and the file's own name gets 14 of them. If the terminal is too narrow to
       distinguish rows, they get additional lines of 27 columns. */
    {"calls region:",
     "5|Neng::Bin<std::plus<void>>::Bin|engine.hpp: 56\n"
     "5|Neng::Bin<std::minus<void>>::Bin|src/engine.hpp: 56\n"
     "5|Nonce<std::plus<void>>::f|engine.hpp: 9\n"
     "5|Nsame|include/library/solver.h: 1\n"
     "5|Nsame|another/library/solver.h: 1\n"
     "5|Nf|the_solver_of_equations.hpp: 7\n"
     "5|Neng::Bin<std::plus<void>>::eval\n"
     "5|Neng::Bin<std::minus<void>>::eval\n"
     "5|P*eng::Bin<std::plus<void>>::sum*|a.c: 1, in a loop\n"
     "5|P*eng::Bin<std::minus<void>>::sum*|a.c: 1, in a loop\n"
     "5|P*eng::once*|a.c: 1, in a loop of it\n",
     31,
     "calls  region\n"
     "    5  ...::Bin  engine.hpp: 56\n    ...::plus<void>>::Bin\n"
     "    5  ...::Bin  engine.hpp: 56\n    ...::minus<void>>::Bin\n"
     "    5  ...::f  engine.hpp: 9\n"
     "    5  same  .../solver.h: 1\n    include/library/solver.h: 1\n"
     "    5  same  .../solver.h: 1\n    another/library/solver.h: 1\n"
     "    5  f  the_solve...ns.hpp: 7\n"
     "    5  eng::Bin<...>::eval\n    ...::plus<void>>::eval\n"
     "    5  eng::Bin<...>::eval\n    ...::minus<void>>::eval\n"
     "    5  eng::Bin<...>::sum\n    ...::plus<void>>::sum\n    a.c: 1, in a loop\n"
     "    5  eng::Bin<...>::sum\n    ...::minus<void>>::sum\n    a.c: 1, in a loop\n"
     "    5  eng::once\n    a.c: 1, in a loop of it\n"},
};

/* The sheet refers to the headings in TEXT. */
static void add_columns(struct sheet *sheet, char *text)
{
    for (char *cursor = strtok(text, " "); cursor; cursor = strtok(NULL, " ")) {
        const char *place = strchr(cursor, '/'), *rank = strchr(cursor, '<');
        sheet_column(sheet, cursor, strchr(cursor, ':') ? SHEET_TEXT : SHEET_NUMBER,
                     place ? atoi(place + 1) : 0);
        if (rank)
            sheet_set_drop_rank(sheet, (unsigned)atoi(rank + 1));
        cursor[strcspn(cursor, ":</")] = '\0';
    }
}

/* Returns a copy of a cell or of a part of one, with marks for parts, or NULL for
   NULL. */
static char *copied(const char *text)
{
    char *copy = text ? buf_copy(text) : NULL;
    for (char *cursor = copy; cursor && (cursor = strchr(cursor, '*'));)
        *cursor = *TEXT_PART;
    return copy;
}

static void add_row(struct sheet *sheet, char *line)
{
    char *cell = NULL;
    for (size_t i = 0; i < sheet->columns.count; i++) {
        cell = strsep(&line, "|");
        if (!strchr("NPT", *cell) || !*cell || i + 1 < sheet->columns.count) {
            sheet_put(sheet, buf_copy(cell));
            continue;
        }
        char *name = copied(cell + 1), *place = copied(strsep(&line, "|"));
        if (*cell == 'N')
            sheet_put_name(sheet, name, place);
        else if (*cell == 'P')
            sheet_put_place(sheet, name, place);
        else
            sheet_put_text(sheet, name, place, copied(line));
    }
}

/* Modifies COLUMNS and ROWS, which must stay valid. */
static void make(struct sheet *sheet, char *columns, char *rows, bool hot)
{
    add_columns(sheet, columns);
    for (char *line; (line = strsep(&rows, "\n")) && *line;) {
        if (hot)
            sheet_tone(sheet, SHEET_HOT);
        add_row(sheet, line);
    }
}

static void assert_on_terminal(struct sheet *sheet, unsigned short columns, bool coloured,
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

TEST_ROWS(printed, sheets)
{
    struct sheet sheet = {0};
    char *columns = buf_copy(sheets[_i].columns), *rows = buf_copy(sheets[_i].rows);
    int how = sheets[_i].how;
    bool file = how == PLAIN || how == MLTON;
    make(&sheet, columns, rows, file);
    if (file) {
        FILE *out = print_begin();
        sheet_print(out, &sheet, how == MLTON);
        print_end(out, sheets[_i].printed);
    } else {
        assert_on_terminal(&sheet, how == COLOURED ? 80 : (unsigned short)how,
                           how == COLOURED, sheets[_i].printed);
    }
    ck_assert_ptr_null(sheet.cells);
    free(columns);
    free(rows);
}
