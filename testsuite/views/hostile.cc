/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that can have a name in a profile has one of its own here, of letters that
   hostile-patch.py replaces: EVIL, a word, and x up to a length. FILL is those letters. */

#include <ccprof.h>
#include <cstdlib>
#include <pthread.h>
#define JOIN_(word, fill) EVIL_##word##_##fill
#define JOIN(word, fill)  JOIN_(word, fill)
#define NAME(word)        JOIN(word, FILL)
#define TEXT_(name)       #name
#define TEXT(name)        TEXT_(name)
#define EVIL(word)        TEXT(EVIL_##word##_) TEXT(FILL)

volatile unsigned sum;
void *volatile kept;

struct NAME(type) {
    unsigned member;
};

namespace
{
struct NAME(local) {
    unsigned member;
};
} // namespace

static inline unsigned NAME(inlined)(unsigned x)
{
    for (unsigned i = 0; i < 300; i++)
        sum += x ^ i;
    return sum;
}

#line 40 EVIL_FILE
__attribute__((noipa)) unsigned NAME(outer)(unsigned x)
{
    {
        CCPROF_STOPWATCH(EVIL(region));
        for (unsigned i = 0; i < x; i++)
            if (NAME(inlined)(i) == 7 || x > 90)
                sum += 1;
    }
    kept = malloc(24 + x);
    free(kept);
    kept = new struct NAME(type)[7];
    delete[](struct NAME(type) *) kept;
    return x ? NAME(outer)(x / 2) : 1;
}

template <class T> __attribute__((noipa)) unsigned NAME(template)(T *value)
{
    kept = new T;
    return value->member += NAME(outer)(value->member);
}

#line 1 "program.cc"
static void *NAME(thread)(void *)
{
    pthread_setname_np(pthread_self(), "EVIL_thr_xxxxxx");
    struct NAME(type) value = {3};
    struct NAME(local) other = {20};
    CCPROF_LABEL(EVIL(label));
    unsigned (*volatile call)(NAME(local) *) = NAME(template)<NAME(local)>;
    for (int i = 0; i < 300; i++) {
        NAME(template)(&value);
        call(&other);
        value.member = other.member = 3 + i % 20;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, NAME(thread), NULL);
    pthread_join(thread, NULL);
    NAME(thread)(NULL);
    return 0;
}
