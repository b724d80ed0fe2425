/* SPDX-License-Identifier: GPL-3.0-or-later */

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

/* Maximum number of arguments in one list.  Default arguments are removed only from
   lists with at most this many arguments.  */
#define ARGUMENTS_MOST 64

static bool ends_with(const struct rewriter *rewriter, size_t from, const char *with)
{
    size_t length = strlen(with);
    return rewriter->length >= from + length &&
           memcmp(rewriter->text + rewriter->length - length, with, length) == 0;
}

/* Returns whether the written text from FROM to TO equals TEXT of LENGTH bytes.  */
static bool equals(const struct rewriter *rewriter, size_t from, size_t to,
                   const char *text, size_t length)
{
    return to - from == length && memcmp(rewriter->text + from, text, length) == 0;
}

/* Returns whether the written text up to END ends with std:: or with a namespace
   inside std.  */
static bool is_in_std(const struct rewriter *rewriter, size_t end)
{
    size_t scope = end;
    while (scope > 0 && (cxxname_is_word(rewriter->text[scope - 1]) ||
                         rewriter->text[scope - 1] == ':'))
        scope--;
    return end - scope >= 5 && text_begins(rewriter->text + scope, "std::") &&
           rewriter->text[end - 1] == ':';
}

/* Returns the length, including colons, of the inline namespace of libstdc++ or libc++
   at AT, or 0 if there is none.  */
static size_t inline_namespace(const char *at)
{
    static const char *const names[] = {"__cxx11::",
                                        "_V2::",
                                        "__1::",
                                        "__2::",
                                        "__8::",
                                        "__ndk1::",
                                        "__n4861::",
                                        "__cust::",
                                        "__cmp_alg::",
                                        "fundamentals_v1::",
                                        "fundamentals_v2::",
                                        "parallelism_v2::"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(at, names[i]))
            return strlen(names[i]);
    return 0;
}

/* Returns whether the written text up to END ends with the scope OUTER, and OUTER is
   not nested in another scope.  */
static bool is_in(const struct rewriter *rewriter, size_t end, const char *outer)
{
    size_t length = strlen(outer);
    if (end < length || memcmp(rewriter->text + end - length, outer, length) != 0)
        return false;
    char before = end > length ? rewriter->text[end - length - 1] : ' ';
    return !cxxname_is_word(before) && before != ':';
}

/* Returns the length, including colons, of the inline namespace at AT that marks the
   version of a library, or 0 if there is none.  Symbols do not show whether a
   namespace is inline.  Therefore these namespaces are recognized by name: abi_v3,
   json_abi_diag_v3_11_2; v9 in fmt, and lts_20230802 in absl.  */
static size_t version_namespace(const struct rewriter *rewriter, const char *at)
{
    size_t length = cxxname_word(at), end = rewriter->length;
    if (!text_begins(at + length, "::") || end < 2 ||
        memcmp(rewriter->text + end - 2, "::", 2) != 0)
        return 0;
    size_t number = length;
    while (number && strchr("0123456789_", at[number - 1]))
        number--;
    BUF_OWN char *word = buf_copy_prefix(at, number);
    bool numbered = number < length && at[number] != '_';
    const char *abi = strstr(word, "abi_");
    bool is_version =
        numbered &&
        ((abi && (abi == word || abi[-1] == '_') && strlen(abi) > strlen("abi_") &&
          strcmp(word + number - 2, "_v") == 0) ||
         (strcmp(word, "v") == 0 && is_in(rewriter, end, "fmt::")));
    is_version |= text_begins(at, "lts_") && strspn(at + 4, "0123456789") == length - 4 &&
                  is_in(rewriter, end, "absl::");
    return is_version ? length + 2 : 0;
}

struct list {
    size_t from[ARGUMENTS_MOST]; /* start of each argument in the written text */
    size_t count;
};

static void put_until(struct rewriter *rewriter, const char *closing, struct list *list);

/* Returns whether the argument from FROM to END is TEMPLATE<T>, where T is the type
   from OF to OF_END.  */
static bool is_template_of(const struct rewriter *rewriter, size_t from, size_t end,
                           const char *template, size_t of, size_t of_end)
{
    size_t length = strlen(template), type = of_end - of;
    return end - from == length + type + 2 &&
           memcmp(rewriter->text + from, template, length) == 0 &&
           rewriter->text[from + length] == '<' &&
           memcmp(rewriter->text + from + length + 1, rewriter->text + of, type) == 0;
}

