// How functions, lines and expressions grow with the size of the input: the exponent of each with
// its error, coloured by it, and the values of the chosen one on logarithmic axes.

page.growth_colour = (exponent, most) => exponent === null ? ''
    : 'rgba(var(--hot), ' + (0.04 + 0.56 * Math.max(0, exponent) / most).toFixed(3) + ')';

// The exponent of the strongest colour: the greatest one, or n^3.
page.growth_most = table => Math.max(3, ...table.exponent);

page.growth_number = value => value === null ? '-' : page.fixed(Math.abs(value) < 0.005 ? 0 : value, 2);

page.growth_words = (data, table, i) => 'grows as n^' + page.growth_number(table.exponent[i]) +
    (table.error[i] === null ? '' : ' \u00b1 ' + page.growth_number(table.error[i])) + ', last n^' + page.growth_number(table.last[i]);

page.growth_columns = function (data, what) {
    const of = data.growth, table = of[what], style = page.compare_style(data);
    return [
        {id: 'exponent', head: 'exponent', exponent: true, value: i => table.exponent[i], text: i => page.growth_number(table.exponent[i])},
        {id: 'error', head: '+-', value: i => table.error[i], text: i => page.growth_number(table.error[i])},
        {id: 'last', head: 'last', value: i => table.last[i], text: i => page.growth_number(table.last[i])},
        ...of.sides.map((side, k) => ({id: 'n' + k, head: 'n=' + side.size, value: i => table.values[i][k],
            text: i => style.plain(table.values[i][k])})),
        ...page.compare_named(data, what, table),
    ];
};

// What a row has at each size: its value, with the interval of 95 %, and the value of the line that
// was fitted (mlprof/compare/growth.c).  It goes through the mean of the points, each with its weight.
page.growth_points = function (data, what, i) {
    const of = data.growth, table = of[what], exponent = table.exponent[i];
    const points = of.sides.map(function (side, k) {
        const value = table.values[i][k], error = table.errors[i][k] || 0;
        return {size: side.size, value: value, error: error, least: value * Math.exp(-1.96 * error), most: value * Math.exp(1.96 * error), line: null};
    });
    let sum = 0, x = 0, y = 0;
    for (const point of points.filter(p => p.value > 0)) {
        const weight = 1 / Math.max(point.error * point.error, 1e-18);
        sum += weight;
        x += weight * Math.log(point.size);
        y += weight * Math.log(point.value);
    }
    if (exponent !== null) for (const point of points) point.line = Math.exp(y / sum + exponent * (Math.log(point.size) - x / sum));
    return points;
};

// Where an axis of logarithms is marked between two values: at 1, 2 and 5 times powers of ten, or at
// these alone if they are many.
page.growth_ticks = function (least, most) {
    const ticks = times => {
        const list = [];
        for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++)
            for (const of of times) {
                const value = Number((of * 10 ** power).toPrecision(3));
                if (value >= least && value <= most) list.push(value);
            }
        return list;
    };
    const all = ticks([1, 2, 5]), tens = ticks([1]), step = Math.ceil(tens.length / 8);
    return all.length <= 8 ? all : tens.filter((_, k) => k % step === 0);
};

page.growth_measure = (of, what) => of.unit === 'seconds' ? 'CPU time' : of.unit === 'share' ? 'share of all' : page.compare_words(of, what);

// A value of an axis, with its unit.
page.growth_unit = (of, value) => of.unit === 'share' ? Number((100 * value).toPrecision(3)) + '%'
    : of.unit === 'seconds' ? page.times_unit(value * 1e9) : page.number(value);

