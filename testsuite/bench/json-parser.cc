// SPDX-License-Identifier: GPL-3.0-or-later
// A recursive-descent parser: a function for each rule of the grammar, on top of a reader
// in functions of a line or two.

#include "json.h"

#include <utility>

namespace json
{
namespace
{

const int DEPTH_MAX = 512;

// What is left of the text.
class Reader
{
    const char *const start, *const end;
    const char *at;

  public:
    explicit Reader(std::string_view text)
        : start(text.data()), end(start + text.size()), at(start)
    {
    }
    bool is_done() const
    {
        return at == end;
    }
    // The next character; 0 at the end, which is none that is allowed anywhere.
    char peek() const
    {
        return is_done() ? '\0' : *at;
    }
    void skip()
    {
        at++;
    }
    char take()
    {
        char c = peek();

        at += !is_done();
        return c;
    }
    bool accept(char c)
    {
        if (peek() != c)
            return false;
        skip();
        return true;
    }
    [[noreturn]] void fail(const char *what) const
    {
        throw Error(what, size_t(at - start));
    }
    void expect(char c, const char *what)
    {
        if (!accept(c))
            fail(what);
    }
};

bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_control(char c)
{
    return static_cast<unsigned char>(c) < ' ';
}

// Counts how deep the parser is in values, however they are left.
class Deeper
{
    int &depth;

  public:
    explicit Deeper(int &depth) : depth(depth)
    {
        depth++;
    }
    ~Deeper()
    {
        depth--;
    }
    Deeper(const Deeper &) = delete;
    Deeper &operator=(const Deeper &) = delete;
};

class Parser
{
    Reader reader;
    int depth = 0;

    char next_token()
    {
        while (is_space(reader.peek()))
            reader.skip();
        return reader.peek();
    }
    bool accept_token(char c)
    {
        return next_token() == c && reader.accept(c);
    }
    void expect_token(char c, const char *what)
    {
        next_token();
        reader.expect(c, what);
    }
    template <class T> T word(const char *letters, T value)
    {
        for (; *letters; letters++)
            reader.expect(*letters, "unknown word");
        return value;
    }
    int digit();
    double number();
    unsigned hexadecimal();
    void escape(std::string &to);
    std::string string();
    Array array();
    Object object();
    Value value();

  public:
    explicit Parser(std::string_view text) : reader(text)
    {
    }
    Value text();
};

int Parser::digit()
{
    if (!is_digit(reader.peek()))
        reader.fail("a digit is missing");
    return reader.take() - '0';
}

double power_of_ten(int exponent)
{
    double result = 1;

    for (; exponent > 0; exponent--)
        result *= 10;
    return result;
}

// Exact as long as digits and power are: that is enough here.
double Parser::number()
{
    bool minus = reader.accept('-');
    double digits = digit(), result;
    int fraction = 0, exponent = 0;

    while (digits > 0 && is_digit(reader.peek()))
        digits = digits * 10 + digit();
    if (reader.accept('.'))
        do {
            digits = digits * 10 + digit();
            fraction++;
        } while (is_digit(reader.peek()));
    if (reader.accept('e') || reader.accept('E')) {
        bool down = reader.accept('-');

        if (!down)
            reader.accept('+');
        do {
            int next = digit();

            exponent = exponent < 1000 ? exponent * 10 + next : exponent;
        } while (is_digit(reader.peek()));
        exponent = down ? -exponent : exponent;
    }
    exponent -= fraction;
    result =
        exponent < 0 ? digits / power_of_ten(-exponent) : digits * power_of_ten(exponent);
    return minus ? -result : result;
}

unsigned Parser::hexadecimal()
{
    unsigned result = 0;

    for (int i = 0; i < 4; i++) {
        char c = reader.peek(), letter = char(c | ' ');

        if (is_digit(c))
            result = result * 16 + unsigned(c - '0');
        else if (letter >= 'a' && letter <= 'f')
            result = result * 16 + unsigned(letter - 'a' + 10);
        else
            reader.fail("four hexadecimal digits are missing");
        reader.skip();
    }
    return result;
}

// As UTF-8; halves of a pair one by one.
void append(std::string &to, unsigned character)
{
    if (character < 0x80) {
        to += char(character);
    } else if (character < 0x800) {
        to += char(0xc0 | character >> 6);
        to += char(0x80 | (character & 0x3f));
    } else {
        to += char(0xe0 | character >> 12);
        to += char(0x80 | (character >> 6 & 0x3f));
        to += char(0x80 | (character & 0x3f));
    }
}

void Parser::escape(std::string &to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";

    if (reader.accept('u')) {
        append(to, hexadecimal());
        return;
    }
    for (int i = 0; names[i]; i++)
        if (reader.accept(names[i])) {
            to += meanings[i];
            return;
        }
    reader.fail("unknown escape");
}

std::string Parser::string()
{
    std::string result;

    reader.expect('"', "a string is missing");
    for (;;) {
        if (reader.accept('"'))
            return result;
        if (reader.accept('\\'))
            escape(result);
        else if (is_control(reader.peek()))
            reader.fail("a string does not end");
        else
            result += reader.take();
    }
}

Array Parser::array()
{
    Array result;

    reader.skip();
    if (accept_token(']'))
        return result;
    do
        result.push_back(value());
    while (accept_token(','));
    expect_token(']', "an array does not end");
    return result;
}

Object Parser::object()
{
    Object result;

    reader.skip();
    if (accept_token('}'))
        return result;
    do {
        next_token();
        Member member{string(), {}};
        expect_token(':', "a colon is missing");
        member.value = value();
        result.push_back(std::move(member));
    } while (accept_token(','));
    expect_token('}', "an object does not end");
    return result;
}

Value Parser::value()
{
    Deeper deeper(depth);

    if (depth > DEPTH_MAX)
        reader.fail("too deep");
    switch (next_token()) {
    case '{':
        return object();
    case '[':
        return array();
    case '"':
        return string();
    case 't':
        return word("true", true);
    case 'f':
        return word("false", false);
    case 'n':
        return word("null", Null());
    default:
        return number();
    }
}

Value Parser::text()
{
    Value result = value();

    next_token();
    if (!reader.is_done())
        reader.fail("there is more than a value");
    return result;
}

} // namespace

Value parse(std::string_view text)
{
    return Parser(text).text();
}

} // namespace json