/* Returns whether the argument is std::allocator<std::pair<K const, V>>, the default
   argument of maps.  */
static bool is_pair_allocator(const struct rewriter *rewriter, const struct list *list,
                              size_t from, size_t end)
{
    if (list->count < 3)
        return false;
    const char *text = rewriter->text;
    size_t key = list->from[0], key_end = list->from[1] - 2;
    size_t value = list->from[1], value_end = list->from[2] - 2;
    char *pair =
        buf_format("std::allocator<std::pair<%.*s const, %.*s>>", (int)(key_end - key),
                   text + key, (int)(value_end - value), text + value);
    bool is_pair = equals(rewriter, from, end, pair, strlen(pair));
    free(pair);
    return is_pair;
}

/* Returns whether the last argument is the default argument, which is not written in
   source code.  */
static bool is_default(const struct rewriter *rewriter, const struct list *list)
{
    static const char *const templates[] = {"std::allocator",
                                            "std::char_traits",
                                            "std::less",
                                            "std::equal_to",
                                            "std::hash",
                                            "std::default_delete",
                                            "std::regex_traits",
                                            "std::istreambuf_iterator",
                                            "std::ostreambuf_iterator"};
    size_t last = list->count - 1, from = list->from[last], end = rewriter->length;
    if (last == 0 || !text_begins(rewriter->text + from, "std::"))
        return false;
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        for (size_t k = 0; k < last; k++)
            if (is_template_of(rewriter, from, end, templates[i], list->from[k],
                               list->from[k + 1] - 2))
                return true;
    return is_pair_allocator(rewriter, list, from, end) ||
           equals(rewriter, from, end, "std::ratio<1, 1>", 16) ||
           equals(rewriter, from, end, "std::ratio<1l, 1l>", 18);
}

/* Replaces std::basic_string<char> and similar types, starting at NAME, by std::string
   and similar names.  */
static void put_typedef(struct rewriter *rewriter, size_t name)
{
    static const struct {
        const char *type, *prefix;
    } characters[] = {{"<char>", ""},
                      {"<wchar_t>", "w"},
                      {"<char8_t>", "u8"},
                      {"<char16_t>", "u16"},
                      {"<char32_t>", "u32"}};
    static const char basic[] = "basic_";
    if (!text_begins(rewriter->text + name, basic) || !is_in_std(rewriter, name))
        return;
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        const char *type = characters[i].type;
        if (!ends_with(rewriter, name, type))
            continue;
        size_t from = name + strlen(basic), end = rewriter->length - strlen(type);
        if (memchr(rewriter->text + from, '<', end - from))
            return;
        char *word = buf_copy_prefix(rewriter->text + from, end - from);
        rewriter_cut(rewriter, name);
        rewriter_put(rewriter, characters[i].prefix, strlen(characters[i].prefix));
        rewriter_put(rewriter, word, strlen(word));
        free(word);
        /* A constructor or destructor has the same name as its class.  */
        const char *rest = rewriter->at + (text_begins(rewriter->at, "::~") ? 3 : 2);
        if (text_begins(rewriter->at, "::") && text_begins(rest, basic)) {
            size_t length = strspn(rest + 6, "abcdefghijklmnopqrstuvwxyz_");
            if (length == end - from && !cxxname_is_word(rest[6 + length])) {
                rewriter_copy(rewriter, (size_t)(rest - rewriter->at));
                BUF_OWN char *again = buf_copy_prefix(
                    rewriter->text + name, strlen(characters[i].prefix) + length);
                rewriter_put(rewriter, again, strlen(again));
                rewriter->at = rest + 6 + length;
            }
        }
        return;
    }
}

