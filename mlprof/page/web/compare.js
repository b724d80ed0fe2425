// What changed between two sides, or how it grows with the input: tables of functions, lines and
// expressions, and what the source is coloured by (mlprof/compare/compare-page.h).

Object.assign(page.defaults, {what: 'functions', order: '', row: '-1', wide: 'after'});

page.compare_of = data => data.compare || data.growth;

// What is compared: calls of functions, executions of what stands in them.
page.compare_words = (of, what) => what !== 'functions' && of.words === 'calls' ? 'executions' : of.words;

// How values of a comparison are written.
page.compare_style = function (data) {
    const of = page.compare_of(data), digits = data.rate <= 100 ? 2 : data.rate <= 1000 ? 3 : 4;
    const plain = value => of.unit === 'share' ? page.fixed(100 * value, 1) + '%'
        : of.unit === 'seconds' ? page.fixed(value, digits) + ' s'
            : Number.isInteger(value) ? page.number(value) : page.fixed(value, 1);
    const style = {plain: value => value === null ? '-' : plain(value)};
    style.signed = function (value) {
        const text = plain(Math.abs(value));
        return /[1-9]/.test(text) ? (value < 0 ? '-' : '+') + text : text;
    };
    return style;
};

// More, less or neither, for the eye: a sign beside the colour, and grey where it is not certain.
page.compare_sign = (change, certain) => !certain || !change ? '\u00b7' : change > 0 ? '\u25b2' : '\u25bc';

page.compare_colour = function (change, certain, strength) {
    if (!certain || !change) return 'rgba(128, 128, 136, ' + (0.08 + 0.1 * strength).toFixed(3) + ')';
    return 'rgba(var(--' + (change > 0 ? 'hot' : 'cool') + '), ' + (0.1 + 0.5 * strength).toFixed(3) + ')';
};

// By how many percent it grew, or that it is on one side alone.
page.compare_growth = function (before, after) {
    if (!(before > 0)) return before === null ? 'new' : 'from 0';
    if (!(after > 0)) return after === null ? 'gone' : 'to 0';
    const percent = 100 * (after / before - 1);
    return Math.abs(percent) < 9999.5 ? (percent < 0 ? '' : '+') + page.fixed(percent, 1) + '%'
        : 'x' + page.number(Number((after / before).toPrecision(3)));
};

page.compare_chance = function (table, i) {
    if (table.exact[i]) return 'exact';
    return table.chance[i] === null ? '-' : table.chance[i] < 0.001 ? '<0.001' : page.fixed(table.chance[i], 3);
};

page.compare_value = function (value) {
    if (value === null) return '-';
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4)) return String(Number(value.toPrecision(4)));
    return page.number(Number(page.fixed(value, Number.isInteger(size) || size >= 1e6 ? 0 : size < 10 ? 4 : size < 1000 ? 2 : 1)));
};

page.compare_change = (table, i) => (table.after[i] || 0) - (table.before[i] || 0);

