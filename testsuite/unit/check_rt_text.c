/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/text.c rt/os/file.c rt/os/lock.c */
/* Escapes of the runtime's formatter, and the end of its buffer. */

#include "rt_tests.h"
#include "rt/os/file.h"
#include "rt/os/text.h"

static char got[64];
static struct ccprof_text text;

static void begin(size_t room)
{
    ccprof_text_open(&text, got, room, NULL);
}

static void assert_written(const char *want)
{
    ck_assert_int_eq(ccprof_text_end(&text), 0);
    ck_assert_str_eq(got, want);
}

/* Paths; text without control characters for a terminal, with characters of UTF-8
   unchanged; bytes. */
TEST(test_kinds)
{
    begin(sizeof got);
    ccprof_text_path(&text, "/a b/\\n\n\xc3\xa9\\");
    assert_written("/a b/\\\\n\\n\xc3\xa9\\\\");
    begin(sizeof got);
    ccprof_text_clean(&text, "a\x1b[31m\nb\x7f\\ \xc3\xa9");
    assert_written("a\\x1b[31m\\x0ab\\x7f\\ \xc3\xa9");
    begin(sizeof got);
    ccprof_text_bytes(&text, (const unsigned char[]){0x00, 0x0f, 0xf0, 0xff}, 4);
    assert_written("000ff0ff");
}

/* An error persists. No byte is written after the error or outside of the buffer. */
TEST(test_error)
{
    struct ccprof_file file = ccprof_file_any(open("/dev/full", O_WRONLY));

    strcpy(got, "-------");
    ccprof_text_open(&text, got, 4, &file);
    ccprof_text_string(&text, "more than four");
    ck_assert_int_eq(text.error, ENOSPC);
    ck_assert_int_eq(ccprof_text_flush(&text), ENOSPC);
    begin(4);
    ccprof_text_string(&text, "abcd");
    ck_assert_int_eq(ccprof_text_end(&text), ENAMETOOLONG);
    ck_assert_str_eq(got, "abc");
    ck_assert_str_eq(got + 4, "---");
}
