# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what mlprof's help tells of a table's columns with the schema of JSON and with a manual page:
columns.py HELP SCHEMA TABLE,TABLE PAGE. Each column in data has its name and its description in the schema,
those of a table in the order of the help; each head of a terminal stands in bold on the page."""

import json
import re
import sys

HEAD, NAME, MEANS = slice(6, 16), slice(16, 34), slice(34, None)


def columns_of(text):
    """By table in data, or None, what the help has of it: heads, names in data and meanings."""
    sections = {}
    for line in text.splitlines():
        heading = re.match(r'    columns(?: of (\w+))?\b', line)
        if heading:
            found = sections[heading.group(1)] = []
        elif not sections:
            continue
        elif line[HEAD].strip() or line[NAME].strip():
            found.append([line[HEAD].strip(), line[NAME].strip(), line[MEANS]])
        else:
            found[-1][2] += ' ' + line[MEANS]
    return sections


def bold_in(text):
    """The words in bold of a manual page."""
    text = text.replace('\\-', '-').replace('\\(aq', "'")
    words = set(re.findall(r'\\fB(.*?)\\f', text))
    for line in re.findall(r'^\.B[RI]? (.*)', text, re.M):
        words |= {line.strip(' "')} | set(re.split(r'[ ,"]+', line))
    return words


def main():
    told, schema, tables, page = sys.argv[1:]
    sections = columns_of(open(told).read())
    columns = [column for section in sections.values() for column in section]
    whole = json.load(open(schema))
    properties = dict(whole['properties'])
    for case in whole.get('oneOf', []):
        properties.update(case['properties'])
    wrong = []
    if not columns:
        wrong.append('the help tells of no column')
    seen = set()
    for table in filter(None, tables.split(',')):
        described = {name: of.get('description') for name, of in properties[table]['items']['properties'].items()}
        section = sections.get(table, sections.get(None, []))
        means = {name: text for _, name, text in section if name in described}
        if list(described) != list(means):
            wrong.append('%s: %s in the schema, %s in the help' % (table, list(described), list(means)))
        for name, text in means.items():
            if described[name] != text:
                wrong.append('%s, %s: %r in the schema, %r in the help' % (table, name, described[name], text))
        seen |= set(described)
    wrong += ['no schema has %s' % name for _, name, _ in columns if name and name not in seen]
    bold = bold_in(open(page).read())
    wrong += ['%s says nothing of %s' % (page.rsplit('/', 1)[1], head) for head, _, _ in columns if head and head not in bold]
    for fault in wrong:
        print(fault)
    sys.exit(bool(wrong))


main()
