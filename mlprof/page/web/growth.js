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

// The points of a row, what is certain of them, and the line that was fitted; an SVG picture.
page.growth_plot = function (data, what, i) {
    const W = 380, H = 300, L = 76, R = 20, T = 24, B = 44, of = data.growth, table = of[what], style = page.compare_style(data);
    const points = of.sides.map((side, k) => ({x: side.size, y: table.values[i][k], e: table.errors[i][k] || 0})).filter(p => p.y > 0);
    const svg = page.draw('svg', {id: 'plot', width: W, height: H, viewBox: '0 0 ' + W + ' ' + H, role: 'img',
        'aria-label': data.texts[table.name[i]] + ' ' + page.growth_words(data, table, i)});
    if (points.length < 2) {
        svg.append(page.draw('text', {x: L, y: H / 2}, 'It has values at ' + points.length + ' of the sizes.'));
        return svg;
    }
    const spread = (least, most) => least === most ? [least / 2, most * 2] : [least / (most / least) ** 0.06, most * (most / least) ** 0.06];
    const [x0, x1] = spread(points[0].x, points[points.length - 1].x);
    const [y0, y1] = spread(Math.min(...points.map(p => p.y * Math.exp(-1.96 * p.e))), Math.max(...points.map(p => p.y * Math.exp(1.96 * p.e))));
    const x = value => L + (W - L - R) * Math.log(value / x0) / Math.log(x1 / x0);
    const y = value => H - B - (H - B - T) * Math.log(value / y0) / Math.log(y1 / y0);
    const line = (from, to, kind) => svg.append(page.draw('line', {x1: from[0], y1: from[1], x2: to[0], y2: to[1], 'class': kind}));
    line([L, H - B], [W - R, H - B], 'axis');
    line([L, T], [L, H - B], 'axis');
    for (const p of points) {
        line([x(p.x), H - B], [x(p.x), H - B + 5], 'axis');
        svg.append(page.draw('text', {x: x(p.x), y: H - B + 18, 'text-anchor': 'middle'}, page.number(p.x)));
    }
    for (const p of [points[0], points[points.length - 1]]) {
        line([L - 5, y(p.y)], [L, y(p.y)], 'axis');
        svg.append(page.draw('text', {x: L - 8, y: y(p.y) + 4, 'text-anchor': 'end'}, style.plain(p.y)));
    }
    svg.append(page.draw('text', {x: (L + W - R) / 2, y: H - 8, 'text-anchor': 'middle'}, 'size of the input, n'),
        page.draw('text', {x: 8, y: 14}, page.compare_words(of, what) + ': n^' + page.growth_number(table.exponent[i])));
    // The line goes through the mean of the points, each with its weight, as the fit does.
    if (table.exponent[i] !== null) {
        let sum = 0, mx = 0, my = 0;
        for (const p of points) {
            const weight = 1 / Math.max(p.e * p.e, 1e-18);
            sum += weight;
            mx += weight * Math.log(p.x);
            my += weight * Math.log(p.y);
        }
        const at = value => Math.exp(my / sum + table.exponent[i] * (Math.log(value) - mx / sum));
        const from = points[0].x, to = points[points.length - 1].x;
        line([x(from), y(at(from))], [x(to), y(at(to))], 'fit');
    }
    for (const p of points) {
        if (p.e) line([x(p.x), y(p.y * Math.exp(-1.96 * p.e))], [x(p.x), y(p.y * Math.exp(1.96 * p.e))], 'error');
        svg.append(page.draw('circle', {cx: x(p.x), cy: y(p.y), r: 4}));
    }
    return svg;
};

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
        page.views.growth.keys = page.compare_table(left, columns, rows, function (i, column, cell) {
            if (column.exponent) cell.style.backgroundColor = page.growth_colour(table.exponent[i], most);
        }, (i, opened) => opened || String(i) === page.state.row ? source(i) : page.go({row: i}));
        if (chosen === undefined) return;
        right.append(page.make('h2', {}, data.texts[table.name[chosen]]), page.growth_plot(data, what, chosen),
            page.make('div', {'class': 'faint'}, page.growth_words(data, table, chosen)),
            page.make('button', {id: 'open', on: {click: () => source(chosen)}}, 'Its source'));
    },
};
