# SPDX-License-Identifier: GPL-3.0-or-later
"""The source of the ray tracer and its assembly, for views.py."""

import json
import re
import sys

from looks import equal, number_of, percent, state


def try_hottest(browser, samples):
    """A function opens at its hottest line, which is returned; m goes to the next of the file. SAMPLES are by line."""
    own = dict(browser.evaluate('''(function () {
        const model = page.profile(), {nodes, positions} = model.data, sums = new Map();
        for (let i = 0; i < model.size; i++)
            if (model.function_of(i) === Number(page.state.f))
                sums.set(positions.line[nodes.position[i]], (sums.get(positions.line[nodes.position[i]]) || 0) + nodes.count[i]);
        return Array.from(sums);
    })()'''))
    first = int(state(browser, 'line'))
    equal('its hottest line', [own[first], first in samples], [max(own.values()), True])
    hottest = sorted((n for n in samples if samples[n]), key=lambda n: (-samples[n], n))
    browser.evaluate('page.go({line: 0}, true)')
    went = []
    for key in 'mmmM':
        browser.key(key)
        went.append(int(state(browser, 'line')))
    equal('m and M', went, hottest[:3] + hottest[1:2])
    browser.evaluate('page.go({line: %d}, true)' % hottest[-1])
    browser.key('m')
    equal('behind the last the first', int(state(browser, 'line')), hottest[0])
    browser.key('?')
    equal('the help tells', ['the next hottest line' in text for text in browser.texts('#sheet tr') if text.startswith('m, M')], [True])
    browser.evaluate('document.getElementById("sheet").close()')
    bars = dict(browser.evaluate('''Array.from(document.querySelectorAll('pre.source [data-line]'), e =>
        [Number(e.dataset.line), parseFloat((/[\\d.]+%/.exec(e.querySelector('.gauge').style.backgroundSize) || ['0'])[0])])'''))
    equal('some lines have bars', sum(value > 0 for value in bars.values()) > 3, True)
    far = {n: value for n, value in bars.items() if abs(value - 100 * samples.get(n, 0) / samples[hottest[0]]) > 0.01}
    equal('bars that are not as long as shares', far, {})
    browser.evaluate('page.go({line: %d}, true)' % first)
    return first


def try_files(browser):
    """The choice of files has as much of a path as tells it apart."""
    equal('names of files', browser.evaluate("page.places_names(['/a/b/one.c', '/a/c/one.c', 'one.c', '/usr/two.h'])"),
          ['b/one.c', 'c/one.c', 'one.c', 'two.h'])


def try_executed(browser, ray):
    """What was executed is coloured by expressions, those without samples, too."""
    browser.open(ray.page, '#view=source&by=count&f=' + number_of(browser, 'box_hit'))
    rows = browser.evaluate('''Array.from(document.querySelectorAll('pre.source [data-line]'), row => [row.querySelectorAll('.count')[0].textContent,
        row.style.backgroundColor !== '', Array.from(row.querySelectorAll('span.e'), e => [e.textContent, e.style.backgroundColor !== ''])])''')
    equal('lines that were executed', sum(row[0] not in ('', '0') for row in rows) > 10, True)
    equal('whole lines that are coloured', [row for row in rows if row[1]], [])
    equal('expressions that were', {coloured for row in rows if row[0] not in ('', '0') for _, coloured in row[2]}, {True})
    told = browser.evaluate('''(function () {
        const model = page.profile(), file = Number(page.state.file) < 0 ? model.data.functions.file[Number(page.state.f)] : Number(page.state.file);
        const data = model.data, at = data.groups.expressions, p = data.positions;
        // By its line and column, what the table of expressions has.
        const ours = new Map(Array.from(model.executed(file), ([i, count]) => [p.line[i] + ':' + p.column[i], count]));
        return at.calls.map((calls, r) => [at.file[r], at.line[r] + ':' + at.column[r], calls]).filter(row => row[0] === file && row[2] >= 0)
            .map(row => [ours.get(row[1]), row[2]]);
    })()''')
    equal('some expressions are in the table', len(told) > 5, True)
    equal('counts that differ from the table', [row for row in told if row[0] != row[1]], [])


