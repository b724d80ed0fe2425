-- SPDX-License-Identifier: GPL-3.0-or-later
-- Work for Lua's interpreter: calls, tables, strings, closures, errors, coroutines,
-- metatables, sorting. Prints a checksum. No table has addresses as keys.
-- lua lua.lua [ROUNDS]

local function queens(n)
    local found, columns, up, down = 0, {}, {}, {}
    local function place(row)
        if row > n then
            found = found + 1
            return
        end
        for c = 1, n do
            if not (columns[c] or up[row + c] or down[row - c + n]) then
                columns[c], up[row + c], down[row - c + n] = true, true, true
                place(row + 1)
                columns[c], up[row + c], down[row - c + n] = nil, nil, nil
            end
        end
    end
    place(1)
    return found
end

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Point) end
Point.__eq = function(a, b) return a.x == b.x and a.y == b.y end

local function points(n)
    local sum = setmetatable({x = 0, y = 0}, Point)
    for i = 1, n do sum = sum + setmetatable({x = i, y = -i / 2}, Point) end
    return sum.x + sum.y
end

local function words(n)
    local count, list = {}, {}
    for i = 1, n do
        local text = string.format("word %d and %x", i % 97, i * 7 % 31)
        for word in text:gmatch("%w+") do count[word] = (count[word] or 0) + 1 end
    end
    for word, times in pairs(count) do list[#list + 1] = word .. "=" .. times end
    table.sort(list)
    return #table.concat(list, ",")
end

local function errors(n)
    local caught = 0
    for i = 1, n do
        local ok, message = pcall(function()
            if i % 3 == 0 then error({code = i}) end
            if i % 3 == 1 then local t = nil; return t.x end
            return i
        end)
        if not ok then caught = caught + (type(message) == "table" and message.code or 1) end
    end
    return caught
end

local function generators(n)
    local function numbers(limit)
        return coroutine.wrap(function() for i = 1, limit do coroutine.yield(i * i % 1009) end end)
    end
    local sum = 0
    for value in numbers(n) do sum = sum + value end
    return sum
end

local function sieve(n)
    local composite, found = {}, 0
    for i = 2, n do
        if not composite[i] then
            found = found + 1
            for j = i * i, n, i do composite[j] = true end
        end
    end
    return found
end

local sum = 0
for round = 1, tonumber(arg[1]) or 15 do
    sum = sum + queens(7) + points(40000) + words(6000) + errors(8000) + generators(30000) + sieve(60000) + round
end
print(sum)
