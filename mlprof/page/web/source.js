// The source, coloured by what its expressions cost, with what was executed and what never was;
// below it all that is known of the one that was chosen.

const SOURCE_ROW = 20;

page.views.source = {
    title: 'Source', key: '2',
    show: function (main, model) {
        const state = page.state, data = model.data, files = data.files.path, cost = page.source_costs(model);
        const list = files.map((path, i) => i).sort((a, b) => cost[b] - cost[a]);
        let file = Number(state.file), start = Number(state.line);
        const f = Number(state.f);
        // A function was chosen elsewhere: where it begins.
        if (file < 0 && f >= 0 && f < model.count) [file, start] = [data.functions.file[f], data.functions.line[f]];
        if (!(file >= 0 && file < files.length)) file = list[0];
        if (file === undefined) {
            main.append(page.make('div', {'class': 'empty'}, 'No source file is known.'));
            return;
        }
        const top = page.make('div', {'class': 'top'}), below = page.make('div', {'class': 'below', hidden: true});
        const pane = state.asm === '1' ? page.make('div', {id: 'assembly'}) : null;
        main.append(page.make('div', {'class': 'pane'}, page.make('div', {'class': 'bar-of'},
            page.make('select', {id: 'file', on: {change: event => page.source_go(event.target.value, 0)}},
                ...list.map(i => page.make('option', {value: i, selected: i === file},
                    page.percent(cost[i], model.total) + '  ' + files[i]))),
            page.make('label', {}, 'colour by ', page.make('select', {id: 'by', on: {change: event => page.go({by: event.target.value})}},
                ...page.source_metrics(model).map(([by, words]) => page.make('option', {value: by, selected: by === state.by}, words)))),
        page.make('button', {id: 'beside', 'aria-pressed': state.asm === '1' ? 'true' : 'false', title: 'the machine code of the copies (a)',
            on: {click: () => page.go({asm: state.asm === '1' ? 0 : 1})}}, 'assembly'), page.marks_legend(model, file)),
        page.source_only(model), pane ? page.make('div', {'class': 'beside'}, top, pane) : top, below));
        const text = page.source_text(model, file), pre = page.make('pre', {'class': 'source'});
        if (text.missing) pre.append(page.make('div', {'class': 'empty'}, text.missing));
        const body = page.make('div', {'class': 'lines'});
        pre.append(page.make('div', {'class': 'heads'}, ...text.heads.map(([kind, head]) => page.make('span', {'class': kind}, head))), body);
        top.append(pre);
        page.rows(top, body, text.lines.length, SOURCE_ROW, i => text.row(text.lines[i]), () => page.make('div', {}));
        const position = Number(state.position), line = position >= 0 ? data.positions.line[position] : start;
        const at = text.lines.indexOf(line > 0 ? line : text.most);
        if (at >= 0) page.rows_to(top, at, SOURCE_ROW);
        page.views.source.keys = function (event) {
            const step = {n: 1, N: -1}[event.key], found = text.found, down = {ArrowDown: 1, ArrowUp: -1}[event.key];
            if (event.key === 'a') page.go({asm: page.state.asm === '1' ? 0 : 1});
            else if (down && text.lines[at + down]) page.source_go(file, text.lines[at + down], true);
            if (event.key === 'a' || down) return true;
            if (!step || !found.length) return false;
            const next = step > 0 ? found.find(i => i > Number(state.line)) : found.findLast(i => i < Number(state.line));
            page.source_go(file, next || found.at(step > 0 ? 0 : -1), true);
            return true;
        };
        if (position >= 0 || Number(state.line) > 0)
            page.source_expression(model, file, position, below, position >= 0
                ? page.source_expressions(model, file).get(position) : page.source_line_group(model, file, Number(state.line)));
        page.dial_below(model, file, start, below);
        if (pane) page.assembly_fill(pane, model, file);
    },
};

// Chooses a line of a file, and no expression there.
page.source_go = (file, line, replaced) => page.go({file: file, line: line, position: -1, part: -1, insn: -1}, replaced);