// The points of a row, what is certain of them, and the line that was fitted; an SVG picture.
page.growth_plot = function (data, what, i) {
    const W = 380, H = 300, L = 66, R = 20, T = 40, B = 44, of = data.growth, table = of[what], style = page.compare_style(data);
    const all = page.growth_points(data, what, i), points = all.filter(p => p.value > 0), words = page.growth_measure(of, what);
    const svg = page.draw('svg', {id: 'plot', width: W, height: H, viewBox: '0 0 ' + W + ' ' + H, role: 'img',
        'aria-label': data.texts[table.name[i]] + ' ' + page.growth_words(data, table, i) + '; the table below has its points'});
    if (points.length < 2) {
        svg.append(page.draw('text', {x: L, y: H / 2}, 'It has values at ' + points.length + ' of the sizes.'));
        return svg;
    }
    const spread = (least, most) => least === most ? [least / 2, most * 2] : [least / (most / least) ** 0.06, most * (most / least) ** 0.06];
    const [x0, x1] = spread(points[0].size, points[points.length - 1].size);
    const [y0, y1] = spread(Math.min(...points.map(p => p.least)), Math.max(...points.map(p => p.most)));
    const x = value => L + (W - L - R) * Math.log(value / x0) / Math.log(x1 / x0);
    const y = value => H - B - (H - B - T) * Math.log(value / y0) / Math.log(y1 / y0);
    const line = (from, to, kind) => svg.append(page.draw('line', {x1: from[0], y1: from[1], x2: to[0], y2: to[1], 'class': kind}));
    for (const value of page.growth_ticks(y0, y1)) {
        line([L - 4, y(value)], [W - R, y(value)], 'grid');
        svg.append(page.draw('text', {x: L - 8, y: y(value) + 4, 'text-anchor': 'end'}, page.growth_unit(of, value)));
    }
    line([L, H - B], [W - R, H - B], 'axis');
    line([L, T], [L, H - B], 'axis');
    // Sizes that are close have no room for their numbers.
    let free = 0;
    for (const p of points) {
        line([x(p.size), H - B], [x(p.size), H - B + 5], 'axis');
        const text = page.number(p.size), half = 3.5 * text.length;
        if (x(p.size) - half < free) continue;
        svg.append(page.draw('text', {x: x(p.size), y: H - B + 18, 'text-anchor': 'middle'}, text));
        free = x(p.size) + half;
    }
    svg.append(page.draw('text', {x: (L + W - R) / 2, y: H - 8, 'text-anchor': 'middle'}, 'size of the input, n; both axes are logarithmic'),
        page.draw('text', {x: 8, y: 14, 'class': 'title'}, words + ' ~ n^' + page.growth_number(table.exponent[i]) +
            (table.error[i] === null ? '' : ' \u00b1 ' + page.growth_number(table.error[i]))),
        page.draw('text', {x: 8, y: 30}, words));
    const last = points[points.length - 1];
    if (last.line !== null) line([x(points[0].size), y(points[0].line)], [x(last.size), y(last.line)], 'fit');
    for (const p of points) {
        if (p.error) {
            line([x(p.size), y(p.least)], [x(p.size), y(p.most)], 'error');
            for (const end of [p.least, p.most]) line([x(p.size) - 4, y(end)], [x(p.size) + 4, y(end)], 'error');
        }
        svg.append(page.draw('circle', {cx: x(p.size), cy: y(p.value), r: 4}, page.draw('title', {}, 'n = ' + page.number(p.size) + ': ' +
            page.growth_told(style, p))));
    }
    return svg;
};

page.growth_told = (style, point) => style.plain(point.value) +
    (point.error ? ', ' + style.plain(point.least) + ' to ' + style.plain(point.most) : '');

// The same as a table.
page.growth_table = function (data, what, i) {
    const style = page.compare_style(data), cells = (kind, texts) => page.make('tr', {}, ...texts.map(text => page.make(kind, {}, text)));
    return page.make('table', {id: 'points'}, page.make('thead', {}, cells('th', ['n', page.growth_measure(data.growth, what), '95% range', 'the line'])),
        page.make('tbody', {}, ...page.growth_points(data, what, i).map(p => cells('td', [page.number(p.size), style.plain(p.value),
            !(p.value > 0) ? '-' : p.error ? style.plain(p.least) + ' to ' + style.plain(p.most) : 'exact',
            p.line === null ? '-' : page.growth_line(data.growth, p.line)]))));
};

// A value of the line is no count.
page.growth_line = (of, value) => of.unit === 'seconds' || of.unit === 'share' ? page.compare_style(page.data.data).plain(value)
    : page.number(Number(value.toPrecision(4)));

page.views.growth = {
    title: 'Growth', key: 'g',
    only: data => data.growth,
    show: function (main, model) {
        const data = model.data, of = data.growth;
        const left = page.make('div', {'class': 'top'}), right = page.make('div', {'class': 'plot'});
        main.append(page.make('div', {'class': 'growth-of'}, left, right));
        const words = page.make('span', {'class': 'faint'}), what = page.compare_kinds(left, data, words), table = of[what];
        words.append(page.compare_words(of, what) + ' grow as n^exponent');
        const most = page.growth_most(table);
        const columns = page.growth_columns(data, what), rows = page.compare_rows(columns, table.row.length);
        const chosen = Number(page.state.row) >= 0 && Number(page.state.row) < table.row.length ? Number(page.state.row) : rows[0];
        const source = function (i) {
            const place = page.compare_place(model, what, i);
            if (place) page.go(Object.assign({row: i, view: 'source', position: -1, by: 'exponent'}, place));
        };
        // Beside the picture there is no room for where functions are; lines are known by it.
        const shown = what === 'functions' ? columns.filter(column => !column.place) : columns;
        page.views.growth.keys = page.compare_table(left, shown, rows, function (i, column, cell) {
            if (column.exponent) cell.style.backgroundColor = page.growth_colour(table.exponent[i], most);
        }, (i, opened) => opened || String(i) === page.state.row ? source(i) : page.go({row: i}));
        if (chosen === undefined) return;
        right.append(page.make('h2', {}, data.texts[table.name[chosen]]), page.growth_plot(data, what, chosen),
            page.make('div', {'class': 'faint'}, page.growth_words(data, table, chosen)), page.growth_table(data, what, chosen),
            page.make('button', {id: 'open', on: {click: () => source(chosen)}}, 'Its source'), page.make('button', {id: 'svg',
                on: {click: () => page.copy(page.picture(right.querySelector('#plot')), 'growth.svg')}}, 'copy SVG'));
    },
};
