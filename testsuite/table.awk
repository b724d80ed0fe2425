# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the tables of mlprof, as its users see them, for table.sh: a line `NAME CELL...' for each row, with
# the cells under -v heads='HEAD|HEAD...'. With -v of=NAME their sum in the rows of that name, instead.
#
# A table begins at the line that has these heads and ends at an empty line. Its last column has the names.
# The head TITLE is that of the line above.

# Finds the columns from the line of headings. Numbers end where their headings end, texts begin where their
# headings begin. A heading that occurs again belongs to the values on the stack.
function find_columns(line,    at, head) {
    split("", column)
    for (count = at = 0; match(substr(line, at + 1), /[^ ]+( [^ ]+)*/); at = ends[count]) {
        head = substr(line, at + RSTART, RLENGTH)
        begins[++count] = at + RSTART
        ends[count] = at + RSTART + RLENGTH - 1
        is_text[count] = head ~ /^(allocator|called|type)$/
        if (head in column)
            head = "total " head
        column[head] = count
    }
    # The column of names.
    delete column[head]
}

function has_all(    i) {
    for (i = 1; i <= wanted; i++)
        if (want[i] != "TITLE" && !(want[i] in column))
            return 0
    return count > 1
}

# Returns the text of a cell; a number without formatting, for example 1234.5 for 1,234.5 and ~1234.5%.
function cell(c,    text) {
    text = is_text[c] ? substr($0, begins[c], begins[c + 1] - begins[c]) \
                      : substr($0, ends[c - 1] + 1, ends[c] - ends[c - 1])
    gsub(/^ +| +$/, "", text)
    if (text ~ /^~?[0-9,]+\.[0-9]+%$/)
        gsub(/[~%]/, "", text)
    if (text ~ /^~?[0-9,.]+$/)
        gsub(/,/, "", text)
    return text
}

BEGIN {
    wanted = split(heads, want, "|")
    ends[0] = 0
}
$0 == "" {
    inside = 0
    next
}
!inside {
    find_columns($0)
    inside = has_all()
    found += inside
    if (!inside)
        title = $0
    next
}
of != "" {
    if (substr($0, begins[count]) == of)
        sum += cell(column[want[1]])
    next
}
{
    line = substr($0, begins[count])
    for (i = 1; i <= wanted; i++)
        line = line " " (want[i] == "TITLE" ? title : cell(column[want[i]]))
    print line
}
END {
    if (!found) {
        print "no table with the heads " heads
        print "no table with the heads " heads | "cat 1>&2"
        exit 1
    }
    if (of != "")
        print sum + 0
}
