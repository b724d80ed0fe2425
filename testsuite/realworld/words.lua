-- SPDX-License-Identifier: GPL-3.0-or-later
-- Work for Lua's interpreter: the words of the files named, counted, sorted, and
-- compared with each other.  Prints results that depend on all of it.  With -e 'scale = N'
-- it does N times the work.

local scale = scale or 1

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function count(text, counts)
  for word in text:gmatch("[%a_][%w_]+") do
    word = word:lower()
    counts[word] = (counts[word] or 0) + 1
  end
end

local function ranking(counts)
  local words = {}
  for word in pairs(counts) do words[#words + 1] = word end
  table.sort(words, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  return words
end

-- Levenshtein's distance, row by row.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local corner = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      local best = math.min(row[j] + 1, row[j - 1] + 1, corner + cost)
      corner, row[j] = row[j], best
    end
  end
  return row[#b]
end

-- All pairs of the first N words, by a coroutine.
local function pairs_of(words, n)
  return coroutine.wrap(function()
    for i = 1, n do
      for j = i + 1, n do coroutine.yield(words[i], words[j]) end
    end
  end)
end

-- The words in a binary tree, and its depth.
local function insert(tree, word)
  if not tree then return {word = word} end
  if word < tree.word then tree.left = insert(tree.left, word)
  elseif word > tree.word then tree.right = insert(tree.right, word) end
  return tree
end

local function depth(tree)
  if not tree then return 0 end
  return 1 + math.max(depth(tree.left), depth(tree.right))
end

local counts, bytes, fields = {}, 0, 0
for _ = 1, math.ceil(16 * scale) do
  for _, path in ipairs(arg) do
    local text = read(path)
    bytes = bytes + #text
    count(text, counts)
    local _, n = text:gsub("(%d+)%s*([,;)])", "%2%1")
    fields = fields + n
  end
end

local words = ranking(counts)
local near = 0
for a, b in pairs_of(words, math.min(#words, 700 * scale // 1)) do
  if distance(a, b) <= 2 then near = near + 1 end
end

local tree
for i = #words, 1, -1 do tree = insert(tree, words[i]) end
local failures = 0
for i = 1, 300000 * scale do
  if not pcall(error, {code = i}) then failures = failures + 1 end
end
print(string.format("%d bytes, %d words, %d numbers, %d close pairs, depth %d, %d errors",
  bytes, #words, fields, near, depth(tree), failures))
print("most frequent: " .. table.concat(words, " ", 1, 8))
