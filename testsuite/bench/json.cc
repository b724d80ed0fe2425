// SPDX-License-Identifier: GPL-3.0-or-later
// JSON texts, parsed: who writes them keeps a tally of what they hold, with which that of
// the parsed value must agree.  Some texts are made wrong where that is known, and the
// parser must throw an exception for that place.

#include "json.h"
#include "random.h"
#include "units.h"

#include <stdint.h>

namespace
{

// What is in a text.  The numbers are multiples of 1/8 and small: their sum is exact.
struct Tally {
    long nulls = 0, truths = 0, numbers = 0, strings = 0, arrays = 0, objects = 0;
    long bytes = 0; // of strings and names, decoded
    double sum = 0;

    bool operator==(const Tally &other) const
    {
        return nulls == other.nulls && truths == other.truths &&
               numbers == other.numbers && strings == other.strings &&
               arrays == other.arrays && objects == other.objects &&
               bytes == other.bytes && sum == other.sum;
    }
};

class Writer
{
    Random &random;
    std::string text;
    Tally tally;

    void space()
    {
        static const char *const spaces[] = {"", "", " ", "\n\t"};

        text += spaces[random.below(4)];
    }
    void number();
    void string();
    void value(int depth);
    void object(int depth);
    void scalar();

  public:
    explicit Writer(Random &random) : random(random)
    {
    }
    void array(int depth);
    const std::string &written() const
    {
        return text;
    }
    const Tally &what() const
    {
        return tally;
    }
};

void Writer::number()
{
    static const struct {
        const char *text;
        double value;
    } ends[] = {{"", 0},       {".5", 0.5},       {".125", 0.125},
                {".75", 0.75}, {".2500e0", 0.25}, {".0E-0", 0}};
    unsigned whole = random.below(2) ? random.below(10) : random.below(100000);
    unsigned end = random.below(sizeof ends / sizeof *ends);
    bool minus = random.below(4) == 0;
    double value = whole + ends[end].value;

    text += minus ? "-" : "";
    text += std::to_string(whole);
    text += ends[end].text;
    tally.numbers++;
    tally.sum += minus ? -value : value;
}

void Writer::string()
{
    static const struct {
        const char *text;
        long bytes;
    } escapes[] = {{"\\n", 1},     {"\\\"", 1},    {"\\\\", 1},    {"\\u0041", 1},
                   {"\\u00E9", 2}, {"\\u20ac", 3}, {"\303\274", 2}};

    text += '"';
    for (unsigned left = random.below(16); left > 0; left--) {
        if (random.below(16) > 0) {
            text += char('a' + random.below(26));
            tally.bytes++;
            continue;
        }
        const auto &escape = escapes[random.below(sizeof escapes / sizeof *escapes)];
        text += escape.text;
        tally.bytes += escape.bytes;
    }
    text += '"';
}

void Writer::array(int depth)
{
    text += '[';
    for (unsigned i = 0, size = random.below(8); i < size; i++) {
        text += i > 0 ? "," : "";
        value(depth);
    }
    space();
    text += ']';
    tally.arrays++;
}

void Writer::object(int depth)
{
    text += '{';
    for (unsigned i = 0, size = 2 + random.below(5); i < size; i++) {
        text += i > 0 ? "," : "";
        space();
        string();
        space();
        text += ':';
        value(depth);
    }
    space();
    text += '}';
    tally.objects++;
}

void Writer::scalar()
{
    switch (random.below(8)) {
    case 0:
        text += "null";
        tally.nulls++;
        break;
    case 1:
        text += "true";
        tally.truths++;
        break;
    case 2:
        text += "false";
        break;
    case 3:
    case 4:
    case 5:
        number();
        break;
    default:
        string();
        tally.strings++;
        break;
    }
}

// At most DEPTH more inside of each other.
void Writer::value(int depth)
{
    unsigned what = depth > 0 ? random.below(8) : 7;

    space();
    if (what < 3)
        array(depth - 1);
    else if (what < 5)
        object(depth - 1);
    else
        scalar();
}

void add(Tally &to, const json::Value &value);

struct Adder {
    Tally &to;

    void operator()(json::Null) const
    {
        to.nulls++;
    }
    void operator()(bool truth) const
    {
        to.truths += truth;
    }
    void operator()(double number) const
    {
        to.numbers++;
        to.sum += number;
    }
    void operator()(const std::string &string) const
    {
        to.strings++;
        to.bytes += long(string.size());
    }
    void operator()(const json::Array &array) const
    {
        to.arrays++;
        for (const json::Value &value : array)
            add(to, value);
    }
    void operator()(const json::Object &object) const
    {
        to.objects++;
        for (const json::Member &member : object) {
            to.bytes += long(member.name.size());
            add(to, member.value);
        }
    }
};

void add(Tally &to, const json::Value &value)
{
    std::visit(Adder{to}, value);
}

bool is_right(const Writer &writer)
{
    Tally tally;

    add(tally, json::parse(writer.written()));
    return tally == writer.what();
}

// A control character is allowed nowhere, and behind a text that lacks its last
// character, a bracket, there must be more.
bool is_wrong_at(std::string text, size_t offset)
{
    if (offset == text.size() - 1)
        text.pop_back();
    else
        text[offset] = '\1';
    try {
        json::parse(text);
    } catch (const json::Error &error) {
        return error.offset == offset;
    }
    return false;
}

} // namespace

int unit_is_right(int number)
{
    Random random(uint32_t(number + 1) * 2654435761u);

    for (int i = 0; i < 90; i++) {
        Writer writer(random);

        writer.array(6);
        for (int j = 0; j < 10; j++)
            if (!is_right(writer))
                return false;
        for (int j = 0; j < 3; j++) {
            size_t offset = random.below(unsigned(writer.written().size()));

            if (!is_wrong_at(writer.written(), offset))
                return false;
        }
    }
    return true;
}
