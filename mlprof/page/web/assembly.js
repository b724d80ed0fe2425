// The machine code beside the source: the copies of its functions, folded; in one that is open its
// instructions with what was sampled at each, and arrows for the jumps. The chosen line marks its
// instructions, a chosen instruction its line.

const ASSEMBLY = {copies: 200, row: 18, lanes: 10};

// The code with what the transforms have left of its samples; made once for these.
page.assembly_code = function (model) {
    if (model.code && model.code.counts_of === model.counts) return model.code;
    const code = model.data.code, nodes = model.data.nodes, copies = model.data.copies, bodies = code.bodies, size = code.insns.size;
    const first = [], address = new Float64Array(size.length), known = new Map(), counts = new Float64Array(size.length);
    for (let body = 0, i = 0; body < bodies.start.length; body++) {
        first.push(i);
        known.set(bodies.module[body] + ' ' + bodies.number[body], body);
        for (let at = bodies.start[body], end = i + bodies.insns[body]; i < end; at += size[i++]) address[i] = at;
    }
    for (let i = 0; i < model.size; i++) {
        const body = model.counts[i] && nodes.address[i] ? known.get(copies.module[nodes.copy[i]] + ' ' + copies.number[nodes.copy[i]]) : undefined;
        if (body === undefined) continue;
        let low = first[body], high = low + bodies.insns[body];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (address[middle] <= nodes.address[i]) low = middle;
            else high = middle;
        }
        counts[low] += model.counts[i];
    }
    // Of each copy with what is inlined into it.
    const amount = new Float64Array(code.parts.body.length), insns = new Int32Array(amount.length);
    for (let i = 0; i < size.length; i++)
        for (let part = code.insns.part[i]; part >= 0; part = code.parts.parent[part]) {
            amount[part] += counts[i];
            insns[part]++;
        }
    return model.code = {counts_of: model.counts, first: first, address: address, counts: counts, amount: amount, insns: insns};
};

// The number of a copy of a function of the tables; -1: the page does not have its code.
page.assembly_part = function (model, module, number, copy) {
    const parts = model.data.code.parts, bodies = model.data.code.bodies;
    if (!model.parts) {
        model.parts = new Map();
        parts.body.forEach((body, i) => model.parts.set(bodies.module[body] + ' ' + bodies.number[body] + ' ' + parts.copy[i], i));
    }
    const part = model.parts.get(module + ' ' + number + ' ' + copy);
    return part === undefined ? -1 : part;
};

page.assembly_name = function (model, part) {
    const parts = model.data.code.parts;
    return parts.function[part] >= 0 ? model.name(parts.function[part]) : model.data.texts[parts.name[part]];
};

// What GCC made of a copy, from within; each name in so much ROOM.
page.assembly_made = function (model, part, room) {
    const code = model.data.code, parts = code.parts, symbol = code.symbols[parts.body[part]] || '';
    const clone = /(\.(?:constprop|isra|part|cold)\b.*)/.exec(symbol), told = [];
    if (parts.parent[part] < 0)
        return !clone ? 'own body' : clone[1] === '.cold' ? 'cold part' : (clone[1].startsWith('.part') ? 'split-off ' : 'clone ') + clone[1];
    for (let at = part; parts.parent[at] >= 0; at = parts.parent[at])
        told.push('inlined in ' + page.shorten(page.assembly_name(model, parts.parent[at]), room || 400) + (parts.parent[parts.parent[at]] < 0 && clone ? clone[1] : '') +
            (parts.file[at] >= 0 ? ' at ' + model.last(model.path(parts.file[at])) + ':' + parts.line[at] : ''));
    return told.length > 3 ? told.slice(0, 2).join(', ') + ', \u2026, ' + told[told.length - 1] : told.join(', ');
};

// Whether an instruction is of a line: 2 itself, 1 by a call that was inlined there.
page.assembly_is_of = function (model, insn, file, line) {
    const code = model.data.code, place = code.insns.place[insn];
    if (place >= 0 && code.places.file[place] === file && code.places.line[place] === line) return 2;
    for (let part = code.insns.part[insn]; part >= 0; part = code.parts.parent[part])
        if (code.parts.file[part] === file && code.parts.line[part] === line) return 1;
    return 0;
};

// The copies of a file's functions with their instructions, or those that have some of a line; the
// ones with most samples first, of the line if one is asked for.
page.assembly_copies = function (model, file, line) {
    const of = page.assembly_code(model), code = model.data.code, parts = code.parts, found = new Map();
    const own = part => parts.function[part] >= 0 && model.data.functions.file[parts.function[part]] === file;
    if (!line) {
        for (let part = 0; part < of.amount.length; part++) if (own(part) && of.insns[part]) found.set(part, of.amount[part]);
    } else
        for (let i = 0; i < of.counts.length; i++) {
            const place = code.insns.place[i];
            let at = place >= 0 && code.places.file[place] === file && code.places.line[place] === line ? code.insns.part[i] : -1;
            // The copy that the call of what was inlined stands in.
            for (let part = code.insns.part[i]; at < 0 && part >= 0; part = parts.parent[part])
                if (parts.file[part] === file && parts.line[part] === line) at = parts.parent[part];
            if (at >= 0) found.set(at, (found.get(at) || 0) + of.counts[i]);
        }
    return Array.from(found).sort((a, b) => b[1] - a[1] || of.amount[b[0]] - of.amount[a[0]] || a[0] - b[0]);
};

