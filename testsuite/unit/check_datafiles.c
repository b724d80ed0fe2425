/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/datafiles.c testsuite/unit/profile_text.c mlprof.a */
/* links: -lelf -lz -lm */
/* Runs the checks in datafiles-*.txt: the numbers that mlprof reads from a data file, the
   sums of files, and the messages for damaged files. */

#define _GNU_SOURCE
#include "testsuite/unit/tests.h"
#include "testsuite/unit/datafiles_read.h"
#include "testsuite/unit/profile_text.h"

/* A statement, and the file that precedes it. */
struct statement {
    const char *line, *file;
};

static struct statement bad[1000], reads[1000], sums[1000], files[1000], minuses[1000];
static int bad_count, reads_count, sum_count, file_count, minus_count;

static bool starts(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static const char *next_line(const char *line)
{
    return line + strcspn(line, "\n") + 1;
}

static void add_statement(struct statement *to, int *count, const struct statement *added)
{
    if (*count == 1000)
        abort();
    to[(*count)++] = *added;
}

/* Fills the arrays with the statements, whose lines stay in memory. An invalid line, or
   a line outside of a statement, ends the program. */
__attribute__((constructor)) static void find_statements(void)
{
    static const char *const others[] = {"with ",    "gives ", "fails ",
                                         "refused ", "#",      "\n"};
    bool inside = false;
    struct statement at = {.line = datafiles_table()};
    for (; *at.line; at.line = next_line(at.line)) {
        bool known = inside;
        for (size_t i = 0; i < LENGTH(others); i++)
            known |= starts(at.line, others[i]);
        if (inside)
            inside = !starts(at.line, "end\n");
        else if (starts(at.line, "file ")) {
            size_t length = strcspn(at.line + 5, " \n");
            inside = at.line[5 + length] == '\n';
            at.file = strndup(at.line + 5, length);
            add_statement(files, &file_count, &at);
        } else if (starts(at.line, "bad "))
            add_statement(bad, &bad_count, &at);
        else if (starts(at.line, "reads\n"))
            add_statement(reads, &reads_count, &at);
        else if (starts(at.line, "sum "))
            add_statement(sums, &sum_count, &at);
        else if (starts(at.line, "minus "))
            add_statement(minuses, &minus_count, &at);
        else if (!known) {
            fprintf(stderr, "what is this: %.60s\n", at.line);
            abort();
        }
    }
}

/* Checks that the file m of SIZE bytes is refused with the message WHAT (NULL: any
   message), and that nothing is read from it. */
static void assert_refused(const char *text, size_t size, const char *what)
{
    struct fault fault = {0};
    struct profile profile = {0}, none = {0};
    /* A separate allocation, so that a sanitizer finds a read after the end. */
    char *part = malloc(size ? size : 1);
    memcpy(part, text, size);
    ck_assert(!mlmon_parse(&profile, "m", part, size, &fault));
    if (what)
        ck_assert_str_eq(fault.text, what);
    ck_assert(starts(fault.text, "m: line "));
    ck_assert_int_eq(fault.kind, strstr(fault.text, "not a data file")  ? FAULT_FORMAT
                                 : strstr(fault.text, "reads versions") ? FAULT_VERSION
                                                                        : FAULT_GARBLED);
    ck_assert_mem_eq(&profile, &none, sizeof none);
    fault_clear(&fault);
    free(part);
}

/* Checks that the file with TO in place of FROM is refused. MESSAGE is `LINE: ' and text,
   or only text if the error is in the last changed line. */
static void assert_damage(const char *file, const char *message, const char *from,
                          const char *to)
{
    char *edit, *what;
    unsigned line = 1, digits = (unsigned)strspn(message, "0123456789");
    ck_assert_int_gt(asprintf(&edit, "%s|%s", from, to), 0);
    char *text = datafiles_edit(datafiles_text(file), edit, &line);
    ck_assert_int_gt(digits ? asprintf(&what, "m: line %s", message)
                            : asprintf(&what, "m: line %u: %s", line, message),
                     0);
    assert_refused(text, strlen(text), what);
    free(what);
    free(text);
    free(edit);
}

/* bad MESSAGE|FROM|TO|...&FROM|TO|... */
TEST_TIMES(damage, bad_count)
{
    char *row = strndup(bad[_i].line + 4, strcspn(bad[_i].line + 4, "\n")), *edits = row;
    const char *message = strsep(&edits, "|");
    for (char *tos; (tos = strsep(&edits, "&")) != NULL;) {
        const char *from = strsep(&tos, "|");
        for (char *to; (to = strsep(&tos, "|")) != NULL;)
            assert_damage(bad[_i].file, message, from, to);
    }
    free(row);
}

/* Each beginning of a file is refused. */
TEST_TIMES(cut_off, file_count)
{
    char *text = datafiles_text(files[_i].file);
    for (size_t size = 0; size < strlen(text); size++)
        assert_refused(text, size, NULL);
    free(text);
}

/* Sets the biases to 0x0, because profiles do not keep biases. */
static void clear_biases(char *text)
{
    for (char *cursor = text; (cursor = strstr(cursor, "\nmodule ")) != NULL;) {
        cursor = strchr(strchr(cursor + 1, ' ') + 1, ' ');
        cursor = strchr(cursor + 1, ' ') + strlen(" 0x");
        memmove(cursor + 1, strchr(cursor, ' '), strlen(strchr(cursor, ' ')) + 1);
        *cursor = '0';
    }
}

/* Statement `reads': the profile has the numbers of the file. If `with' and edits follow,
   the file is edited first. */
TEST_TIMES(numbers, reads_count)
{
    struct profile profile = datafiles_read(reads[_i].file);
    char *due = datafiles_text(reads[_i].file), *got = profile_text(&profile);
    for (const char *line = next_line(reads[_i].line); starts(line, "with ");
         line = next_line(line))
        due = datafiles_edit(due, line + 5, NULL);
    clear_biases(due);
    ck_assert_str_eq(got, next_line(due));
    free(got);
    free(due);
    profile_free(&profile);
}

/* Adds up the files ORDER[0] to ORDER[COUNT - 1]. If PAIRED, adds the first file to the
   sum of the others; otherwise adds the others to the first. */
static struct profile add_up(char *const *order, int count, bool paired)
{
    struct profile total = {0};
    struct fault fault = {0};
    for (int i = 0; i < count; i++) {
        bool rest = paired && i == 1;
        struct profile one =
            rest ? add_up(order + 1, count - 1, false) : datafiles_read(order[i]);
        if (!profile_fold(&total, &one, order[i], &fault))
            ck_abort_msg("%s", fault.text);
        if (rest)
            break;
    }
    profile_join(&total);
    return total;
}

/* Checks each line after a sum. After `gives' come lines that the sum's text must
   contain, after those of the previous `gives'. After `fails' comes FILE|MESSAGE: adding
   the file must fail. */
static void check_sum(struct profile *sum, const char *line)
{
    char *text = profile_text(sum), *from = text;
    for (; starts(line, "gives ") || starts(line, "fails "); line = next_line(line)) {
        char *due;
        bool gives = *line == 'g';
        ck_assert_int_gt(asprintf(&due, gives ? "\n%.*s" : "%.*s",
                                  (int)strcspn(line + 6, "\n"), line + 6),
                         0);
        if (gives) {
            for (char *cursor = due; *cursor; cursor++)
                *cursor = *cursor == '^' ? '\n' : *cursor;
            char *cursor = strstr(from, due);
            ck_assert_msg(cursor != NULL, "no%s\nin:\n%s", due, text);
            from = cursor + strlen(due);
        } else {
            struct fault fault = {0};
            char *message = due, *name = strsep(&message, "|");
            struct profile one = datafiles_read(name);
            ck_assert(!profile_merge(sum, &one, name, &fault));
            ck_assert_str_eq(strchr(fault.text, ' ') + 1, message);
            ck_assert_int_eq(fault.kind,
                             strstr(message, "64 bits") ? FAULT_GARBLED : FAULT_MISMATCH);
            assert_text(profile_text(sum), text);
            fault_clear(&fault);
            profile_free(&one);
        }
        free(due);
    }
    free(text);
}

/* Statement `sum FILE ...': adds up the files. Several such lines: other orders. */
TEST_TIMES(sum, sum_count)
{
    const char *line = sums[_i].line;
    char *row = strndup(line + 4, strcspn(line + 4, "\n")), *words = row, *order[8];
    int count = 0;
    while ((order[count] = strsep(&words, " ")) != NULL)
        count++;
    while (starts(line, "sum "))
        line = next_line(line);
    for (int paired = 0; paired < 2; paired++) {
        struct profile total = add_up(order, count, paired);
        check_sum(&total, line);
        profile_free(&total);
    }
    free(row);
}

/* Checks that a file with a part of the second part of TEXT is refused. BOTH is the size
   of TEXT, and FIRST the size of the first part. */
static void assert_cut(const char *text, size_t first, size_t both)
{
    for (size_t size = first + 1; size < both; size++)
        assert_refused(text, size, NULL);
}

/* Statement `minus LATER EARLIER': reads the file of the two parts. A line `refused
   MESSAGE' may follow instead of `gives'. */
TEST_TIMES(minus, minus_count)
{
    const char *line = minuses[_i].line, *next = next_line(line);
    char *row = strndup(line + 6, strcspn(line + 6, "\n")), *words = row, *both, *what;
    char *later = datafiles_text(strsep(&words, " "));
    char *earlier = datafiles_text(strsep(&words, " "));
    char *third = words ? datafiles_text(words) : strdup("");
    struct profile profile = {0}, none = {0};
    struct fault fault = {0};
    ck_assert_int_gt(asprintf(&both, "%s%s%s", later, earlier, third), 0);
    bool good = mlmon_parse(&profile, "m", both, strlen(both), &fault);
    if (starts(next, "refused ")) {
        ck_assert_int_gt(
            asprintf(&what, "m: %.*s", (int)strcspn(next + 8, "\n"), next + 8), 0);
        ck_assert_pstr_eq(fault.text, what);
        ck_assert_mem_eq(&profile, &none, sizeof none);
        ck_assert_int_eq(fault.kind, strstr(what, "different") || strstr(what, "wrote")
                                         ? FAULT_MISMATCH
                                         : FAULT_GARBLED);
        free(what);
    } else {
        if (!good)
            ck_abort_msg("%s", fault.text);
        check_sum(&profile, next);
        assert_cut(both, strlen(later), strlen(both));
    }
    fault_clear(&fault);
    profile_free(&profile);
    free(both);
    free(third);
    free(earlier);
    free(later);
    free(row);
}
