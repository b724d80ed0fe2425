// The dials: each arc that the counts leave open has one, between its bounds.  Turning it moves the
// other arcs, and the aggregate times with them, while it moves.  Here are the table of all arcs, what
// follows from them, and what the source view tells of call sites and of who calls a function.

page.views.dials = {
    title: 'Call sites', key: 's', only: data => data.arcs.site.length,
    show: function (main, model) {
        const arcs = model.arcs, open = page.state.of === 'open', rows = page.dial_arcs(model, open);
        const table = page.dial_table(model, [], 'arcs'), pane = page.make('div', {}, table);
        const aggregates = page.dial_aggregates(model), dials = Array.from({length: arcs.count}, (_, a) => a).filter(arcs.has_dial).length;
        main.append(page.make('div', {'class': 'pane'},
            page.make('div', {'class': 'bar-of'},
                ...[['all', 'all'], ['open', 'with a dial']].map(([of, words]) => page.make('button', {'data-of': of,
                    'aria-current': open === (of === 'open'), on: {click: () => page.go({of: of})}}, words)),
                page.make('span', {'class': 'faint'}, page.number(rows.length) + ' arcs, ' + page.number(dials) +
                    ' between bounds' + (aggregates ? '' : ': the counts tell all')),
                page.dial_reset(model),
                page.make('button', {id: 'csv', title: 'copy as CSV', on: {click: () => page.copy(page.dial_csv(model, rows))}}, 'copy')),
            page.make('div', {'class': aggregates ? 'split wide top' : 'split whole top'}, pane, aggregates)));
        page.rows(pane, table.tBodies[0], rows.length, ROW, i => page.dial_row(model, rows[i]), () => page.make('tr', {}));
    },
};

// The arcs that are shown, in their order.
page.dial_arcs = function (model, open) {
    const arcs = model.data.arcs, matches = page.matcher(page.state.search), rows = [];
    for (let a = 0; a < model.arcs.count; a++)
        if ((!open || model.arcs.has_dial(a)) && (matches(page.dial_callee(model, a)) || matches(page.dial_caller(model, a)))) rows.push(a);
    const keys = {callee: a => page.dial_callee(model, a), caller: a => page.dial_caller(model, a)}[page.state.sort];
    return keys ? rows.sort((a, b) => keys(a) < keys(b) ? -1 : keys(a) > keys(b) ? 1 : a - b)
        : page.state.sort === 'site' ? rows : rows.sort((a, b) => arcs.calls[b] - arcs.calls[a] || a - b);
};

page.dial_callee = function (model, a) {
    const {arcs, call_sites: sites, texts} = model.data, callee = arcs.callee[a];
    if (callee === page.OTHERS) return '<others>';
    return callee < 0 && sites.outside[arcs.site[a]] >= 0 ? texts[sites.outside[arcs.site[a]]] : model.name(callee);
};
page.dial_caller = (model, a) => model.name(model.data.arcs.site[a] < 0 ? -1 : model.data.call_sites.function[model.data.arcs.site[a]]);
page.dial_place = function (model, a) {
    const sites = model.data.call_sites, s = model.data.arcs.site[a];
    return s < 0 ? '' : model.last(model.path(sites.file[s])) + ':' + (sites.line[s] || '?') + (sites.column[s] ? ':' + sites.column[s] : '');
};

// An arc's figures as mlprof -arcs has them.
page.dial_figures = function (model, a) {
    const [least, most] = model.arcs.range(a), turned = model.arcs.turned.has(a), 
        calls = model.arcs.turned.size ? Math.round(model.arcs.calls(a)) : model.data.arcs.calls[a];
    return {calls: calls, least: least, most: most, turned: turned,
        text: (turned || least === most ? '' : '~') + page.number(calls),
        sure: turned ? 'set' : page.fixed(least === most ? 100 : 100 * least / most, 0) + '%'};
};

