/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/page/page.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/encoding.h"
#include "mlprof/page/page-parts.h"

#include <sha2.h>

/* Prints the hash of TEXT as a Content-Security-Policy writes it (W3C, CSP level 3,
   2.3.1), so that browsers run this text and no other.  */
static void print_hash(FILE *out, const char *text, size_t size)
{
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)text, size);
    SHA256Final(hash, &context);
    fputs("'sha256-", out);
    base64_print(out, hash, sizeof hash);
    putc('\'', out);
}

static void print_data(FILE *out, const struct view *view, const struct page_about *about)
{
    BUF_OWN char *text = NULL;
    size_t size, length;
    FILE *data = buf_open(&text, &size);
    page_data_print(data, view, about);
    buf_close(data);
    BUF_OWN char *compressed = gzip_compress(text, size, &length);
    base64_print(out, compressed, length);
}

void page_print(FILE *out, const struct view *view, const struct page_about *about)
{
    size_t style = (size_t)(page_style_end - page_style);
    size_t older = (size_t)(page_older_end - page_older);
    size_t script = (size_t)(page_script_end - page_script);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src ",
          out);
    print_hash(out, page_older, older);
    putc(' ', out);
    print_hash(out, page_script, script);
    fputs("; style-src ", out);
    print_hash(out, page_style, style);
    fputs("\">\n<title>", out);
    markup_print(out, about->title);
    fputs("</title>\n<style>", out);
    fwrite(page_style, 1, style, out);
    fputs("</style>\n</head>\n", out);
    fwrite(page_body, 1, (size_t)(page_body_end - page_body), out);
    fputs("<script type=\"application/gzip\" id=\"data\">", out);
    print_data(out, view, about);
    fputs("</script>\n<script>", out);
    fwrite(page_older, 1, older, out);
    fputs("</script>\n<script type=\"module\">", out);
    fwrite(page_script, 1, script, out);
    fputs("</script>\n</html>\n", out);
}
