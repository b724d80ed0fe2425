/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes C++ names readable by hiding tokens of the parsed name, finds the name of a
   function in a demangled symbol, and demangles symbols within limits of time and
   length. */

#include "mlprof/names/readable.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/text.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Returns the index of the last visible token before TOKEN, or 0 if there is none. */
static size_t previous_token(const struct cxxname *name, size_t token)
{
    while (token && !name->tokens[token - 1].length)
        token--;
    return token ? token - 1 : 0;
}

/* Returns whether TOKEN follows std:: or a namespace inside std. */
static bool is_in_std(const struct cxxname *name, size_t token)
{
    size_t first = token, previous = previous_token(name, token);
    while (previous < first && (cxxname_is(name, previous, "::") ||
                                cxxname_is_word(*name->tokens[previous].text))) {
        first = previous;
        previous = previous_token(name, first);
    }
    return first < token && cxxname_is(name, first, "std") &&
           cxxname_is(name, previous_token(name, token), "::");
}

/* Returns whether TOKEN is an inline namespace of libstdc++ or libc++, or one that marks
   the version of a library. Symbols do not show whether a namespace is inline.
   Therefore the latter are recognized by name: abi_v3, json_abi_diag_v3_11_2; v9 in fmt,
   and lts_20230802 in absl. */
static bool is_inline_namespace(const struct cxxname *name, size_t token)
{
    static const char standard[] = "__cxx11 _V2 __1 __2 __8 __ndk1 __n4861 __cust "
                                   "__cmp_alg fundamentals_v1 fundamentals_v2 "
                                   "parallelism_v2";
    const struct cxxname_token *word = &name->tokens[token];
    if (!cxxname_is_word(*word->text) || !cxxname_is(name, token + 1, "::"))
        return false;
    size_t scope = previous_token(name, token), outer = previous_token(name, scope),
           stem = word->length;
    if (!cxxname_is(name, scope, "::"))
        return false;
    if (is_in_std(name, token) && text_is_listed(standard, word->text, word->length))
        return true;
    while (stem && strchr("0123456789_", word->text[stem - 1]))
        stem--;
    stem += strspn(word->text + stem, "_");
    if (stem >= word->length)
        return false;
    BUF_OWN char *text = buf_copy_prefix(word->text, stem);
    const char *abi = strstr(text, "abi_");
    if (abi)
        return (abi == text || abi[-1] == '_') && text_ends(abi, "_v");
    bool outermost = !cxxname_is(name, previous_token(name, outer), "::");
    return outermost && ((cxxname_is(name, outer, "fmt") && strcmp(text, "v") == 0) ||
                         (cxxname_is(name, outer, "absl") && strcmp(text, "lts_") == 0));
}

/* Returns whether the last argument of the list from OPEN to CLOSE, which begins at LAST
   and is not the first, is the default argument, which is not written in source code. */
static bool is_default(const struct cxxname *name, size_t open, size_t last, size_t close)
{
    static const char templates[] =
        "std::allocator std::char_traits std::less std::equal_to std::hash "
        "std::default_delete std::regex_traits std::istreambuf_iterator "
        "std::ostreambuf_iterator";
    BUF_OWN char *text = cxxname_print(name, last, close);
    size_t length = strcspn(text, "<"), end = cxxname_argument_end(name, open + 1);
    if (!text_begins(text, "std::"))
        return false;
    bool listed = text_is_listed(templates, text, length);
    for (size_t i = open + 1; listed && i < last; i = cxxname_argument_end(name, i) + 1) {
        BUF_OWN char *type = cxxname_print(name, i, cxxname_argument_end(name, i));
        BUF_OWN char *template = buf_format("%.*s<%s>", (int)length, text, type);
        if (strcmp(text, template) == 0)
            return true;
    }
    /* The default argument of maps. */
    BUF_OWN char *key = cxxname_print(name, open + 1, end);
    BUF_OWN char *value =
        cxxname_print(name, end + 1, cxxname_argument_end(name, end + 1));
    BUF_OWN char *pair =
        buf_format("std::allocator<std::pair<%s const, %s>>", key, value);
    return (end + 1 < last && strcmp(text, pair) == 0) ||
           strcmp(text, "std::ratio<1, 1>") == 0 ||
           strcmp(text, "std::ratio<1l, 1l>") == 0;
}