page.dial_csv = (model, rows) => ['calls,least,most,sure,callee,caller,place', ...rows.map(function (a) {
    const of = page.dial_figures(model, a), cell = text => '"' + text.replace(/"/g, '""') + '"';
    return [of.calls, of.least, of.most, of.sure, cell(page.dial_callee(model, a)), cell(page.dial_caller(model, a)),
        cell(page.dial_place(model, a))].join(',');
})].join('\n') + '\n';

page.dial_reset = function (model) {
    const button = page.make('button', {id: 'reset', title: 'all dials back to the estimates', on: {click: () => page.go({dials: ''})}});
    page.dial_follows(button, function () {
        const turned = model.arcs.turned.size;
        button.disabled = !turned;
        button.textContent = turned ? 'reset ' + turned + (turned === 1 ? ' dial' : ' dials') : 'reset';
    });
    return button;
};

// An element that UPDATE changes now, and whenever a dial is turned.
page.dial_follows = function (element, update) {
    element.classList.add('follows');
    element.update = update;
    update();
};

// Turns the dial of arc A; undefined: leaves it to the equations again.  What is shown follows.
page.dial_turn = function (model, a, calls, kept) {
    const turned = new Map(model.arcs.turned);
    turned.delete(a);
    if (calls !== undefined) turned.set(a, calls);
    const text = model.arcs.write(turned);
    if (kept) page.state_write({dials: text});
    model.arcs.turn(text);
    for (const element of document.querySelectorAll('.follows')) element.update();
};

page.dial_slider = function (model, a) {
    const slider = page.make('input', {type: 'range', 'class': 'dial', 'data-arc': a, step: 1,
        'aria-label': 'calls of ' + page.dial_callee(model, a) + ' by ' + page.dial_caller(model, a) + ' at ' + page.dial_place(model, a),
        on: {
            click: event => event.stopPropagation(),
            input: event => page.dial_turn(model, a, Number(event.target.value), false),
            change: event => page.dial_turn(model, a, Number(event.target.value), true),
            keydown: event => event.stopPropagation(),
        }});
    return slider;
};

// A row of an arc, with its dial; what of it changes is an update.
page.dial_row = function (model, a, callers) {
    const {call_sites: sites, arcs} = model.data, open = model.arcs.has_dial(a), site = arcs.site[a];
    const cells = {text: page.make('td', {}), least: page.make('td', {}), most: page.make('td', {}), sure: page.make('td', {})};
    const slider = open ? page.dial_slider(model, a) : undefined, bound = open ? page.make('button', {'class': 'free',
        title: 'leave it to the equations again', on: {click: function (event) {
            event.stopPropagation();
            page.dial_turn(model, a, undefined, true);
        }}}, '\u00d7') : undefined;
    const row = page.make('tr', {'data-arc': a, on: {click: () => page.dial_go(model, a, callers)}},
        cells.text, cells.least, page.make('td', {'class': 'dial'}, slider, bound), cells.most, cells.sure,
        callers === true ? undefined : page.make('td', {'class': 'name function', title: page.dial_callee(model, a)}, page.dial_callee(model, a)),
        callers === false ? undefined : page.make('td', {'class': 'name function', title: page.dial_caller(model, a) + ': to the call site',
            on: {click: function (event) { event.stopPropagation(); page.dial_go(model, a, true); }}}, page.dial_caller(model, a)),
        page.make('td', {'class': 'place'}, page.dial_place(model, a)));
    page.dial_follows(row, function () {
        const of = page.dial_figures(model, a);
        cells.text.textContent = of.text;
        cells.least.textContent = page.number(of.least);
        cells.most.textContent = page.number(of.most);
        cells.sure.textContent = of.sure;
        row.classList.toggle('turned', of.turned);
        if (!slider) return;
        slider.min = of.least;
        slider.max = of.most;
        slider.value = of.calls;
        slider.disabled = of.least === of.most;
        bound.hidden = !of.turned;
    });
    return row;
};

// To the callee, or of a list of CALLERS to the call site, in the source.
page.dial_go = function (model, a, callers) {
    const {call_sites: sites, arcs, functions} = model.data, f = arcs.callee[a], s = arcs.site[a];
    if (callers === true && s >= 0)
        page.go({view: 'source', f: sites.function[s], file: sites.file[s], line: sites.line[s], position: -1, part: -1, insn: -1});
    else if (callers !== true && f >= 0)
        page.go({view: 'source', f: f, file: functions.file[f], line: functions.line[f], position: -1, part: -1, insn: -1});
};

// A table of arcs.  CALLERS: true, those of a function; false, the callees of a site; else both sides are told, and
// it can be sorted.
page.dial_table = function (model, list, id, callers) {
    const both = callers === undefined, head = (sort, text, name) => page.make('th', {'class': name ? 'name' : undefined,
        'data-sort': both ? sort : undefined, 'aria-sort': both && page.state.sort === sort ? 'descending' : undefined,
        on: both ? {click: () => page.go({sort: sort})} : {}}, text);
    return page.make('table', {id: id}, page.make('thead', {}, page.make('tr', {},
        head('calls', 'calls'), head('calls', 'least'), page.make('th', {}, ''), head('calls', 'most'), head('calls', 'sure'),
        callers === true ? undefined : head('callee', 'calls whom', true), callers === false ? undefined : head('caller', 'in', true),
        head('site', 'place', true))),
    page.make('tbody', {}, ...list.map(a => page.dial_row(model, a, callers))));
};

// The functions whose aggregate depends on the dials, with what it was before any was turned; nothing if
// none does.
page.dial_aggregates = function (model) {
    const data = model.data, MOST = 200, total = model.total;
    const all = page.arcs_dependent(data, model.arcs), calls = data.functions.calls;
    const list = all.sort((f, g) => calls[g] - calls[f] || f - g).slice(0, MOST);
    const body = page.make('tbody', {}), before = model.arcs.estimates || (model.arcs.estimates = new Map());
    for (const f of list) {
        const now = page.make('td', {'class': 'bar'}), amount = page.make('td', {}), moved = page.make('td', {});
        body.append(page.make('tr', {'data-f': f, on: {click: () => page.go({view: 'callers', f: f})}}, now, amount, moved,
            page.make('td', {}, page.percent(page.arcs_own(data)[f], total)), page.make('td', {'class': 'name function'}, model.name(f))));
        page.dial_follows(now, function () {
            const value = page.arcs_aggregates(data, model.arcs)[f];
            if (!model.arcs.turned.size && !before.size) page.arcs_aggregates(data, model.arcs).forEach((of, g) => before.set(g, of));
            if (!before.has(f)) {
                const text = model.arcs.text;
                model.arcs.turn('');
                page.arcs_aggregates(data, model.arcs).forEach((of, g) => before.set(g, of));
                model.arcs.turn(text);
            }
            const by = 100 * (value - before.get(f)) / (total || 1);
            if (Number.isNaN(value)) {
                now.textContent = amount.textContent = '-';
                now.title = amount.title = 'not known: the function is in a circle of more than ' + page.number(page.ARCS_LARGEST) +
                    ' that call each other, for which this page does not solve the equations';
                return;
            }
            now.textContent = page.percent(value, total);
            now.style.backgroundSize = 100 * value / (total || 1) + '% 100%';
            amount.textContent = page.dial_amount(model, value);
            moved.textContent = Math.abs(by) < 0.05 ? '' : (by > 0 ? '+' : '') + page.fixed(by, 1);
        });
    }
    return !list.length ? undefined : page.make('div', {}, page.make('table', {id: 'aggregates'}, page.make('thead', {}, page.make('tr', {},
        page.make('th', {title: 'with what it called, in proportion to calls'}, 'aggregate'),
        page.make('th', {}, data.measure === 'samples' ? 'seconds' : data.measure),
        page.make('th', {title: 'points since the dials were turned'}, 'moved'), page.make('th', {}, 'self'),
        page.make('th', {'class': 'name'}, 'function'))), body),
    all.length > MOST ? page.make('div', {'class': 'faint'}, page.number(all.length - MOST) + ' functions with fewer calls are not shown.') : undefined);
};
page.dial_amount = (model, value) => model.data.measure === 'samples' ? page.fixed(model.seconds(value), 2) : page.number(Math.round(value));

// In front of a line of source that has call sites, with whom they call, most first, under the pointer.
page.dial_mark = function (model, file, line) {
    const list = page.dial_line(model, file, line).sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a));
    if (!list.length) return page.make('span', {'class': 'sites'});
    const link = page.make('a', {'class': 'sites', href: '#', on: {click: function (event) {
        event.preventDefault();
        event.stopPropagation();
        page.source_go(file, line);
    }}}, '\u2192');
    page.dial_follows(link, function () {
        link.title = list.slice(0, 20).map(a => page.dial_callee(model, a) + ' ' + page.dial_figures(model, a).text).join('\n');
    });
    return link;
};

// The arcs of a line, site by site, of each those with most calls first.
page.dial_line = (model, file, line) => (model.arcs.of_line.get(file + ':' + line) || []).flatMap(s =>
    (model.arcs.of_site.get(s) || []).slice().sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b));

// Below the source: whom the call sites of LINE call, and the call sites of a function that begins there,
// most calls first.
page.dial_below = function (model, file, line, below) {
    const f = page.source_starts(model, file).get(Number(line)), callees = page.dial_line(model, file, line);
    const callers = (f === undefined ? [] : model.arcs.of_callee.get(f) || []).slice()
        .sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b);
    if (callers.length) below.append(page.make('div', {}, 'Who calls ' + model.name(f) + ':'), page.dial_table(model, callers, 'callers', true));
    if (callees.length) below.append(page.make('div', {}, 'Whom line ' + line + ' calls:'), page.dial_table(model, callees, 'reached', false));
    if (model.arcs.turned.size && callers.length + callees.length) below.append(page.dial_reset(model));
    if (callers.length + callees.length) below.hidden = false;
};
