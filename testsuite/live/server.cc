// SPDX-License-Identifier: GPL-3.0-or-later
// A server under load, for the tests of ccprof-live. Its functions are inlined; it keeps
// some memory. SIGUSR1 makes it execute its program again.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

struct item {
    unsigned key;
    std::string text;
};

static inline unsigned mix_key(unsigned key)
{
    for (int i = 0; i < 2000; i++)
        key = key * 1103515245 + 12345;
    return key;
}

__attribute__((noinline)) static unsigned handle_request(std::vector<item> &items)
{
    for (item &i : items)
        i.key = mix_key(i.key);
    std::sort(items.begin(), items.end(),
              [](const item &a, const item &b) { return a.key < b.key; });
    return items.front().key;
}

static volatile std::sig_atomic_t again;

static void note_signal(int)
{
    again = 1;
}

int main(int, char **words)
{
    std::vector<item> items(1000);
    volatile unsigned sink;
    std::signal(SIGUSR1, note_signal);
    std::puts("ready");
    std::fflush(stdout);
    while (!again) {
        sink = handle_request(items);
        usleep(5000);
    }
    execv(words[0], words);
    return static_cast<int>(sink);
}