/* Writes std::string and similar names for std::basic_string<char> and similar types.
   WORD is the name of the template, the list of arguments is from OPEN to CLOSE. */
static void shorten_typedef(struct cxxname *name, size_t word, size_t open, size_t close)
{
    static const struct {
        const char *type, *prefix;
    } characters[] = {{"char", ""},
                      {"wchar_t", "w"},
                      {"char8_t", "u8"},
                      {"char16_t", "u16"},
                      {"char32_t", "u32"}};
    static const char basic[] = "basic_";
    if (!text_begins(name->tokens[word].text, basic) || !is_in_std(name, word))
        return;
    BUF_OWN char *template = cxxname_print(name, word, word + 1);
    BUF_OWN char *type = cxxname_print(name, open + 1, close);
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        if (strcmp(type, characters[i].type) != 0)
            continue;
        BUF_OWN char *text =
            buf_format("%s%s", characters[i].prefix, template + strlen(basic));
        cxxname_set(name, word, text);
        cxxname_hide(name, open, close + 1);
        /* A constructor or destructor has the same name as its class. */
        size_t next = close + 2 < name->count ? close + 2 : close + 1;
        next += cxxname_is(name, next, "~");
        if (cxxname_is(name, close + 1, "::") && cxxname_is(name, next, template))
            cxxname_set(name, next, text);
    }
}

/* Hides the list of template arguments from OPEN to CLOSE, or a part of it. */
static void clean_list(struct cxxname *name, size_t open, size_t close)
{
    size_t word = previous_token(name, open), last, end;
    const struct cxxname_token *template = &name->tokens[word];
    /* `> >' */
    if (*name->tokens[close - 1].text == ' ')
        cxxname_hide(name, close - 1, close);
    while (true) {
        for (last = open + 1; (end = cxxname_argument_end(name, last)) < close;)
            last = end + 1;
        if (last == open + 1 || !is_default(name, open, last, close))
            break;
        cxxname_hide(name, last - 1, close);
    }
    /* Hide an empty list, except after a name in std: the name of the type is
       std::less<>, and std::less means the template. */
    BUF_OWN char *arguments = cxxname_print(name, open + 1, close);
    if (!*arguments && template->length &&
        cxxname_is_word(template->text[template->length - 1]) && !is_in_std(name, word))
        cxxname_hide(name, open, close + 1);
    shorten_typedef(name, word, open, close);
}

char *readable(const char *name, size_t most)
{
    CXXNAME_OWN struct cxxname parsed = cxxname_parse(name);
    for (size_t i = 0; parsed.valid && i < parsed.count; i++) {
        const struct cxxname_token *token = &parsed.tokens[i];
        if (text_begins(token->text, "[abi:"))
            cxxname_hide(&parsed, i, token->partner + 1);
        else if (*token->text == '>' && token->partner < i)
            clean_list(&parsed, token->partner, i);
        else if (is_inline_namespace(&parsed, i))
            cxxname_hide(&parsed, i, i + 2);
    }
    char *text = cxxname_print(&parsed, 0, parsed.count);
    if (!most || !parsed.valid)
        return text;
    char *narrow = cxxname_narrow(text, most, READABLE_WIDEST);
    free(text);
    return narrow;
}

/* Returns whether the rest of the text can only follow parameters. */
static bool is_after_parameters(const char *rest)
{
    static const char *const words[] = {" const", " volatile", " &&", " &"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_begins(rest, words[i]))
            return is_after_parameters(rest + strlen(words[i]));
    return *rest == 0 || text_begins(rest, " [clone ");
}