// The columns that tables of changes and of growth have at the end.
page.compare_named = function (data, what, table) {
    const name = i => data.texts[table.name[i]], place = i => table.place[i] < 0 ? '' : data.texts[table.place[i]];
    return [{id: 'name', head: what, name: true, value: name, text: name},
        {id: 'place', head: 'place', place: true, value: place, text: i => place(i).replace(/\/[^ ]*\//g, '').replace(': ', ':')}];
};

page.compare_columns = function (data, what) {
    const of = data.compare, table = of[what], style = page.compare_style(data);
    const change = i => page.compare_change(table, i), uncertain = table.exact.some(exact => !exact);
    return [
        {id: 'before', head: 'before', value: i => table.before[i], text: i => style.plain(table.before[i])},
        {id: 'after', head: 'after', value: i => table.after[i], text: i => style.plain(table.after[i])},
        {id: 'change', head: 'change', change: true, value: change, text: i => style.signed(change(i))},
        {id: 'percent', head: 'in %', value: i => table.before[i] > 0 ? change(i) / table.before[i] : change(i) > 0 ? Infinity : 0,
            text: i => page.compare_growth(table.before[i], table.after[i])},
        uncertain && {id: 'range', head: '95% range', value: i => table.least[i],
            text: i => style.signed(table.least[i]) + ' to ' + style.signed(table.most[i])},
        uncertain && {id: 'chance', head: 'chance', value: i => table.chance[i] === null ? -Infinity : -table.chance[i],
            text: i => page.compare_chance(table, i)},
        table.value && {id: 'value', head: 'value', value: i => table.value[i], text: i => page.compare_value(table.value[i])},
        ...page.compare_named(data, what, table),
    ].filter(Boolean);
};

// The rows that match what is searched for, in the order of a column; otherwise by the formula, or as
// mlprof has them.
page.compare_rows = function (columns, count) {
    const name = columns.find(c => c.name), place = columns.find(c => c.place), matches = page.matcher(page.state.search), rows = [];
    for (let i = 0; i < count; i++) if (matches(name.text(i)) || matches(place.text(i))) rows.push(i);
    const order = page.state.order || 'value', up = order[0] === '-', column = columns.find(c => c.id === order.replace('-', ''));
    if (!column) return rows;
    const least = value => value === null || Number.isNaN(value) ? -Infinity : value;
    rows.sort(function (a, b) {
        const x = least(column.value(a)), y = least(column.value(b));
        const order = x === y ? 0 : typeof x === 'string' ? (x < y ? -1 : 1) : x > y ? -1 : 1;
        return (up ? -order : order) || a - b;
    });
    return rows;
};

// Where a row's source is; null: it is not in the program of this page.
page.compare_place = function (model, what, i) {
    const data = model.data, row = page.compare_of(data)[what].row[i];
    if (row < 0) return null;
    const table = what === 'functions' ? data.functions : data.groups[what];
    return {f: what === 'functions' ? row : -1, file: table.file[row], line: table.line[row]};
};

// What the columns say, for the pointer; those of sizes are `n0', `n1' and so on.
page.compare_heads = {before: 'of the runs before, each', after: 'of the runs after, each', change: 'after less before; grey: may be chance',
    percent: 'the change in percent of before', range: 'where the change of all such runs lies, 19 times of 20',
    chance: 'the probability that this change, or any with a lower one, is chance alone', value: 'of the formula', name: 'its name', place: 'where it is',
    exponent: 'k of n^k, the power of the input\'s size with which it grows', error: 'half of the interval of 95 % of the exponent',
    last: 'the exponent between the two greatest sizes: if it is greater, it grows faster than by a power'};

// The columns of a table that mlprof has declared (mlprof/table/page-table.c). A star of the terminal is a sign
// of its own here, and what is more certain comes first.
page.table_columns = list => list.map(column => ({id: column.id, head: column.head.trim(), means: column.means,
    value: i => column.id === 'chance' && column.values[i] !== null ? -column.values[i] : column.values[i],
    text: i => column.texts[i].replace(/[ *]+$/, '')}));

// A table of which only the rows in view are elements; LOOK(i, column, cell) adds to a cell.
page.compare_table = function (main, columns, rows, look, choose) {
    const order = (page.state.order || 'value').replace('-', '');
    const head = page.make('tr', {}, ...columns.map(column => page.make('th', {
        'class': column.name || column.place ? 'name' : undefined, 'data-order': column.id,
        title: (column.means || page.compare_heads[column.id] || 'what was measured at this size') + '; a click sorts by it, once more the other way round',
        'aria-sort': column.id === order ? (page.state.order[0] === '-' ? 'ascending' : 'descending') : undefined,
        on: {click: () => page.go({order: page.state.order === column.id ? '-' + column.id : column.id})}}, column.head)));
    const body = page.make('tbody', {});
    main.append(page.make('table', {id: 'changes-of'}, page.make('thead', {}, head), body));
    if (!rows.length) main.append(page.make('div', {'class': 'empty'}, 'Nothing matches.'));
    const row = i => page.make('tr', {'data-at': i, 'aria-selected': String(i) === page.state.row ? 'true' : 'false',
        on: {click: () => choose(i)}}, ...columns.map(function (column) {
        const cell = page.make('td', {'class': column.of_functions ? 'name function' : column.name ? 'name' : column.place ? 'place' : undefined,
            title: column.name ? column.text(i) : undefined}, column.text(i));
        look(i, column, cell);
        return cell;
    }));
    page.rows(main, body, rows.length, ROW, i => row(rows[i]), () => page.make('tr', {}));
    // Keys go along the rows.
    return function (event) {
        const at = rows.indexOf(Number(page.state.row)), step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (event.key === 'Enter' && at >= 0) choose(rows[at], true);
        else if (step && rows[at + step] !== undefined) {
            page.go({row: rows[at + step]}, true);
            page.rows_to(main, at + step, ROW);
        } else return false;
        return true;
    };
};

// What tables there are, as buttons; returns the one that is shown.
page.compare_kinds = function (main, data, ...more) {
    const of = page.compare_of(data), kinds = ['functions', 'lines', 'expressions'].filter(kind => of[kind] && of[kind].row.length);
    const what = kinds.includes(page.state.what) ? page.state.what : 'functions';
    main.append(page.make('div', {'class': 'bar-of'}, ...kinds.map(kind => page.make('button', {'data-what': kind,
        'aria-current': kind === what, on: {click: () => page.go({what: kind, row: -1})}}, kind)),
    page.make('button', {id: 'copy', title: 'the rows as comma-separated values', on: {click: function () {
        const columns = data.compare ? page.compare_columns(data, what) : page.growth_columns(data, what);
        page.copy(page.csv(columns, page.compare_rows(columns, of[what].row.length)));
    }}}, 'Copy as CSV'), ...more));
    return what;
};

// The sides in words, and the change of the whole.
page.compare_heading = function (data) {
    const of = data.compare, all = of.all, change = all.after - all.before;
    const whole = value => all.seconds ? page.fixed(value, 2) + ' s' : page.number(value) + ' ' + of.words;
    const signed = value => (value < 0 ? '-' : '+') + whole(Math.abs(value));
    const side = (word, i) => word + '  ' + of.sides[i].program + ', ' + of.sides[i].runs + (of.sides[i].runs === 1 ? ' run, ' : ' runs, ') +
        whole(i ? all.after : all.before) + (of.sides[i].runs > 1 ? ' each' : '') +
        (of.sides[i].size === null ? '' : ', n(' + 'ab'[i] + ') = ' + of.sides[i].size);
    return [side('before', 0), side('after ', 1), 'change  ' + page.compare_sign(change, all.certain) + ' ' + signed(change) + ' (' +
        page.compare_growth(all.before, all.after) + ')' + (all.exact ? '' : ', ' + signed(all.least) + ' to ' + signed(all.most) +
        (all.certain ? ', certain' : ', not certain')),
    of.formula ? 'value   ' + of.formula : ''].filter(Boolean).join('\n');
};

page.views.compare = {
    title: 'Changes', key: 'c',
    only: data => data.compare,
    show: function (main, model) {
        const data = model.data, of = data.compare;
        main.append(page.make('pre', {id: 'sides'}, page.compare_heading(data)));
        const what = page.compare_kinds(main, data, page.make('span', {'class': 'faint'}, '\u25b2 more, \u25bc less: certain; \u00b7 grey: ' +
            'may be chance, or no change')), table = of[what];
        const columns = page.compare_columns(data, what), rows = page.compare_rows(columns, table.row.length);
        let most = 0;
        for (let i = 0; i < table.row.length; i++) most = Math.max(most, Math.abs(page.compare_change(table, i)));
        page.views.compare.keys = page.compare_table(main, columns, rows, function (i, column, cell) {
            if (!column.change) return;
            const change = column.value(i);
            cell.prepend(page.compare_sign(change, table.certain[i]) + ' ');
            cell.classList.toggle('faint', !table.certain[i]);
            cell.style.backgroundColor = page.compare_colour(change, table.certain[i], Math.abs(change) / (most || 1));
        }, function (i) {
            const place = page.compare_place(model, what, i);
            page.go(place ? Object.assign({row: i, view: 'source', position: -1, by: of.formula ? 'value' : 'change'}, place) : {row: i});
        });
    },
};

// By line of a file, and by expression as source.js numbers them, the row of the comparison.
page.compare_found = function (model, file) {
    const data = model.data, of = page.compare_of(data), found = {lines: new Map(), expressions: new Map()};
    if (of.lines)
        of.lines.row.forEach(function (row, i) {
            if (row >= 0 && data.groups.lines.file[row] === file) found.lines.set(data.groups.lines.line[row], i);
        });
    if (!of.expressions) return found;
    const at = data.positions, places = new Map();
    of.expressions.row.forEach(function (row, i) {
        if (row >= 0 && data.groups.expressions.file[row] === file)
            places.set(data.texts[of.expressions.place[i]].replace(/^.*: /, ''), i);
    });
    for (const p of model.expressions(file).keys()) {
        const start = at.start_line[p] + ':' + at.start_column[p], end = at.end_line[p] + ':' + at.end_column[p];
        const place = !at.column[p] ? at.line[p] + ':?' : start === end ? start : start + '-' + end;
        if (places.has(place)) found.expressions.set(p, places.get(place));
    }
    return found;
};

// How a file's source is painted by the change, or by the exponent: colours of lines and of
// expressions, and what is told of a line.  Null: BY is something else.  Where lines cannot be
// compared, since the program is another build, a function's lines are coloured by its change.
page.compare_paint = function (model, file, by) {
    const data = model.data, of = page.compare_of(data);
    if (!of || !['change', 'value', 'exponent'].includes(by)) return null;
    const found = page.compare_found(model, file), style = page.compare_style(data), starts = page.source_starts(model, file);
    const most = by === 'exponent' ? page.growth_most(of.lines) : 0;
    const greatest = new Map([of.functions, of.lines, of.expressions].filter(table => table && table.value).map(table =>
        [table, table.value.reduce((a, b) => Math.max(a, Math.abs(b)), 0)]));
    const colour = function (table, i) {
        if (by === 'exponent') return page.growth_colour(table.exponent[i], most);
        if (by === 'value') {
            const value = table.value[i];
            return value ? 'rgba(var(--' + (value > 0 ? 'hot' : 'cool') + '), ' + (0.6 * Math.sqrt(Math.abs(value) / greatest.get(table))).toFixed(3) + ')' : '';
        }
        const change = page.compare_change(table, i), greater = Math.max(table.before[i] || 0, table.after[i] || 0);
        return page.compare_colour(change, table.certain[i], Math.min(1, Math.abs(change) / (greater || 1)));
    };
    const tell = function (table, i) {
        if (by === 'exponent') return page.growth_words(data, table, i);
        const change = page.compare_change(table, i);
        return (of.formula ? 'value ' + page.compare_value(table.value[i]) + '; ' : '') + page.compare_sign(change, table.certain[i]) + ' ' + style.signed(change) + ' (' +
            page.compare_growth(table.before[i], table.after[i]) + '): before ' + style.plain(table.before[i]) + ', after ' +
            style.plain(table.after[i]) + (table.exact[i] ? '' : table.certain[i] ? ', certain' : ', may be chance');
    };
    const whole = new Map();
    if (!of.lines) {
        const rows = new Map(of.functions.row.map((row, i) => [row, i])), lines = (data.files.text[file] || '').split('\n').length;
        let last;
        for (let line = 1; line <= lines; line++) {
            if (starts.has(line)) last = rows.get(starts.get(line));
            if (last !== undefined) whole.set(line, last);
        }
    }
    // So that it is not told by colour alone.
    const brief = (table, i) => by === 'exponent' ? 'n^' + page.growth_number(table.exponent[i])
        : by === 'value' ? page.compare_value(table.value[i])
            : page.compare_sign(page.compare_change(table, i), table.certain[i]) +
                (table.certain[i] ? ' ' + page.compare_growth(table.before[i], table.after[i]) : '');
    return {
        brief: line => found.lines.has(line) ? brief(of.lines, found.lines.get(line))
            : whole.has(line) && starts.has(line) ? brief(of.functions, whole.get(line)) : '',
        line: line => whole.has(line) ? colour(of.functions, whole.get(line))
            : found.lines.has(line) ? colour(of.lines, found.lines.get(line)) : '',
        expression: p => found.expressions.has(p) ? colour(of.expressions, found.expressions.get(p)) : '',
        kind: function (p) {
            const table = of.expressions, i = found.expressions.get(p), change = i === undefined || by === 'exponent' ? 0
                : by === 'value' ? table.value[i] : table.certain[i] && page.compare_change(table, i);
            return change > 0 ? 'more' : change < 0 ? 'less' : '';
        },
        told: line => whole.has(line) ? 'its function: ' + tell(of.functions, whole.get(line))
            : found.lines.has(line) ? 'the line: ' + tell(of.lines, found.lines.get(line)) : '',
    };
};