// What each file has of the samples.
page.source_costs = function (model) {
    const nodes = model.data.nodes, cost = new Float64Array(model.data.files.path.length);
    for (let i = 0; i < model.size; i++) if (nodes.file[i] >= 0) cost[nodes.file[i]] += model.counts[i];
    return cost;
};

// The functions of a file by the line in which they begin.
page.source_starts = function (model, file) {
    const starts = new Map(), of = model.data.functions;
    for (let f = model.count; f-- > 0;) if (of.file[f] === file && !of.branch[f]) starts.set(of.line[f], f);
    return starts;
};

// Where in a line the bytes of UTF-8 begin that columns count, from 1.
page.source_column = function (text, column) {
    if (/^[\0-\x7f]*$/.test(text)) return column - 1;
    let bytes = 1, at = 0;
    for (const letter of text) {
        if (bytes >= column) break;
        const code = letter.codePointAt(0);
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        at += letter.length;
    }
    return at;
};

// Where what begins FROM there in a line ends: a word, what is in parentheses, or a letter.
page.source_end = function (text, from) {
    const word = /^\w+/.exec(text.slice(from));
    if (word) return from + word[0].length;
    let depth = 0, at = from;
    do {
        if (text[at] === '(') depth++;
        else if (text[at] === ')') depth--;
        at++;
    } while (depth > 0 && at < text.length);
    return at;
};

// By line the parts of expressions: from, to, position; the wider ones first, so that the inner ones
// are painted over them.
page.source_ranges = function (model, expressions, texts) {
    const at = model.data.positions, ranges = new Map();
    for (const p of expressions.keys()) {
        const single = !at.start_column[p], first = single ? at.line[p] : at.start_line[p], last = single ? at.line[p] : at.end_line[p];
        if (!at.column[p] || last - first > 1000) continue;
        let size = 0;
        const parts = [];
        for (let line = first; line <= last; line++) {
            const text = texts[line - 1];
            if (text === undefined) continue;
            let from = page.source_column(text, single ? at.column[p] : line === first ? at.start_column[p] : 1);
            let to = line === last && !single ? page.source_column(text, at.end_column[p] + 1) : text.length;
            if (single || (first === last && to === from + 1)) to = page.source_end(text, from);
            // The compiler's end of a macro's name is its start.
            else if (line === last) to += /^\w*/.exec(/\w/.test(text[to - 1] || '') ? text.slice(to) : '')[0].length;
            if (line !== first) from = Math.max(from, text.search(/\S|$/));
            if (to <= from) continue;
            parts.push({line: line, from: from, to: to, position: p});
            size += to - from;
        }
        for (const part of parts) {
            part.size = size;
            if (!ranges.has(part.line)) ranges.set(part.line, []);
            ranges.get(part.line).push(part);
        }
    }
    for (const list of ranges.values()) list.sort((a, b) => b.size - a.size || a.position - b.position);
    return ranges;
};

