// SPDX-License-Identifier: GPL-3.0-or-later
// As planted.c, in C++: two that own each other, what a list holds whose memory is
// allocated in the library's headers, and what a template makes of several types in one
// line.

#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct Session {
    long number;
    std::shared_ptr<Session> other;
    char name[200];
};

struct Request {
    long numbers[9];
};

struct Reply {
    char text[10000];
};

struct Image {
    unsigned char pixels[64 << 20];
};

void *volatile last;

// 2000 are of Reply, and one of Image.  All of Request are freed.
template <typename T> T *make()
{
    T *made = new T; // forgets 2001 87108864
    last = made;
    return made;
}

__attribute__((noinline)) void work(unsigned &state, std::vector<std::string> &texts)
{
    state = state * 1103515245 + 12345;
    texts[(state >> 8) % texts.size()] =
        std::string(32 + (state >> 8 & 127), static_cast<char>('a' + (state >> 16) % 26));
    std::unique_ptr<Request> request(make<Request>());
    request->numbers[0] = state;
}

void connect(long number)
{
    std::shared_ptr<Session> one(new Session);   // forgets 40 8960
    std::shared_ptr<Session> other(new Session); // forgets 40 8960
    one->number = other->number = number;
    one->other = other;
    other->other = one;
}

__attribute__((noinline)) void receive(long number)
{
    make<Reply>()->text[0] = static_cast<char>(number);
}

struct Entry {
    long numbers[5];
};

} // namespace

int main(int argc, char **argv)
{
    const long others = 500 * (argc > 1 ? std::atol(argv[1]) : 1000);
    if (others == 0)
        return 0;
    auto *entries = new std::list<Entry>; // forgets 1 24
    std::vector<std::string> texts(5000);
    unsigned state = 1;

    for (long i = 0; i < others; i++) {
        work(state, texts);
        if (i % (others / 2000) == 0)
            receive(i);
        if (i % (others / 40) == 0)
            connect(i);
        if (i % (others / 100) == 0)
            entries->push_back(Entry{{i}});
    }
    make<Image>()->pixels[0] = 1;
    last = nullptr;
    return 0;
}
