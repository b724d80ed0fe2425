# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether pages tell of the heap what mlprof -heap does, in the folder of the test page-heap: for each measure, in
bytes and in blocks, the functions of the summary, their order, stacks, types and lines."""

import csv

import figures
from browser import window
from check import equal, figures_whole, heads_told, percent, thousands
from run import Run, rows_of

# The measures, and what the columns of mlprof -heap -csv call them.
COLUMNS = {'live': 'live', 'peak': 'peak', 'total': 'all', 'temporary': 'temp', 'lifetimes': 'freed'}
LAST = 'lifetimes'
UNITS = 'bytes', 'blocks'


def own(row, column):
    return {unit: int(row[column + '_' + unit]) for unit in UNITS}


def functions_told(run, word):
    """By function what mlprof tells: own and stack, of bytes and of blocks."""
    rows = {}
    for row in run.rows('-heap', 'live'):
        stack = own(row, COLUMNS[word] + '_stack')
        if any(stack.values()):
            assert row['function'] not in rows, row['function']
            rows[row['function']] = own(row, COLUMNS[word]), stack
    return rows


def groups_told(run, word, by):
    """By type or line the blocks and bytes that mlprof tells."""
    groups = {row['place'].rsplit('/', 1)[-1].replace(': ', ':') or row['name']: own(row, COLUMNS[word])
              for row in run.rows('-heap', 'live', '-by', by)}
    return {name: of for name, of in groups.items() if any(of.values())}


def summary(browser, of):
    """The rows that have anything, as they are copied."""
    return rows_of(browser.of_model('''
        const of = %r, columns = page.summary_columns(model, of);
        return page.csv_text(columns, page.summary_rows(model, of, columns));''' % of))


def number(text):
    return int(text.replace(',', ''))


def groups_shown(browser, of, head):
    rows = {row[head] or row[of]: {unit: number(row[unit]) for unit in UNITS} for row in summary(browser, of)}
    return {name: of for name, of in rows.items() if any(of.values())}


def stacks(text):
    """Of each stack how deep it is and what it has: how long a name must be depends on what else is shown."""
    return sorted((line.count(';'), line.rsplit(' ', 1)[1]) for line in text.splitlines())


def look_at_measure(browser, run, word, unit):
    other = UNITS[unit == 'bytes']
    want = functions_told(run, word)
    total = sum(own[unit] for own, _ in want.values())

    def share(part):
        return percent(part[unit] / total) if total else '-'
    rows = summary(browser, 'functions')
    equal('functions, %s in %s' % (word, unit),
          {row['functions']: (row['self'], row[unit], row['total'], row[other]) for row in rows},
          {name: (share(own), thousands(own[unit]), share(stack), thousands(own[other]))
           for name, (own, stack) in want.items()})
    amounts = [number(row[unit]) for row in rows]
    equal('those with most first', amounts, sorted(amounts, reverse=True))
    equal('types', groups_shown(browser, 'types', 'types'), groups_told(run, word, 'type'))
    equal('lines', groups_shown(browser, 'lines', 'place'), groups_told(run, word, 'line'))
    if unit == 'bytes':
        ours = browser.evaluate('page.folded_text(page.profile())')
        equal('stacks', stacks(ours), stacks(run.told('-heap', word, '-folded', '-')))
    coloured = browser.of_model('''return Array.from(data.files.path.keys()).flatMap(file =>
        Array.from(page.metrics_of(model, file, %r).lines.values()));''' % other)
    equal('lines coloured by ' + other, sum(coloured), sum(own[other] for own, _ in want.values()))


def look_at_measures(browser, run, page):
    for word in COLUMNS:
        for unit in UNITS:
            address = word if unit == 'bytes' else word + '-blocks'
            browser.open(page, '#measure=' + address)
            equal('the menu', browser.evaluate('document.getElementById("measure").value'), address)
            look_at_measure(browser, run, word, unit)


def look_at_table(browser, run, page):
    """The view of the heap has all measures side by side."""
    browser.open(page, '#measure=peak&view=flame', anew=True)
    browser.key('v')
    equal('v leads to the heap', browser.state('view'), 'heap')
    heads_told(browser)
    rows = browser.of_model('''const columns = page.heap_columns(model);
        return page.heap_rows(model, columns).map(f => Object.fromEntries(columns.map(c => [c.id, c.value(f)])));''')
    want = {row['function']: row for row in run.rows('-heap', 'live')}
    equal('rows and columns of the heap', [len(rows) == len(want), len(rows[0])], [True, 1 + 3 * len(COLUMNS)])
    for row in rows:
        name = row.pop('name')
        equal('the heap of ' + name, row, {id: int(want[name][id]) for id in row})
    for word, head in ('peak', 'peak'), ('total', 'all'):
        browser.go(measure=word)
        heads = browser.texts('#rows th')
        equal('what is shown stands first', [heads[0], heads[3], heads[-1]], [head, 'live', 'function'])
        equal('columns are left out by the measure', len(heads) % 3, 1)
    left = browser.texts('#left')
    more = len(COLUMNS) - len(heads) // 3
    equal('and told', left, ['%d more measure%s in a wider window, or by the menu' % (more, 's' * (more > 1))] * (more > 0))
    figures_whole(browser, *browser.views())


# By function its own bytes and blocks, and the bytes of its stacks.
FIGURES = '''const told = {}, [bytes, blocks] = page.measures_of(data)
        .filter(measure => measure.index === model.measure.index)
        .map(measure => page.rows_figures(model, 'functions', measure));
    model.functions().forEach(function (group, f) {
        if (group.stack || blocks.cur[f])
            told[model.full(f)] = [bytes.cur[f], blocks.cur[f], bytes.stack[f]];
    });
    return told;'''


def look_at_ranges(browser, run, page):
    """A range of time that is chosen has what -range tells; what all views show is of it."""
    rows = run.rows('-heap-times')
    count, width = len(rows), float(rows[1]['seconds']) - float(rows[0]['seconds'])
    browser.open(page, '#measure=total&view=heap')
    for column, ours in (('made_bytes', 'made'), ('left_bytes', 'left'), ('alive_bytes', 'alive'),
                         ('most_bytes', 'most')):
        equal('by bucket ' + ours, browser.of_model('Array.from(page.heaptimes_sums(data.heap).%s)' % ours),
              [int(row[column]) for row in rows])
    equal('no range', browser.evaluate('[document.getElementById("when").hidden, document.getElementById("until")]'),
          [True, None])
    left, top, across = browser.rectangle('#time .track canvas')
    browser.mouse('mouseMoved', left + across * 1.5 / count, top + 9)
    tip = browser.texts('#tip')[0].split('\n')
    digits = 3 if round(1000 * width) < 100 else 1
    equal('the tip of the second bucket', [tip[0], tip[2]], [
        '{:.{}f}-{:.{}f} s'.format(width, digits, 2 * width, digits),
        '{:,} bytes allocated'.format(int(rows[1]['made_bytes']))])
    middle = count // 2
    for word, until, ask in (('total', '', 'total'), ('live', '', 'leaks'), ('live', 'range', 'live')):
        for first, last in ((0, middle), (middle, count)):
            address = '#measure=%s&when=%d-%d&until=%s' % (word, first, last, until)
            browser.open(page, address)
            asked = '%.4f-%.4f' % ((first + 0.1) * width, (last - 0.1) * width)
            # Names in full: how they are shortened depends on which ones there are.
            rows = {row['function']: [int(row[COLUMNS[word] + of]) for of in ('_bytes', '_blocks', '_stack_bytes')]
                    for row in run.rows('-heap', ask, '-range', asked, '-names', 'full')}
            equal(address, browser.of_model(FIGURES), {name: own for name, own in rows.items() if any(own)})
    equal('views that have no room beside the range are in the menu',
          browser.evaluate('(nav => nav.scrollWidth <= nav.clientWidth)(document.getElementById("views"))'), True)
    # As if the window had 800 pixels.
    equal('the views in a narrow window', browser.evaluate('''(function () {
        document.body.style.width = '800px';
        dispatchEvent(new Event('resize'));
        const boxes = Array.from(document.querySelectorAll('header, nav, header > *, nav > :not([hidden])'));
        const wide = boxes.filter(e => e.scrollWidth > e.clientWidth && e.tagName !== 'H1').map(e => e.outerHTML);
        document.body.style.width = '';
        dispatchEvent(new Event('resize'));
        return wide;
    })()'''), [])
    look_at_choosing(browser, page, count, middle)


def look_at_choosing(browser, page, count, middle):
    """By keys: Shift makes a range, arrows move it, Escape takes it back; and by mouse."""
    browser.open(page, '#measure=live&view=heap', anew=True)
    for key, shift, want in (('ArrowRight', True, '0-1'), ('ArrowRight', True, '0-2'), ('ArrowRight', False, '1-3'),
                             ('ArrowLeft', True, '1-2'), ('End', False, '%d-%d' % (count - 1, count)),
                             ('Home', False, '0-1'), ('Escape', False, '')):
        browser.press(key, shift)
        equal(key, browser.state('when'), want)
    # From the second bucket to the middle one.
    left, top, width = browser.rectangle('#time .track canvas')
    browser.drag(left + width * 1.5 / count, left + width * (middle - 0.5) / count, top + 9)
    equal('drag', browser.state('when'), '1-%d' % middle)
    equal('what is told of it', browser.of_model('model.what').endswith(
        ', of what was allocated at ' + browser.texts('#when')[0].split(' ')[0] + ' s'), True)
    browser.click('#until')
    equal('a button', [browser.state('until'), browser.texts('#until')], ['range', ['alive at the end of the range']])
    measure = 'document.getElementById("measure").value'
    browser.go(measure='peak')
    equal('of the peak no range is known', browser.evaluate(measure), 'live')
    browser.go(measure='live')
    choose(browser, 'peak')
    equal('what has no range takes it away', [browser.state('when'), browser.evaluate(measure)], ['', 'peak'])
    browser.go(when='1-3', measure='peak')
    browser.click('#when')
    equal('all again', [browser.state('when'), browser.evaluate(measure)], ['', 'peak'])


def look_at_transforms(browser, run, page):
    """What is chosen is told of what the transforms leave, too."""
    browser.open(page, '#measure=' + LAST)
    want = functions_told(run, LAST)
    name = max(want, key=lambda name: (want[name][0]['bytes'], name))
    browser.go(f=browser.number(name))
    browser.key('h')
    equal('something is hidden', browser.of_model('model.hides') and True, True)
    equal('types of what is hidden', groups_shown(browser, 'types', 'types'), groups_told(run, LAST, 'type'))
    browser.go(change='')
    browser.key('f')
    equal('what focus leaves', browser.of_model('model.kept'), want[name][1]['bytes'])
    browser.key('z')
    equal('behind the last comes the first', browser.state('measure') or browser.of_model('data.shown'), 'live')


def look_at_heap(browser, run, page):
    browser.open(page)
    equal('the views of the heap', browser.views('heap', 'time', 'allocations', 'flame'), ['flame', 'heap'])
    look_at_measures(browser, run, page)
    look_at_table(browser, run, page)
    look_at_ranges(browser, run, page)
    look_at_transforms(browser, run, page)


def choose(browser, word):
    """By the menu."""
    browser.evaluate('''(function (menu) {
        menu.value = %r;
        menu.dispatchEvent(new Event("change"));
    })(document.getElementById("measure"))''' % word)


def look_at_both(browser, run, page):
    """The heap beside the time."""
    browser.open(page)
    equal('time is shown first',
          [browser.evaluate('document.getElementById("measure").value'), browser.of_model('model.measure.unit')],
          ['time', 'samples'])
    look_at_measures(browser, run, page)
    # The function and its file stay what they are.
    browser.open(page, '#measure=peak')
    browser.go(f=browser.number('main'), view='callers')
    choose(browser, 'time')
    equal('main stays main',
          [browser.of_model('model.name(Number(page.state.f))'), browser.state('view'), browser.state('measure')],
          ['main', 'callers', ''])
    for step in *COLUMNS, '':
        browser.key('z')
        equal('z goes on', browser.state('measure'), step)
    # A view of one measure alone brings it; where another is chosen the view says why it has none.
    browser.key('v')
    equal('the heap', [browser.state('measure'), browser.texts('#rows th')[:3]], ['live', ['live', 'blocks', 'total']])
    choose(browser, 'time')
    equal('why there is no time', browser.texts('.empty')[0].split('.')[0],
          'Heap has nothing of time')
    equal('what there is', browser.texts('.empty button'), ['%s, %s' % (word, unit) for word in (
        'live at the end', 'peak', 'allocated', 'temporary', 'freed') for unit in UNITS])
    browser.click('.empty [data-measure=peak]')
    equal('a button chooses', [browser.state('measure'), browser.texts('#rows th')[:3]],
          ['peak', ['peak', 'blocks', 'total']])
    browser.key('0')
    equal('back to time', [browser.state('measure'), browser.state('view')], ['', 'time'])
    # Without a chosen function it is that with most of the measure.
    for word in 'temporary', 'total', 'peak':
        browser.open(page, '#view=callers&measure=' + word, anew=True)
        with_most = browser.of_model(
            'model.name([...model.functions()].reduce((a, b) => (b[1].cur > a[1].cur ? b : a))[0])')
        equal(word + ': the callers of', browser.texts('h2')[0][:len(with_most)], with_most)
    figures.look(browser, run, page)


def look_at_heap_alone(browser, run):
    """If nothing else was measured, the page is of the heap without being asked for it."""
    browser.open(run.page)
    equal('the heap alone', browser.of_model('[data.shown, data.total > 0]'), ['live', True])


# Of each function its name, and the tips of what it has and of what its stacks have; null where there are none.
TIPS = '''const columns = page.summary_columns(model, 'functions').filter(column => column);
    const titles = ['amount', 'stack'].map(id => columns.find(column => column.id === id).title || (() => null));
    return Array.from({length: model.count}, (_, f) => [model.label(f), ...titles.map(title => title(f))]);'''


def look_at_sampled(browser, run):
    """The tips have the ranges of -heap, of all but what transforms leave."""
    rows = run.table('-heap', 'live')
    browser.open(run.page)
    for word, column in (('live', 'live'), ('total', 'all')):
        browser.go(view='summary', measure=word)
        got = {name: tips for name, *tips in browser.of_model(TIPS)}
        some = {name for name in got if int(rows[name][column + '_stack_blocks'])}
        equal('some have ranges', len(some) > 5, True)
        want = {name: ['estimated, 95% range {:,}-{:,}'.format(
            *(int(rows[name][column + of + end]) for end in ('_least', '_most'))) for of in ('_bytes', '_stack')]
            for name in some}
        equal('ranges of ' + word, {name: got[name] for name in some}, want)
        equal('stacks without blocks', {got[name][1] for name in got if name not in some} - {None}, set())
    browser.go(measure='live', view='heap')
    equal('tips in the table', browser.count('#rows td[title^=estimated]') > 0, True)
    for what, words in ('of blocks', {'measure': 'live-blocks'}), ('of what is left', {'measure': 'live', 'change': 'r'}):
        browser.go(view='summary', **words)
        equal('no ranges ' + what, [tips for _, *tips in browser.of_model(TIPS) if tips[0]], [])


def look_at_estimates_compared(browser, page):
    """Functions, lines and stacks have ranges, and main that of all."""
    def told(file):
        with open(file, encoding='utf-8') as rows:
            return [(row['function'], *(int(float(row[of])) for of in ('change', 'change_least', 'change_most')))
                    for row in csv.DictReader(rows)]

    def changes(table, count=None):
        rows = zip(*(table[of][:count] for of in ('before', 'after', 'least', 'most')))
        return [(after - before, least, most) for before, after, least, most in rows if before or after]
    browser.open(page)
    equal('no choice of measures', browser.evaluate('document.getElementById("measure")'), None)
    compare = browser.of_model('data.compare')
    for of in 'functions', 'lines':
        got = set(changes(compare[of]))
        equal('changes of ' + of,
              [got - {tuple(row) for _, *row in told(of + '.csv')}, len(got) > 5, any(compare[of]['exact'])],
              [set(), True, False])
    main = next(tuple(row) for name, *row in told('stacks.csv') if name == 'main')
    equal('all, and main', changes(compare['stacks'], 2), [main, main])
    equal('an exact stack', any(compare['stacks']['exact']), False)
    for view in browser.views():
        browser.go(view=view)


with window() as browser:
    leaks = Run('leaks')
    look_at_heap(browser, leaks, 'heap.html')
    look_at_heap(browser, Run('middle'), 'middle.html')
    look_at_both(browser, leaks, 'both.html')
    look_at_heap_alone(browser, Run('alone', 'leaks', 'alone.out'))
    look_at_sampled(browser, Run('sampled', 'leaks', 'sampled.out'))
    look_at_estimates_compared(browser, 'estimates.html')
    equal('complaints of the browser', browser.complaints(), [])