// The source as rows: the LINES that are shown, which of them the filter has FOUND, and what makes
// the ROW of a line.
page.source_text = function (model, file) {
    const state = page.state, data = model.data, texts = model.source(file) || [];
    const lines = model.lines(file, Number(state.copy)), counts = model.executions(file), metric = page.metrics_of(model, file, state.by);
    const expressions = page.source_expressions(model, file, Number(state.copy)), ranges = page.source_ranges(model, expressions, texts);
    const starts = page.source_starts(model, file), matches = page.matcher(state.search);
    const by = page.source_metrics(model).some(([name]) => name === state.by) ? state.by : 'cur';
    const paint = page.compare_paint(model, file, by);
    let most = 1;
    for (const group of (by === 'count' || paint ? [] : expressions.values())) most = Math.max(most, group[by]);
    for (const count of (by === 'count' ? counts.values() : [])) most = Math.max(most, count);
    const text = {
        missing: texts.length ? '' : page.source_missing(model, file),
        lines: texts.length ? texts.map((_, i) => i + 1)
            : Array.from(new Set([...lines.keys(), ...counts.keys(), ...(metric ? metric.lines.keys() : [])])).sort((a, b) => a - b),
    };
    for (const [line, row] of lines) if (row.cur && (!text.most || row.cur > lines.get(text.most).cur)) text.most = line;
    text.found = state.search ? text.lines.filter(line => matches(texts[line - 1] || '')) : [];
    const found = new Set(text.found);
    text.heads = [paint && ['count', by], ['cost', data.measure === 'samples' ? 'self' : data.measure], data.stacks && ['cost', 'stack'], data.lines.line.length && ['count', 'executed'],
        metric && ['count', {each: 'each time', calls: 'calls', bytes: 'bytes', blocks: 'blocks'}[state.by]], ['number', 'line']].filter(Boolean);
    text.row = function (line) {
        const row = lines.get(line), count = counts.get(line), f = starts.get(line);
        const kind = (count === 0 ? ' never' : '') + (String(line) === state.line ? ' here' : '') + (found.has(line) ? ' found' : '');
        const element = page.make('div', {'data-line': line, 'class': kind.trim() || undefined,
            on: {click: () => page.source_go(file, line), mousemove: event => page.tip(event,
                [page.source_told(model, file, line, row, count, metric), paint && paint.told(line)].filter(Boolean).join('\n')),
            mouseleave: event => page.tip(event, '')}},
        paint ? page.make('span', {'class': 'count'}, paint.brief(line)) : undefined,
        page.make('span', {'class': 'cost'}, row && row.cur ? page.percent(row.cur, model.total) : ''),
        data.stacks ? page.make('span', {'class': 'cost'}, row && row.stack ? page.percent(row.stack, model.total) : '') : undefined,
        data.lines.line.length ? page.make('span', {'class': 'count'}, count === undefined ? '' : page.number(count)) : undefined,
        metric ? page.make('span', {'class': 'count'}, metric.lines.has(line) ? metric.text(metric.lines.get(line)) : '') : undefined,
        page.make('span', {'class': 'number'}, String(line)), page.marks_span(model, file, line), page.dial_mark(model, file, line),
        page.source_line(model, file, texts[line - 1] || '', ranges.get(line), expressions,
            page.marks(model, file).signs.get(line) === 'gone', (group, p) => paint ? paint.expression(p) : metric ? metric.heat(metric.expressions.get(p)) : page.heat(by === 'count' ? 0 : group[by] / most), paint && paint.kind),
        f === undefined ? undefined : page.make('a', {href: '#view=callers&f=' + f, title: model.name(f) + ': callers and callees'}, page.shorten(model.name(f), 40)));
        if (metric && !metric.expressions.size) element.style.backgroundColor = metric.heat(metric.lines.get(line));
        if (by === 'count' && count) element.style.backgroundColor = page.heat(Math.log(count + 1) / Math.log(most + 1));
        if (paint) element.style.backgroundColor = paint.line(line);
        return element;
    };
    return text;
};

// Expressions with samples, of one copy if COPY says which, and those that allocate.
page.source_expressions = function (model, file, copy) {
    const expressions = model.expressions(file, copy), sites = model.data.sites;
    sites.position.forEach(function (p, i) {
        if (sites.file[i] === file && !expressions.has(p)) expressions.set(p, {cur: 0, stack: 0, nodes: []});
    });
    return expressions;
};

// What a line has; undefined: neither samples nor allocations.
page.source_line_group = function (model, file, line) {
    const sites = model.data.sites, is = (p, i) => sites.file[i] === file && model.data.positions.line[p] === line;
    return model.lines(file).get(line) || (sites.position.some(is) ? {cur: 0, stack: 0, nodes: []} : undefined);
};