// Fills PANE, which is in the page.
page.assembly_fill = function (pane, model, file) {
    const code = model.data.code, of = page.assembly_code(model);
    const line = Number(page.state.line), copies = page.assembly_copies(model, file, line);
    // One copy may lie inside another one of the same file.
    const sum = line ? copies.reduce((total, copy) => total + copy[1], 0) : copies.filter(([part]) => {
        for (part = code.parts.parent[part]; part >= 0; part = code.parts.parent[part])
            if (code.parts.function[part] >= 0 && model.data.functions.file[code.parts.function[part]] === file) return false;
        return true;
    }).reduce((total, copy) => total + copy[1], 0);
    let open = Number(page.state.part);
    if (open === -1 && copies.length) open = copies[0][0];
    if (!code.bodies.start.length)
        pane.append(page.make('div', {'class': 'empty'}, 'No machine code: the program\u2019s file was not there when this page was made, ' +
            'it is for another processor than x86-64, or nothing in it was measured.'));
    else {
        const name = model.last(model.path(file)) + (line ? ':' + line : '');
        pane.append(page.make('div', {'class': 'told'}, copies.length ? name + ': ' + page.number(copies.length) +
            (copies.length === 1 ? ' copy' : ' copies') + ' in machine code, ' + page.percent(sum, model.total) + (line ? ' on this line' : '')
            : name + ': no machine code of it was measured. GCC has moved or deleted it, or it was never executed.',
        line ? page.make('button', {on: {click: () => page.go({line: 0, position: -1, part: -1, insn: -1})}}, 'all of the file') : undefined));
    }
    copies.slice(0, ASSEMBLY.copies).forEach(function ([part, amount], i) {
        pane.append(page.make('h3', {'data-part': part, 'aria-expanded': part === open ? 'true' : 'false', tabindex: 0,
            title: page.assembly_name(model, part) + ': ' + page.assembly_made(model, part),
            on: {
                click: () => page.go({part: part === open ? -2 : part, insn: -1}),
                keydown: function (event) {
                    if (event.key === 'Enter') page.go({part: part === open ? -2 : part, insn: -1});
                }}},
        (part === open ? '\u25be ' : '\u25b8 ') + page.percent(amount, model.total) + '  ' + page.shorten(page.assembly_name(model, part), 40),
        page.make('span', {'class': 'faint'}, '  copy ' + (i + 1) + ' of ' + copies.length + ', ' + page.assembly_made(model, part, 30) + ', ' +
            page.number(of.insns[part]) + (of.insns[part] === 1 ? ' instruction' : ' instructions'))));
        if (part === open) pane.append(page.make('div', {'class': 'code'}));
    });
    if (copies.length > ASSEMBLY.copies)
        pane.append(page.make('div', {'class': 'faint told'}, page.number(copies.length - ASSEMBLY.copies) + ' more, with less'));
    if (code.left)
        pane.append(page.make('div', {'class': 'faint told'}, 'Not in this page: the code of ' + page.number(code.left) +
            ' functions, those with the least, ' + page.percent(code.left_samples, model.data.total) + ' in all' + page.times_whole(model) + '.'));
    const box = pane.querySelector('.code');
    if (box) page.assembly_list(pane, box, model, file, line, open);
};

// The instructions of a copy with what is inlined into it, and how many of others are between.
page.assembly_rows = function (model, part) {
    const of = page.assembly_code(model), code = model.data.code, body = code.parts.body[part], rows = [];
    const is_in = function (at) {
        while (at > part || (at >= 0 && at !== part)) at = code.parts.parent[at];
        return at === part;
    };
    const end = of.first[body] + code.bodies.insns[body], known = new Map();
    for (let i = of.first[body], gap = 0; i < end; i++) {
        const at = code.insns.part[i];
        if (!known.has(at)) known.set(at, is_in(at));
        if (!known.get(at)) {
            gap++;
            continue;
        }
        if (gap && rows.length) rows.push({gap: gap});
        gap = 0;
        rows.push({insn: i});
    }
    return rows;
};

