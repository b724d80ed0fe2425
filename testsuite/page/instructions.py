# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the page of the test page-instructions shows the instructions of instructions.c."""

import figures
from browser import window
from check import equal, figures_whole, percent, thousands
from run import Run, lines_of, rows_of

# With the heads of their columns, which are those of mlprof.
MEASURES = {'instructions': 'instructions', 'loads': 'loads', 'stores': 'stores', 'load-bytes': 'loaded',
            'store-bytes': 'stored', 'branches': 'branches', 'mispredictable': 'predicted', 'divisions': 'divisions',
            'vector64': 'vector64', 'vector128': 'vector128', 'vector256': 'vector256', 'vector512': 'vector512'}

# By measure and function, from the source: a `ret' is a load of 8 bytes, and a vector has four elements, which are
# loaded, added and stored. How main keeps its variables is GCC's choice.
BY_HAND = {'divisions': {'divide': 300, 'divides': 0, 'rounds': 0, 'twice': 0},
           'loads': {'divide': 0, 'divides': 1, 'rounds': 2 * 1000 + 1, 'twice': 250 + 1},
           'stores': {'divide': 0, 'divides': 0, 'rounds': 1000, 'twice': 250},
           'load-bytes': {'divide': 0, 'divides': 8, 'rounds': 2 * 8 * 1000 + 8, 'twice': 16 * 250 + 8},
           'vector128': {'divide': 0, 'divides': 0, 'rounds': 0, 'twice': 3 * 250}}
# Of instructions, by a word in the line.
LINES_BY_HAND = {'divl': 3 * 300, 'movq': 2 * 1000}
VERDICTS = [('i < 300', 0, 'not vectorised: an asm statement'),
            ('weights[i] +=', -1, 'vectorised by 16 bytes')]


def steps():
    """Executions by address, also of ccprof's counters."""
    with open('steps', encoding='utf-8') as file:
        words = [line.rsplit(None, 2) for line in file if line[0] != '#']
    return {int(address, 16): int(count) for _, address, count in words}


def line_with(text):
    return next(n for n, line in enumerate(lines_of('instructions.c'), 1) if text in line)


def functions_shown(browser, measure):
    """By function what the table shows: amount and share."""
    browser.go(view='summary', of='functions', measure=measure)
    rows = rows_of(browser.rows_of_csv('page.summary_columns(model, "functions")',
                                       'page.summary_rows(model, "functions", columns)'))
    return {row['functions']: (int(row[MEASURES[measure]].replace(',', '')), row['self']) for row in rows}


def look_at_measures(browser, run):
    equal('the menu', browser.texts('#measure option'), list(MEASURES))
    for measure in MEASURES:
        column = 'executed' if measure == 'instructions' else measure.replace('-', '_')
        told = {row['function']: int(row[column]) for row in run.rows('-measure', measure)}
        total = sum(told.values())
        shown = functions_shown(browser, measure) if total else {}
        equal('functions by ' + measure, {name: row for name, row in shown.items() if row[0]},
              {name: (own, percent(own / total)) for name, own in told.items() if own})
        for name, amount in BY_HAND.get(measure, {}).items():
            equal('%s of %s, by hand' % (measure, name), shown.get(name, (0,))[0], amount)
    browser.go(measure='')


def look_at_lines(browser):
    """The line of an asm statement, and the verdict beside the loop around it."""
    browser.go(view='source', f=browser.number('rounds'))
    total = browser.of_model('model.total')
    for text, amount in LINES_BY_HAND.items():
        line = line_with(text)
        browser.click('pre.source [data-line="%d"] .number' % line)
        equal('the share of line %d' % line, browser.texts('.here .cost'), [percent(amount / total)])
        equal('its instructions', 'itself %s, %s instructions' % (percent(amount / total), thousands(amount)) in
              browser.texts('.below div')[0], True)
    for text, before, verdict in VERDICTS:
        line = line_with(text) + before
        equal('beside line %d' % line, browser.texts('pre.source [data-line="%d"] .verdict' % line), [verdict])
        tip = browser.evaluate('page.source_tip(page.profile(), 0, %d)' % line).split('\n')
        equal('its tip', [verdict in part for part in tip[-2:]], [True, False])
        equal('GCC in its own words', tip[-1].startswith('GCC: '), True)


def look_at_words(browser):
    browser.go(view='summary', measure='vector128')
    equal('what the column means', browser.each('#main th', 'e.title')[1].split(' while')[0],
          'instructions on vectors of 128 bits')
    browser.go(view='source', measure='load-bytes')
    equal('what the colours mean', browser.texts('#by option'), ['own bytes loaded'])
    browser.go(measure='loads')
    browser.click('pre.source [data-line="%d"] .number' % (line_with('movq') + 1))
    equal('one load', browser.texts('.below div')[0].split(', ')[1], '1 load')
    browser.go(measure='')


def look_at_addresses(browser, counted):
    """Each instruction has the executions that single steps count, or none if it is of a counter. The file shown gets
    all of them, in the form of stepcount."""
    shown = dict(browser.of_model('''const of = page.code_of(model);
        return Array.from(of.address, (address, i) => [Number(address), of.counts[i]]).filter(pair => pair[1]);'''))
    with open('shown', 'w', encoding='utf-8') as file:
        file.writelines('instructions %x %d\n' % (at, count) for at, count in shown.items())
    equal('those that single steps count otherwise',
          [(hex(at), count, counted.get(at)) for at, count in shown.items() if counted.get(at) != count], [])


def look_at_narrow(browser):
    """At 400 pixels the title fits after its middle was omitted; a table of one row says so."""
    browser.go(view='summary', measure='vector128')
    equal('one row', '1\u00a0row' in browser.texts('.bar-of .faint'), True)
    browser.evaluate('(document.body.style.width = "400px", dispatchEvent(new Event("resize")))')
    browser.wait_frame()
    equal('a title that fits', browser.each('#title', '[e.textContent.length < 12, e.scrollWidth <= e.clientWidth]'),
          [[True, True]])
    browser.evaluate('(document.body.style.width = "", dispatchEvent(new Event("resize")))')
    browser.go(measure='')


def look_at_counters(browser):
    """The tips of instructions without a count say why they have none."""
    rounds = browser.number('rounds')
    browser.go(view='source', f=rounds, asm='1')
    browser.go(part=browser.of_model('data.code.parts.function.indexOf(%s)' % rounds))
    browser.wait_frame()
    for text, counted in ('%fs:', False), ('(%rdi),%rax', True):
        x, y = next(browser.where('#assembly [data-insn="%s"]' % insn) for insn, its in
                    browser.each('#assembly [data-insn]', '[e.dataset.insn, e.textContent]') if text in its)
        browser.mouse('mouseMoved', x, y)
        tip = browser.texts('#tip')[0].split('\n')[0]
        equal('the tip of ' + text, tip.split(', ')[1] if counted else tip.split(': ')[0],
              '1,000 instructions' if counted else 'not in the numbers')


with window() as browser:
    run = Run('instructions')
    browser.open(run.page)
    figures.look(browser, run)
    look_at_measures(browser, run)
    look_at_addresses(browser, steps())
    look_at_lines(browser)
    look_at_words(browser)
    look_at_counters(browser)
    look_at_narrow(browser)
    for measure in 'instructions', 'vector128':
        browser.go(measure=measure)
        figures_whole(browser, 'summary')
    equal('complaints of the browser', browser.complaints(), [])