page.source_allocated = function (model, file, p) {
    const sites = model.data.sites, told = [];
    sites.position.forEach(function (position, i) {
        if (position === p && sites.file[i] === file) told.push('\nallocated ' + page.number(sites.bytes[i]) + ' bytes in ' + page.number(sites.blocks[i]) + ' blocks');
    });
    return told.join('');
};

page.source_missing = function (model, file) {
    const files = model.data.files, withheld = files.withheld[file], of = 'The text of ' + model.path(file);
    if (withheld) return of + ' is not in this page: ' + withheld + ' is not known to be what was compiled; mlprof -source-text any shows it.';
    return of + ' was not found when this page was made. It was looked for at ' +
        (files.looked[file] || model.path(file)) + '; mlprof -source-dir or -source-map tells where else it is.';
};

// All that is known of a line, as a tip.
page.source_told = function (model, file, line, row, count, metric) {
    const told = [page.source_tip(model, row, count)];
    if (metric && metric.lines.has(line)) told.push(metric.words + ': ' + metric.text(metric.lines.get(line)) +
        (metric.whole && model.transforms.length && !model.range ? ' (of the whole run)' : ''));
    told.push(page.marks_told(model, file, line, row));
    return told.filter(Boolean).join('\n');
};

// A line in parts, each of its innermost expression, with its COLOUR, and of the KIND that a second sign is for.
page.source_line = function (model, file, text, ranges, expressions, gone, colour, kind) {
    const line = page.make('span', {'class': 'text'});
    if (!ranges) {
        const indent = gone ? /^\s*/.exec(text)[0] : text;
        line.append(indent, ...(gone ? [page.make('s', {}, text.slice(indent.length))] : []));
        return line;
    }
    const inner = new Int32Array(text.length).fill(-1);
    for (const range of ranges) inner.fill(range.position, range.from, range.to);
    for (let from = 0; from < text.length;) {
        let to = from + 1;
        while (to < text.length && inner[to] === inner[from]) to++;
        const part = text.slice(from, to), p = inner[from];
        if (p < 0) line.append(part);
        else {
            const group = expressions.get(p);
            const span = page.make('span', {'class': String(p) === page.state.position ? 'e chosen' : 'e', 'data-position': p,
                on: {
                    click: function (event) {
                        event.stopPropagation();
                        page.go({position: p, part: -1, insn: -1, line: model.data.positions.line[p], file: file});
                    },
                    mousemove: function (event) {
                        event.stopPropagation();
                        page.tip(event, page.source_tip(model, group) + '\n' + page.source_copies(model, group).length +
                            ' copies of its code have samples; a click tells all' + page.source_allocated(model, file, p));
                    }}}, part);
            span.style.backgroundColor = colour(group, p);
            if (kind && kind(p)) span.classList.add(kind(p));
            line.append(span);
        }
        from = to;
    }
    return line;
};

page.source_tip = function (model, row, count) {
    const told = [];
    if (row) {
        const [least, most] = page.interval(row.cur, 0, 0, model.total);
        told.push('itself ' + page.percent(row.cur, model.total) + ' (' + page.fixed(100 * least, 1) + ' to ' +
            page.fixed(100 * most, 1) + '), ' + page.amount(model, row.cur));
        if (model.data.stacks) told.push('with what it called ' + page.percent(row.stack, model.total));
    }
    if (count !== undefined) told.push(count ? 'executed ' + page.number(count) + ' times' + page.times_whole(model) : 'never executed');
    if (row && count && !model.range) told.push('each time ' + page.cost(model, row.cur, count));
    return told.join('\n');
};

// The copies of code that a group's nodes are in, with what each has, each sample once, and where it stands.
page.source_copies = function (model, group) {
    const of = new Set(group.nodes), copies = model.group(i => of.has(i) ? model.data.nodes.copy[i] : -1);
    return Array.from(copies.values(), ({cur, stack, nodes}) => ({cur, stack, node: nodes[0]})).sort((a, b) => b.cur - a.cur || b.stack - a.stack);
};

