// SPDX-License-Identifier: GPL-3.0-or-later
// Templates of templates, many small functions that are inlined in each other: counts the
// words of a text by a regular expression.

#include <iostream>
#include <regex>
#include <string>
#include <map>
int main(int argc, char **argv)
{
    std::regex word("([a-z]+)([0-9]*)");
    std::string text;
    for (int i = 0; i < 200; i++)
        text += "abc" + std::to_string(i) + " ";
    std::map<std::string, int> m;
    for (std::sregex_iterator i(text.begin(), text.end(), word), e; i != e; ++i)
        m[(*i)[1].str()]++;
    for (auto &p : m)
        std::cout << p.first << ' ' << p.second << '\n';
}