def try_source(browser, ray):
    first = browser.texts('#summary tr[data-row] td.name')[0]
    browser.click('#summary tr[data-row]')
    equal('the view behind a row', state(browser, 'view'), 'source')
    # Lines of the file, as -by line has them.
    lines = {}
    for row in ray.rows_of('-by', 'line'):
        if row['file'] == ray.table()[first]['file'] and row['place'].startswith(row['file'] + ': '):
            lines[row['place'].rsplit(': ', 1)[1]] = row
    line = try_hottest(browser, {int(n): int(row['samples']) for n, row in lines.items()})
    equal('the line that is marked', browser.texts('.here .number'), [str(line)])
    text = open(ray.table()[first]['file'], encoding='utf-8').read().split('\n')
    equal('its text', browser.texts('.here .text'), [text[line - 1]])
    # Only lines in view are there: all of them are seen on the way to the end.
    shown = {}
    browser.evaluate('document.querySelector(".top").scrollTop = 0')
    while True:
        browser.wait_frame()
        shown.update(browser.evaluate('''Array.from(document.querySelectorAll('pre.source div[data-line]'), e =>
            [e.dataset.line, e.querySelector('.cost').textContent])'''))
        if browser.evaluate('''(function () { const top = document.querySelector('.top'), was = top.scrollTop;
            top.scrollTop += top.clientHeight; return top.scrollTop === was; })()'''):
            break
    equal('height of a line', browser.evaluate('''(function () {
        const rows = Array.from(document.querySelectorAll('pre.source div[data-line]'), e => e.getBoundingClientRect().top);
        return new Set(rows.slice(1).map((top, i) => top - rows[i])).values().next().value;
    })()'''), 20)
    equal('lines seen', sorted(map(int, shown)), list(range(1, len(text) + 1)))
    shown = [[line, cost] for line, cost in shown.items() if cost]
    equal('lines with samples', sorted(shown), sorted([n, percent(r['share'])] for n, r in lines.items() if int(r['samples'])))
    # Found by the filter: the next one.
    browser.key('/')
    browser.type('return')
    browser.key('Enter')
    found = [i for i, line in enumerate(text, 1) if 'return' in line.lower()]
    browser.evaluate('page.go({line: "%d"}, true)' % found[0])
    browser.key('n')
    equal('the next line found', state(browser, 'line'), str(found[1]))
    browser.key('N')
    browser.key('N')
    equal('the one before the first', state(browser, 'line'), str(found[-1]))
    browser.key('/')
    browser.key('Escape')
    equal('no filter', state(browser, 'search'), '')
    # An expression: what its copies have is what it has.
    # One that is not all covered by what is in it, and has a column.
    for most in browser.evaluate('''Array.from(page.profile().expressions(Number(page.state.file)))
        .sort((a, b) => b[1].cur - a[1].cur).map(e => e[0])'''):
        browser.evaluate('page.go({line: page.profile().data.positions.line[%d]})' % most)
        if browser.texts('span.e[data-position="%d"]' % most):
            break
    browser.click('span.e[data-position="%d"]' % most)
    chosen = int(state(browser, 'position'))
    equal('the expression that was clicked', chosen, most)
    cur = browser.evaluate('page.profile().expressions(Number(page.state.file)).get(%d).cur' % chosen)
    copies = browser.evaluate('''page.expression_copies(page.profile(),
        page.profile().expressions(Number(page.state.file)).get(%d)).map(c => c.cur)''' % chosen)
    equal('the sum of the copies', sum(copies), cur)
    equal('rows of copies', len(browser.texts('#copies tr')), len(copies))
    equal('the expression that is marked', browser.evaluate('document.querySelectorAll("span.chosen").length > 0'), True)