/* Copies template arguments.  The name of the template begins at NAME.  */
static void put_arguments(struct rewriter *rewriter, size_t name)
{
    struct list list = {0};
    rewriter_copy(rewriter, 1);
    put_until(rewriter, ">", &list);
    /* An empty list has one argument without text.  */
    while (!rewriter->bad && list.count <= ARGUMENTS_MOST && list.count > 1 &&
           is_default(rewriter, &list))
        rewriter_cut(rewriter, list.from[--list.count] - 2);
    if (rewriter->bad || *rewriter->at != '>') {
        rewriter->bad = true;
        return;
    }
    rewriter_copy(rewriter, 1);
    /* Remove an empty list, except after a name in std: the name of the type is
       std::less<>, and std::less means the template.  */
    size_t empty = rewriter->length - 2;
    if (list.from[0] == rewriter->length - 1 && empty > name &&
        cxxname_is_word(rewriter->text[empty - 1]) && !is_in_std(rewriter, name))
        rewriter_cut(rewriter, empty);
    put_typedef(rewriter, name);
}

/* Copies the next element, which is not a comma or closing bracket.  Sets *NAME to the
   start of the name that following template arguments would belong to.  */
static void put_element(struct rewriter *rewriter, size_t *name)
{
    static const char opening[] = "([{", closing[] = ")]}";
    char c = *rewriter->at;
    const char *bracket = strchr(opening, c);
    if (text_begins(rewriter->at, "[abi:")) {
        rewriter->at += strcspn(rewriter->at, "]");
        rewriter->at += *rewriter->at == ']';
    } else if (cxxname_is_word(c)) {
        *name = rewriter->length;
        size_t skipped =
            is_in_std(rewriter, rewriter->length) ? inline_namespace(rewriter->at) : 0;
        if (!skipped)
            skipped = version_namespace(rewriter, rewriter->at);
        rewriter->at += skipped;
        if (!skipped)
            rewriter_copy(rewriter, cxxname_word(rewriter->at));
    } else if (text_begins(rewriter->at, "->")) {
        rewriter_copy(rewriter, 2);
    } else if (c == '\'' && rewriter->at[1] && strchr(rewriter->at + 2, '\'')) {
        rewriter_copy(rewriter,
                      (size_t)(strchr(rewriter->at + 2, '\'') + 1 - rewriter->at));
    } else if (c == '<') {
        char before = rewriter->length ? rewriter->text[rewriter->length - 1] : 0;
        /* Keep `.<case 5>' of a branch, and names in brackets that ccprof has made.  */
        if (before == 0 || before == '.')
            rewriter_copy(rewriter, strlen(rewriter->at));
        else
            put_arguments(rewriter, *name);
    } else if (bracket) {
        const char close[] = {closing[bracket - opening], 0};
        rewriter_copy(rewriter, 1);
        put_until(rewriter, close, NULL);
        if (rewriter->bad || *rewriter->at != close[0])
            rewriter->bad = true;
        else
            rewriter_copy(rewriter, 1);
    } else if (strchr(")]}>", c)) {
        rewriter->bad = true;
    } else {
        rewriter_copy(rewriter, 1);
    }
}

/* Copies the text up to CLOSING, which is not consumed.  If CLOSING is "", copies all
   of it.  Adds the start of each argument to LIST, which may be NULL.  */
static void put_until(struct rewriter *rewriter, const char *closing, struct list *list)
{
    size_t name = rewriter->length;
    rewriter_deeper(rewriter);
    if (list)
        list->from[list->count++] = rewriter->length;
    while (!rewriter->bad && *rewriter->at &&
           !(closing[0] && *rewriter->at == closing[0])) {
        if (list && *rewriter->at == ',') {
            rewriter->at += 1 + strspn(rewriter->at + 1, " ");
            rewriter_put(rewriter, ", ", 2);
            if (list->count < ARGUMENTS_MOST)
                list->from[list->count] = rewriter->length;
            else
                rewriter->bad = true;
            list->count++;
            name = rewriter->length;
        } else if (list && *rewriter->at == ' ' &&
                   rewriter->at[strspn(rewriter->at, " ")] == '>') {
            /* `> >' */
            rewriter->at += strspn(rewriter->at, " ");
        } else {
            put_element(rewriter, &name);
        }
    }
    rewriter->depth--;
}

/* Returns whether NAME may be a C++ name that can be shortened.  */
static bool may_be_shorter(const char *name)
{
    return (strchr(name, '<') && name[0] != '<') || strstr(name, "std::") ||
           strstr(name, "[abi:") || strstr(name, "abi_") || strstr(name, "fmt::v") ||
           strstr(name, "absl::lts_") || text_width(name) > READABLE_WIDEST;
}

