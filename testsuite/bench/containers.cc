// SPDX-License-Identifier: GPL-3.0-or-later
// Words and what is near them, in the containers of C++'s library: small blocks of many
// types, allocated where templates are inlined.

#include "random.h"

#include <cstdio>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace
{

struct Word {
    std::string text;
    std::vector<int> places;
    std::list<std::shared_ptr<Word>> near;
};

using Words = std::map<std::string, std::shared_ptr<Word>>;

std::string spell(Random &random)
{
    std::string text = "a word that is long: ";
    for (unsigned i = random.below(3) + 1; i > 0; i--)
        text += static_cast<char>('a' + random.below(26));
    return text;
}

std::shared_ptr<Word> find(Words &words, const std::string &text)
{
    auto &word = words[text];
    if (!word) {
        word = std::make_shared<Word>();
        word->text = text;
    }
    return word;
}

// A text of LENGTH words; returns how many pairs are near each other often.
long read(Random &random, int length)
{
    Words words;
    std::unordered_map<std::string, long> pairs;
    std::shared_ptr<Word> last;
    long often = 0;

    for (int i = 0; i < length; i++) {
        auto word = find(words, spell(random));
        word->places.push_back(i);
        if (last) {
            word->near.push_back(last);
            if (++pairs[last->text.substr(21) + " " + word->text.substr(21)] == 2)
                often++;
        }
        last = word;
    }
    // They own each other.
    for (auto &entry : words)
        entry.second->near.clear();
    return often;
}

} // namespace

int main()
{
    Random random(7);
    long sum = 0;

    for (int i = 0; i < 20; i++)
        sum += read(random, 30000);
    std::printf("%ld\n", sum);
    return 0;
}