char *signature_name(const char *demangled)
{
    CXXNAME_OWN struct cxxname name = cxxname_parse(demangled);
    bool in_operator = false;
    for (size_t i = 0, first = 0, next; i < name.count; i = next) {
        next = cxxname_next(&name, i);
        const char *text = name.tokens[i].text;
        if (text_begins(text, "operator") && !cxxname_is_word(text[strlen("operator")])) {
            /* After `operator', the target type of a conversion may follow. */
            in_operator = true;
        } else if (*text == ' ' && !in_operator) {
            first = next;
        } else if (strchr("(<[{", *text)) {
            /* The name is malformed, or this is the inner declarator of a function
               that returns a pointer to a function. */
            if (next == i + 1 || (*text == '(' && i == first && strchr("*&", text[1])))
                break;
            if (*text == '(' && i > first && is_after_parameters(name.tokens[next].text))
                return cxxname_print(&name, first, i);
        } else if (cxxname_is(&name, i, "::")) {
            in_operator = false;
        }
    }
    return buf_copy(demangled);
}

/* Maximum CPU time of the demangler for one symbol, in microseconds. GCC 12's
   demangler never ends for some symbols that no compiler creates. The slowest name of
   a large library takes one fiftieth of this time. */
#define TIME_MOST 200000

/* After this many timeouts, the demangler is not used any more. */
#define TIMEOUTS_MOST 5

enum { DONE, TOO_LONG, TOO_SLOW };

/* Defined in libsupc++ (GCC: libiberty/cp-demangle.c). Like __cxa_demangle, but
   passes the name in pieces to PUT. Returns a value other than 0 on success. Nothing
   else from libsupc++ is linked. */
int __gcclibcxx_demangle_callback(const char *symbol,
                                  void (*put)(const char *piece, size_t size, void *data),
                                  void *data);

/* The name being demangled, and the state to return to if demangling is aborted. The
   demangler allocates no memory except on its stack. Therefore longjmp may leave it,
   also from a signal handler. */
static struct {
    char text[DEMANGLE_MOST + 1];
    size_t length;
    sigjmp_buf aborted;
    int status;
    int timeouts;
} name;

static void abort_demangling(int status)
{
    name.status = status;
    siglongjmp(name.aborted, 1);
}

static void put_piece(const char *piece, size_t size, void *data)
{
    (void)data;
    if (size > DEMANGLE_MOST - name.length)
        abort_demangling(TOO_LONG);
    memcpy(name.text + name.length, piece, size);
    name.length += size;
}

static void handle_timeout(int number)
{
    (void)number;
    abort_demangling(TOO_SLOW);
}

static void set_timer(long microseconds)
{
    const struct itimerval once = {.it_value = {.tv_usec = microseconds}};
    setitimer(ITIMER_VIRTUAL, &once, NULL);
}

/* Writes the demangled name of SYMBOL, which is not empty, to NAME. Returns false if
   SYMBOL is not mangled. The timer may expire at any moment until it is stopped, so
   this function stops it. */
static bool demangle_symbol(const char *symbol)
{
    static bool has_handler;
    if (!has_handler)
        sigaction(SIGVTALRM, &(struct sigaction){.sa_handler = handle_timeout}, NULL);
    has_handler = true;
    name.length = 0;
    name.status = DONE;
    if (sigsetjmp(name.aborted, 1) == 0) {
        set_timer(TIME_MOST);
        bool is_mangled = __gcclibcxx_demangle_callback(symbol, put_piece, NULL) == 0;
        set_timer(0);
        return is_mangled && name.length;
    }
    set_timer(0);
    name.timeouts += name.status == TOO_SLOW;
    return true;
}

char *demangle(const char *symbol)
{
    if (!symbol || strncmp(symbol, "_Z", 2) != 0)
        return NULL;
    if (name.timeouts == TIMEOUTS_MOST)
        return buf_copy(symbol);
    if (!demangle_symbol(symbol))
        return NULL;
    return name.status == DONE ? buf_copy_prefix(name.text, name.length)
                               : buf_copy(symbol);
}
