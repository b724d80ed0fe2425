// SPDX-License-Identifier: GPL-3.0-or-later
// A server that forgets: it answers requests of sessions, and what it keeps for a session
// in an index is never taken out. For the page's pictures, too.

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace server
{

struct Session {
    int number;
    std::string user;
    std::vector<std::string> answers;
};

// Its entries stay when their session has gone.
class Index
{
    std::map<std::string, std::vector<int>> words;

  public:
    __attribute__((noinline)) void add(const std::string &word, int session)
    {
        words[word].push_back(session);
    }
    size_t size() const
    {
        return words.size();
    }
};

static Index index;

__attribute__((noinline)) static std::string render(int request)
{
    std::string text = "<p>request ";
    for (int i = 0; i < 40; i++)
        text += std::to_string(request + i) + ", ";
    return text + "</p>";
}

static char *volatile last;

__attribute__((noinline)) static void remember(const std::string &text)
{
    last = new char[64 + text.size() / 8]; // nobody has the one before now
    last[0] = text[0];
}

__attribute__((noinline)) static void answer(Session &session, int request)
{
    session.answers.push_back(render(request));
    if (request % 7 == 0)
        remember(session.answers.back());
    index.add("user " + std::to_string(request % 900) + " asked for something",
              session.number);
}

__attribute__((noinline)) static size_t serve(int number)
{
    auto session = std::make_unique<Session>();
    size_t sum = 0;
    session->number = number;
    session->user = "somebody with a name that is long, number " + std::to_string(number);
    for (int i = 0; i < 60; i++)
        answer(*session, number * 60 + i);
    for (const auto &text : session->answers)
        sum += text.size();
    return sum;
}

} // namespace server

int main(int argc, char **argv)
{
    const int sessions = argc > 1 ? std::stoi(argv[1]) : 200;
    size_t sum = 0;
    for (int i = 0; i < sessions; i++)
        sum += server::serve(i);
    std::printf("%zu %zu\n", sum, server::index.size());
    std::fflush(stdout);
    std::_Exit(0);
}