page.assembly_list = function (pane, box, model, file, line, part) {
    const of = page.assembly_code(model), code = model.data.code, insns = code.insns, rows = page.assembly_rows(model, part);
    const chosen = Number(page.state.insn), state = page.state, counted = model.data.lines.line.length > 0, executions = new Map();
    const position = Number(state.position), column = position >= 0 ? model.data.positions.column[position] : -1;
    const amount = row => row.insn === undefined ? 0 : of.counts[row.insn], most = rows.reduce((m, row) => Math.max(m, amount(row)), 1);
    const where = new Map(), index = rows.map((_, i) => i);
    rows.forEach((row, i) => { if (row.insn !== undefined) where.set(row.insn, i); });
    const list = page.make('div', {'class': 'insns'});
    const executed = function (place) {
        const its = code.places.file[place];
        if (!executions.has(its)) executions.set(its, model.executions(its));
        return executions.get(its).get(code.places.line[place]);
    };
    function row_of(row) {
        if (row.insn === undefined)
            return page.make('div', {'class': 'gap'}, '\u22ef ' + page.number(row.gap) + (row.gap === 1 ? ' instruction of others' : ' instructions of others'));
        const i = row.insn, place = insns.place[i], is = line ? page.assembly_is_of(model, i, file, line) : 0, count = of.counts[i];
        const at = insns.part[i], told = place < 0 ? '' : model.last(model.path(code.places.file[place])) + ':' + code.places.line[place];
        const exact = is === 2 && column > 0 && code.places.column[place] === column, times = counted && place >= 0 ? executed(place) : undefined;
        const cost = page.make('span', {'class': 'cost'}, count ? page.percent(count, model.total) : '');
        if (count) cost.style.backgroundColor = page.heat(count / most);
        return page.make('div', {'data-insn': i,
            'class': [is === 2 ? 'here' : is ? 'within' : '', exact || i === chosen ? 'chosen' : ''].join(' ').trim() || undefined,
            on: {
                click: () => place >= 0 && page.go({file: code.places.file[place], line: code.places.line[place], position: -1, part: part, insn: i}),
                mousemove: event => page.tip(event, (count ? page.percent(count, model.total) + ', ' + page.amount(model, count) + '\n' : '') +
                    page.assembly_name(model, at) + (told ? ', ' + told : '') + '\n' + page.assembly_made(model, at) +
                    (times === undefined ? '' : '\nits line was executed ' + page.number(times) + ' times')),
                mouseleave: event => page.tip(event, '')}},
        cost, page.make('span', {'class': 'address'}, of.address[i].toString(16)),
        page.make('span', {'class': 'text'}, model.data.texts[insns.text[i]] + (insns.symbol[i] < 0 ? '' : '  <' + model.data.texts[insns.symbol[i]] + '>')),
        page.make('span', {'class': 'faint'}, (at === part ? '' : page.shorten(page.assembly_name(model, at), 24) + ' ') + told));
    }
    box.append(page.assembly_jumps(rows, where, insns.to), list);
    page.rows(pane, list, rows.length, ASSEMBLY.row, i => row_of(rows[i]), () => page.make('div', {'class': 'rest'}));
    // To what was chosen, or to what has the most, of the line if there is one.
    let at = where.has(chosen) ? where.get(chosen) : -1;
    for (const want of [2, 1])
        if (at < 0 && line) {
            const its = index.filter(i => rows[i].insn !== undefined && page.assembly_is_of(model, rows[i].insn, file, line) === want);
            if (its.length) at = its.reduce((best, i) => amount(rows[i]) > amount(rows[best]) ? i : best);
        }
    if (at < 0) at = index.reduce((best, i) => amount(rows[i]) > amount(rows[best]) ? i : best, 0);
    const below = at * ASSEMBLY.row - pane.clientHeight / 2;
    if (below > 0) pane.scrollTop = list.offsetTop - pane.offsetTop + below;
    if (pane.onscroll) pane.onscroll();
};

// The jumps among the rows as arrows: the short ones next to the code, each in a lane where no
// other one is.
page.assembly_jumps = function (rows, where, to) {
    const jumps = [], lanes = [], width = 8 + 6 * ASSEMBLY.lanes;
    rows.forEach(function (row, i) {
        const target = row.insn === undefined ? undefined : where.get(to[row.insn]);
        if (target !== undefined) jumps.push({from: i, to: target, low: Math.min(i, target), high: Math.max(i, target)});
    });
    jumps.sort((a, b) => a.high - a.low - (b.high - b.low));
    const svg = page.draw('svg', {'class': 'jumps', width: width, height: rows.length * ASSEMBLY.row});
    for (const jump of jumps) {
        let lane = 0;
        while (lane < ASSEMBLY.lanes - 1 && (lanes[lane] || []).some(other => other.low <= jump.high && jump.low <= other.high)) lane++;
        (lanes[lane] = lanes[lane] || []).push(jump);
        const y1 = (jump.from + 0.5) * ASSEMBLY.row - 2, y2 = (jump.to + 0.5) * ASSEMBLY.row + 2, x = width - 12 - 6 * lane, right = width - 2;
        svg.append(page.draw('path', {'class': jump.to <= jump.from ? 'back' : 'on', 'data-from': rows[jump.from].insn, 'data-to': rows[jump.to].insn,
            d: 'M' + right + ' ' + y1 + 'H' + x + 'V' + y2 + 'H' + right + 'm-5 -3l5 3l-5 3'},
        page.draw('title', {}, jump.to <= jump.from ? 'a jump back: a loop' : 'a jump')));
    }
    return svg;
};
