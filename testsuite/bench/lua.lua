-- SPDX-License-Identifier: GPL-3.0-or-later
-- A second of work for Lua's interpreter: calls, tables, strings, errors. With -e 'scale = N' N times as much.

local scale = scale or 1

local function ack(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ack(m - 1, 1) end
  return ack(m - 1, ack(m, n - 1))
end

local calls = 0
for i = 1, 12 * scale do calls = calls + ack(2, 300 + i % 3) end

local seed = 42
local function random(n)
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return (seed >> 8) % n
end

local total = 0
for _ = 1, math.ceil(5 * scale) do
  local t = {}
  for i = 1, 20000 do t[i] = {key = random(100000), name = "n" .. random(999)} end
  table.sort(t, function(a, b)
    if a.key ~= b.key then return a.key < b.key end
    return a.name < b.name
  end)
  local by = {}
  for _, v in ipairs(t) do by[v.name] = (by[v.name] or 0) + v.key end
  for _, v in pairs(by) do total = (total + v) % 1000003 end
end

local found, failures = 0, 0
for i = 1, 60000 * scale do
  local text = string.format("%x-%d", random(1 << 20), i % 97)
  if text:find("a+%d") then found = found + 1 end
  if not pcall(error, {code = i}) then failures = failures + 1 end
end
print(calls, total, found, failures)
