/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/names/signature.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/text.h"

#include <stdbool.h>
#include <string.h>

/* The text behind `operator' and the operator, at AT, the first letter of a word; NULL:
   there is no operator.  */
static const char *behind_operator(const char *at)
{
    bool is_operator = text_begins(at, "operator") && !cxxname_is_word(at[8]);
    return is_operator ? at + cxxname_word(at) : NULL;
}

/* The text behind the bracket that closes the bracket at AT; NULL: there is none.  */
static const char *behind_bracket(const char *at)
{
    int depth = 0;
    const char *last = "";
    while (*at) {
        const char *behind = cxxname_is_word(*last) ? NULL : behind_operator(at);
        last = at;
        if (behind) {
            at = behind;
            continue;
        }
        /* The > of `->' is no bracket.  */
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

/* Whether only text follows that may stand behind parameters.  */
static bool is_behind_parameters(const char *at)
{
    static const char *const words[] = {" const", " volatile", " &&", " &"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return is_behind_parameters(at + strlen(words[i]));
    return *at == 0 || strncmp(at, " [clone ", 8) == 0;
}

char *signature_name(const char *demangled)
{
    const char *name = demangled, *end = NULL, *at = demangled;
    bool in_operator = false;
    while (*at && !end) {
        bool begins = at == demangled || !cxxname_is_word(at[-1]);
        const char *behind = begins ? behind_operator(at) : NULL;
        if (behind) {
            /* The type of a conversion may follow.  */
            in_operator = true;
            at = behind;
        } else if (*at == ' ') {
            at++;
            if (!in_operator)
                name = at;
        } else if (*at && strchr("(<[{", *at)) {
            const char *closed = behind_bracket(at);
            /* The name is malformed, or this is the inner declarator of a function that
               returns a pointer to a function.  */
            if (!closed || (strchr("*&", at[1]) && at == name && *at == '('))
                break;
            if (*at == '(' && at > name && is_behind_parameters(closed))
                end = at;
            at = closed;
        } else {
            in_operator = in_operator && strncmp(at, "::", 2) != 0;
            at++;
        }
    }
    return end ? buf_copy_prefix(name, (size_t)(end - name)) : buf_copy(demangled);
}