// What was sampled in functions that an expression or line has called, by function, each sample once.  IS: whether a
// place, its position and file, is that.
page.source_callees = function (model, is) {
    const nodes = model.data.nodes;
    const callees = model.group(function (i) {
        const parent = nodes.parent[i];
        return parent >= 0 && is(nodes.position[parent], nodes.file[parent]) ? model.function_of(i) : -1;
    });
    return Array.from(callees, ([f, {stack}]) => ({f, stack})).sort((a, b) => b.stack - a.stack);
};

// What GCC made of the copy that a node is in, and how much code it is, where the page has its code.
page.source_made = function (model, node) {
    const nodes = model.data.nodes, copies = model.data.copies, copy = nodes.copy[node], told = [];
    const part = page.assembly_part(model, copies.module[copy], copies.number[copy], copies.copy[copy]);
    if (part >= 0) return page.assembly_made(model, part, 60) + ', ' + page.number(page.assembly_code(model).insns[part]) + ' instructions';
    for (let i = node; nodes.inlined[i] && nodes.parent[i] >= 0; i = nodes.parent[i])
        told.push('inlined in ' + model.name(model.function_of(nodes.parent[i])) + ' at ' + model.position_of(nodes.parent[i]));
    return told.length ? told.join(', ') : 'own body of the function';
};

// That one copy alone is shown, with the way back.
page.source_only = function (model) {
    const copy = Number(page.state.copy), node = model.data.nodes.copy.indexOf(copy);
    return copy < 0 || node < 0 ? undefined : page.make('div', {'class': 'bar-of', id: 'only'}, 'Figures and colours of one copy: ' +
        page.shorten(model.name(model.function_of(node)), 50) + ', ' + page.source_made(model, node),
    page.make('button', {on: {click: () => page.go({copy: -1})}}, 'all copies merged'));
};

// All that is known of the expression P, or of a line if it is less than 0, below the source.
page.source_expression = function (model, file, p, below, group) {
    const nodes = model.data.nodes, sites = model.data.sites, line = Number(page.state.line);
    if (!group) return;
    const is = (position, its) => its === file && (p >= 0 ? position === p : model.data.positions.line[position] === line);
    const copies = page.source_copies(model, group), callees = page.source_callees(model, is);
    let bytes = 0, blocks = 0;
    sites.position.forEach(function (position, i) {
        if (!is(position, sites.file[i])) return;
        bytes += sites.bytes[i];
        blocks += sites.blocks[i];
    });
    below.hidden = false;
    below.append(page.make('div', {}, (p >= 0 ? 'Expression' : 'Line ' + line) + ': ' + page.source_tip(model, group).split('\n').join('; ') +
        (blocks ? '; allocated ' + page.number(bytes) + ' bytes in ' + page.number(blocks) + ' blocks' : '')));
    below.append(page.make('table', {id: 'copies'}, page.make('tbody', {}, ...copies.map((copy, i) => page.make('tr', {
        title: 'this copy alone', 'data-copy': nodes.copy[copy.node], 'aria-selected': String(nodes.copy[copy.node]) === page.state.copy ? 'true' : 'false',
        on: {click: () => page.go({copy: String(nodes.copy[copy.node]) === page.state.copy ? -1 : nodes.copy[copy.node]})}},
    page.make('td', {}, 'copy ' + (i + 1) + ' of ' + copies.length), page.make('td', {}, page.percent(copy.cur, model.total)),
    page.make('td', {}, model.data.stacks ? page.percent(copy.stack, model.total) : ''),
    page.make('td', {'class': 'name'}, model.name(model.function_of(copy.node)) + ', ' + page.source_made(model, copy.node)))))));
    if (callees.length)
        below.append(page.make('div', {}, 'It calls:'), page.make('table', {id: 'calls'}, page.make('tbody', {},
            ...callees.map(({f, stack}) => page.make('tr', {
                on: {click: () => page.go({view: 'callers', f: f})}}, page.make('td', {}, page.percent(stack, model.total)),
            page.make('td', {'class': 'name function'}, model.name(f)))))));
};