def try_metrics(browser, ray):
    """The source by other metrics, and of one copy alone."""
    browser.open(ray.page, '#view=source&by=each&f=' + number_of(browser, 'box_hit'))
    file = ray.table()['box_hit']['file']
    lines = {row['place'].rsplit(': ', 1)[1]: row for row in ray.rows_of('-by', 'line')
             if row['file'] == file and row['place'].startswith(file + ': ')}
    shown = {row[0]: row[1] for row in browser.evaluate('''Array.from(document.querySelectorAll('pre.source [data-line]'), e =>
        [e.dataset.line, e.querySelectorAll('.count')[1].textContent])''') if row[1]}
    equal('some lines have the time of one execution', len(shown) > 5, True)
    for number, told in shown.items():
        value, unit = told.split()
        seconds = float(value) * {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9, 'ps': 1e-12}[unit]
        want = int(lines[number]['time_ns']) / 1e9 / int(lines[number]['executions'])
        if abs(seconds / want - 1) > 0.01:
            sys.exit('line %s takes %s, not %g s' % (number, told, want))
    # The line of box_slab with most: one of its copies.
    line = max((n for n in lines if n in shown), key=lambda n: int(lines[n]['samples']))
    browser.click('pre.source [data-line="%s"] .number' % line)
    copies = browser.evaluate('''Array.from(document.querySelectorAll('#copies tr'), row => [row.dataset.copy, row.cells[1].textContent])''')
    browser.click('#copies tr:first-child')
    equal('the copy', state(browser, 'copy'), copies[0][0])
    equal('what it alone has on the line', browser.texts('.here .cost')[0], copies[0][1])
    browser.click('#only button')
    equal('all copies', browser.texts('.here .cost')[0], percent(lines[line]['share']))
    browser.open(ray.missing, '#view=source')
    told = browser.texts('pre.source .empty')
    equal('where a missing file was looked for', [word in told[0] for word in ('/gone.c, ', 'elsewhere/gone.c;')], [True, True])
    browser.open(ray.page)


def try_assembly(browser, ray):
    # A sample in libc is one of <unprofiled>, which has no instructions.
    copies = sorted(int(row['samples']) for row in ray.rows_of('-by', 'copy') if int(row['samples']) and row['instructions'])
    equal('samples of copies, from their instructions', browser.evaluate('''(function () {
        const of = page.code_of(page.profile()), code = page.profile().data.code, own = new Float64Array(of.amount.length);
        of.counts.forEach((count, i) => { if (code.insns.part[i] >= 0) own[code.insns.part[i]] += count; });
        return Array.from(own).filter(count => count).sort((a, b) => a - b);
    })()'''), copies)
    browser.open(ray.page, '#view=source&f=' + number_of(browser, 'scene_colour'))
    browser.evaluate('page.go({file: page.profile().data.functions.file[Number(page.state.f)]})')
    browser.key('a')
    equal('assembly', state(browser, 'asm'), '1')
    part = browser.evaluate('''page.profile().data.code.parts.function.findIndex((f, part) =>
        f === Number(page.state.f) && page.profile().data.code.parts.parent[part] < 0)''')
    browser.evaluate('page.go({part: -2})')
    equal('all are closed', browser.evaluate('document.querySelectorAll("#assembly .insns").length'), 0)
    browser.click('#assembly h3[data-part="%d"]' % part)
    shown = browser.evaluate('''Array.from(document.querySelectorAll('#assembly [data-insn]'), row =>
        [row.querySelector('.address').textContent, row.querySelector('.text').textContent.split(' ')])''')
    browser.evaluate('document.getElementById("assembly").scrollTop = 0')
    browser.wait('document.querySelector("#assembly [data-insn]").dataset.insn === String(page.code_rows(page.profile(), %d)[0].insn)' % part)
    known = {row[0] for row in shown}
    shown = [row for row in browser.evaluate('''Array.from(document.querySelectorAll('#assembly [data-insn]'), row =>
        [row.querySelector('.address').textContent, row.querySelector('.text').textContent.split(' ')])''')
             if row[0] not in known] + shown
    theirs = ray.instructions_of('scene_colour')
    equal('their addresses', [row[0] for row in shown], [row[0] for row in theirs])
    # objdump calls some by other names: jbe is jna.
    same = sum(ours[1][0][:2] == their[1][:2] for ours, their in zip(shown, theirs))
    equal('their operations, but for the odd one', same >= 0.9 * len(theirs), True)
    at = {row[0] for row in theirs}
    equal('jumps within', sorted(browser.evaluate('''Array.from(document.querySelectorAll('svg.jumps path'), path =>
        [path.dataset.from, path.dataset.to].map(i => page.code_of(page.profile()).address[i].toString(16)))''')),
          sorted([address, to] for address, _, to in theirs if to in at))
    # A line marks its instructions, whatever copies they are in; an instruction its line.
    line = browser.evaluate('page.profile().data.functions.line[Number(page.state.f)]')
    # Only lines in view are there, and the panel opens at the line with the most samples.
    browser.evaluate('document.querySelector(".top").scrollTop = 20 * (%d - 5)' % line)
    browser.wait_frame()
    browser.click('pre.source div[data-line="%d"] .number' % line)
    places = browser.evaluate('''Array.from(document.querySelectorAll('#assembly .here'), row =>
        page.profile().data.code.places.line[page.profile().data.code.insns.place[row.dataset.insn]])''')
    equal('lines of marked instructions', set(places), {line})
    browser.click('#assembly h3')
    browser.click('#assembly h3')
    insn = browser.evaluate('''document.querySelector('#assembly [data-insn]:not(.here)').dataset.insn''')
    browser.click('#assembly [data-insn="%s"]' % insn)
    equal('the line of the instruction', browser.texts('.here .number'), [str(browser.evaluate(
        'page.profile().data.code.places.line[page.profile().data.code.insns.place[%s]]' % insn))])
    equal('it is chosen', browser.evaluate('document.querySelector("#assembly .chosen").dataset.insn'), insn)