char *readable(const char *name, size_t most)
{
    if (!may_be_shorter(name))
        return buf_copy(name);
    struct rewriter rewriter = rewriter_begin(name);
    put_until(&rewriter, "", NULL);
    if (rewriter.bad || *rewriter.at) {
        free(rewriter.text);
        return buf_copy(name);
    }
    if (!most)
        return rewriter.text;
    BUF_OWN char *fewer = cxxname_leave_out(rewriter.text, most);
    char *text = cxxname_middle(fewer, READABLE_WIDEST);
    free(rewriter.text);
    return text;
}

/* Returns the text after `operator' and the operator itself at AT, or NULL if there is
   no operator.  AT must be at the start of a word.  */
static const char *after_operator(const char *at)
{
    bool is_operator = text_begins(at, "operator") && !cxxname_is_word(at[8]);
    return is_operator ? at + cxxname_word(at) : NULL;
}

/* Returns the text after the bracket that closes the bracket at AT, or NULL if none
   closes it.  */
static const char *after_bracket(const char *at)
{
    int depth = 0;
    const char *last = "";
    while (*at) {
        const char *after = cxxname_is_word(*last) ? NULL : after_operator(at);
        last = at;
        if (after) {
            at = after;
            continue;
        }
        /* The > of `->' is not a bracket.  */
        if (strncmp(at, "->", 2) == 0)
            at++;
        else if (strchr("(<[{", *at))
            depth++;
        else if (strchr(")>]}", *at))
            depth--;
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Returns whether the rest of the text can only follow parameters.  */
static bool is_after_parameters(const char *at)
{
    static const char *const words[] = {" const", " volatile", " &&", " &"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return is_after_parameters(at + strlen(words[i]));
    return *at == 0 || strncmp(at, " [clone ", 8) == 0;
}

char *signature_name(const char *demangled)
{
    const char *name = demangled, *end = NULL, *at = demangled;
    bool in_operator = false;
    while (*at && !end) {
        bool begins = at == demangled || !cxxname_is_word(at[-1]);
        const char *after = begins ? after_operator(at) : NULL;
        if (after) {
            /* After `operator', the target type of a conversion may follow.  */
            in_operator = true;
            at = after;
        } else if (*at == ' ') {
            at++;
            if (!in_operator)
                name = at;
        } else if (*at && strchr("(<[{", *at)) {
            const char *closed = after_bracket(at);
            /* The name is malformed, or this is the inner declarator of a function
               that returns a pointer to a function.  */
            if (!closed || (strchr("*&", at[1]) && at == name && *at == '('))
                break;
            if (*at == '(' && at > name && is_after_parameters(closed))
                end = at;
            at = closed;
        } else {
            in_operator = in_operator && strncmp(at, "::", 2) != 0;
            at++;
        }
    }
    return end ? buf_copy_prefix(name, (size_t)(end - name)) : buf_copy(demangled);
}

/* Maximum CPU time of the demangler for one symbol, in microseconds.  GCC 12's
   demangler never ends for some symbols that no compiler creates.  The slowest name of
   a large library takes one fiftieth of this time.  */
#define TIME_MOST 200000

/* After this many timeouts, the demangler is not used any more.  */
#define TIMEOUTS_MOST 5

enum { DONE, TOO_LONG, TOO_SLOW };

/* Defined in libsupc++ (GCC: libiberty/cp-demangle.c).  Like __cxa_demangle, but
   passes the name in pieces to PUT.  Returns a value other than 0 on success.  Nothing
   else from libsupc++ is linked.  */
int __gcclibcxx_demangle_callback(const char *symbol,
                                  void (*put)(const char *piece, size_t size, void *data),
                                  void *data);

/* The name being demangled, and the state to return to if demangling is aborted.  The
   demangler allocates no memory except on its stack.  Therefore longjmp may leave it,
   also from a signal handler.  */
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

static void put(const char *piece, size_t size, void *data)
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

/* Writes the demangled name of SYMBOL, which is not empty, to NAME.  Returns false if
   SYMBOL is not mangled.  The timer may expire at any moment until it is stopped, so
   this function stops it.  */
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
        bool is_mangled = __gcclibcxx_demangle_callback(symbol, put, NULL) == 0;
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
