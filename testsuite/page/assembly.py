# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembly beside the source of the ray tracer, against objdump."""

from check import equal


def shown(browser):
    return browser.each('#assembly [data-insn]', '''[e.querySelector('.address').textContent,
        e.querySelector('.text').textContent.split(' ')]''')


def look(browser, ray):
    # A sample in libc is one of <unprofiled>, which has no instructions.
    copies = sorted(int(row['samples']) for row in ray.rows('-by', 'copy') if int(row['samples'])
                    and row['instructions'])
    browser.open(ray.page)
    equal('samples of copies, from their instructions', browser.of_model('''
        const of = page.code_of(model), own = new Float64Array(of.amount.length), {part} = data.code.insns;
        of.counts.forEach((count, i) => { if (part[i] >= 0) own[part[i]] += count; });
        return Array.from(own).filter(count => count).sort((a, b) => a - b);'''), copies)
    browser.open(ray.page, '#view=source&f=' + browser.number('scene_colour'))
    browser.evaluate('page.go({file: page.profile().data.functions.file[Number(page.state.f)]})')
    browser.key('a')
    equal('assembly', browser.state('asm'), '1')
    part = browser.of_model('''const {parent, function: functions} = data.code.parts;
        return functions.findIndex((f, i) => f === Number(page.state.f) && parent[i] < 0);''')
    browser.go(part=-2)
    equal('all are closed', browser.count('#assembly .insns'), 0)
    browser.click('#assembly h3[data-part="%d"]' % part)
    # Those in view, before and after the panel goes to its beginning.
    last = shown(browser)
    browser.evaluate('document.getElementById("assembly").scrollTop = 0')
    browser.wait('document.querySelector("#assembly [data-insn]").dataset.insn === '
                 'String(page.code_rows(page.profile(), %d)[0].insn)' % part)
    known = {row[0] for row in last}
    ours, theirs = [row for row in shown(browser) if row[0] not in known] + last, ray.instructions_of('scene_colour')
    equal('their addresses', [row[0] for row in ours], [row[0] for row in theirs])
    equal('their operations', [our[1][0] for our in ours], [row[1] for row in theirs])
    addresses = {row[0] for row in theirs}
    equal('jumps within', sorted(browser.each('svg.jumps path', '''[e.dataset.from, e.dataset.to].map(i =>
        page.code_of(page.profile()).address[i].toString(16))''')),
          sorted([address, to] for address, _, to in theirs if to in addresses))
    look_at_lines(browser)


def look_at_lines(browser):
    """A line marks its instructions, whatever copies they are in; an instruction its line."""
    line_of = 'page.profile().data.code.places.line[page.profile().data.code.insns.place[%s]]'
    line = browser.of_model('data.functions.line[Number(page.state.f)]')
    # Only lines in view are there, and the panel opens at the line with the most samples.
    browser.evaluate('document.querySelector(".top").scrollTop = 20 * (%d - 5)' % line)
    browser.wait_frame()
    browser.click('pre.source div[data-line="%d"] .number' % line)
    equal('lines of marked instructions', set(browser.each('#assembly .here', line_of % 'e.dataset.insn')), {line})
    browser.click('#assembly h3')
    browser.click('#assembly h3')
    insn = browser.evaluate('document.querySelector("#assembly [data-insn]:not(.here)").dataset.insn')
    browser.click('#assembly [data-insn="%s"]' % insn)
    equal('the line of the instruction', browser.texts('.here .number'), [str(browser.evaluate(line_of % insn))])
    equal('it is chosen', browser.each('#assembly .chosen', 'e.dataset.insn')[:1], [insn])