def try_words(browser, ray):
    """What stands in the source of lines and expressions, in their tables."""
    for of, by in ('lines', 'line'), ('expressions', 'expression'):
        browser.open(ray.page, '#of=' + of)
        ours = browser.evaluate('''page.summary_columns(page.profile(), %r).find(c => c.words).text
            && page.profile().data.groups[%r].name.map((_, r) => page.summary_columns(page.profile(), %r).find(c => c.words).text(r))''' % (of, of, of))
        seen = 0
        for our, their in zip(ours, ray.rows_of('-by', by)):
            place = re.fullmatch(r'(.*): (\d+)(?::(\d+)-(\d+):(\d+))?', their['place'])
            if not place:
                continue
            line = open(place[1], encoding='utf-8').read().split('\n')[int(place[2]) - 1]
            part = line[int(place[3]) - 1:int(place[5])] if place[3] and place[4] == place[2] and place[3] != place[5] else line
            if place[3] and (part is line or not re.search(r'\w\w', part)):
                continue
            seen += 1
            if our != part.strip():
                sys.exit('at %s stands %r, not %r' % (their['place'], our, part.strip()))
        equal('%s whose source is shown' % of, seen > 10, True)
        equal('a column of its own', [text for text in browser.texts('#summary td.words') if text][:1] != [], True)


def try_ends(browser):
    # An expression of two lines, from `a' to the macro's name: its second line begins at its first word.
    parts = browser.evaluate('''(function () {
        const data = {positions: {line: [1], column: [5], start_line: [1], start_column: [5], end_line: [2], end_column: [5]}};
        return Array.from(page.places_ranges({data: data}, new Map([[0, {}]]), ['x = a +', '    NAME;'])).map(
            ([line, parts]) => [line, parts[0].from, parts[0].to]);
    })()''')
    equal('an expression in two lines', parts, [[1, 4, 7], [2, 4, 8]])
    for text, start, want in (('if (a > (b)) c', 3, '(a > (b))'), ('near = 0', 0, 'near'), ('a + b', 2, '+'), ('f((x', 1, '((x')):
        equal('what begins at %d of %s' % (start, text), browser.evaluate('%s.slice(%d, page.places_end(%s, %d))' % (
            json.dumps(text), start, json.dumps(text), start)), want)
