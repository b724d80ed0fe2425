// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON text as a value.

#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace json
{

struct Value;
struct Member;

using Null = std::monostate;
using Array = std::vector<Value>;
using Object = std::vector<Member>; // in the order of the text

struct Value : std::variant<Null, bool, double, std::string, Array, Object> {
    using variant::variant;
};

struct Member {
    std::string name;
    Value value;
};

// The text is no JSON.
class Error : public std::runtime_error
{
  public:
    // Of the first character with which no JSON text goes on as this one does; of the
    // text's end, if only there is more to come.
    const size_t offset;

    Error(const char *what, size_t offset) : std::runtime_error(what), offset(offset)
    {
    }
};

// Throws an Error.
Value parse(std::string_view text);

} // namespace json

#endif
