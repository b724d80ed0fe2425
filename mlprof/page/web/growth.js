// The view of growth with the size of the input: a table of functions, lines or expressions with
// their exponents and errors, coloured by exponent, and a plot of the chosen row on logarithmic
// axes.

import {fixed_text, number_text, unit_text} from './numbers.js';
import {button_make, draw, make, table_plain} from './elements.js';
import {axis_log, axis_ticks, line_make} from './drawing.js';
import {go, go_source, state} from './state.js';
import {picture_button} from './clipboard.js';
import {table_column, table_rows, table_show} from './table.js';
import {
    compare_table_buttons,
    compare_name_columns,
    compare_place,
    compare_style,
    compare_words,
} from './compare.js';

export const growth_colour = (exponent, most) =>
    exponent === null
        ? ''
        : 'rgba(var(--hot), ' + (0.04 + (0.56 * Math.max(0, exponent)) / most).toFixed(3) + ')';

// The exponent that is drawn in the strongest colour: the greatest exponent, but at least 3.
export const growth_most = table => Math.max(3, ...table.exponent);

export const growth_number = value =>
    value === null ? '-' : fixed_text(Math.abs(value) < 0.005 ? 0 : value, 2);

const growth_exponent = (table, i) =>
    'n^' + growth_number(table.exponent[i]) +
    (table.error[i] === null ? '' : ' \u00b1 ' + growth_number(table.error[i]));

export const growth_words = (data, table, i) =>
    'grows as ' + growth_exponent(table, i) + ', last n^' + growth_number(table.last[i]);

function growth_columns(data, what) {
    const growth = data.growth;
    const table = growth[what];
    const means = growth.means;
    const style = compare_style(data);
    const column = (id, head, says, more) =>
        table_column(id, head, says, i => table[id][i], growth_number, more);
    return [
        column('exponent', 'exponent', means.exponent, {exponent: true}),
        column('error', '+-', means.exponent_error),
        column('last', 'last', means.exponent_last),
        ...growth.sides.map((side, k) =>
            table_column(
                'n' + k,
                'n=' + side.size,
                'what was measured at this size',
                i => table.values[i][k],
                style.plain
            )
        ),
        ...compare_name_columns(data, what, table),
    ];
}

// Returns the points of a row. For each size, a point has the value with its 95 % confidence
// interval, and the value of the fitted line, which goes through the weighted mean of the points.
function growth_points(data, what, i) {
    const growth = data.growth;
    const table = growth[what];
    const exponent = table.exponent[i];
    const points = growth.sides.map(function (side, k) {
        const value = table.values[i][k];
        const error = table.errors[i][k] || 0;
        return {
            size: side.size,
            value: value,
            error: error,
            least: value * Math.exp(-1.96 * error),
            most: value * Math.exp(1.96 * error),
            line: null,
        };
    });
    let sum = 0,
        x = 0,
        y = 0;
    for (const point of points.filter(p => p.value > 0)) {
        const weight = 1 / Math.max(point.error * point.error, 1e-18);
        sum += weight;
        x += weight * Math.log(point.size);
        y += weight * Math.log(point.value);
    }
    if (exponent !== null)
        for (const point of points)
            point.line = Math.exp(y / sum + exponent * (Math.log(point.size) - x / sum));
    return points;
}

// Returns the ticks of a logarithmic axis between two values: 1, 2 and 5 times powers of ten. If
// these are too many, returns only powers of ten.
function growth_ticks(least, most) {
    const all = axis_ticks(least, most, [1, 2, 5]);
    const tens = axis_ticks(least, most, [1]);
    const step = Math.ceil(tens.length / 8);
    return all.length <= 8 ? all : tens.filter((_, k) => k % step === 0);
}

const growth_measure = (growth, what) =>
    growth.unit === 'seconds'
        ? 'CPU time'
        : growth.unit === 'share'
          ? 'share of all'
          : compare_words(growth, what);

// Returns the text of a value on an axis, with its unit.
const growth_unit = (growth, value) =>
    growth.unit === 'share'
        ? Number((100 * value).toPrecision(3)) + '%'
        : growth.unit === 'seconds'
          ? unit_text(value * 1e9)
          : number_text(value);

// Returns an SVG picture of the points of a row with their intervals, and of the fitted line.
function growth_plot(data, what, i) {
    const W = 380;
    const H = 300;
    const L = 66;
    const R = 20;
    const T = 40;
    const B = 44;
    const growth = data.growth;
    const table = growth[what];
    const style = compare_style(data);
    const all = growth_points(data, what, i);
    const points = all.filter(p => p.value > 0);
    const words = growth_measure(growth, what);
    const svg = draw('svg', {
        id: 'plot',
        width: W,
        height: H,
        viewBox: '0 0 ' + W + ' ' + H,
        role: 'img',
        'aria-label':
            data.texts[table.name[i]] + ' ' + growth_words(data, table, i) +
            '; the table below has its points',
    });
    if (points.length < 2) {
        svg.append(
            draw('text', {x: L, y: H / 2}, 'It has values at ' + points.length + ' of the sizes.')
        );
        return svg;
    }
    const spread = (least, most) =>
        least === most
            ? [least / 2, most * 2]
            : [least / (most / least) ** 0.06, most * (most / least) ** 0.06];
    const [x0, x1] = spread(points[0].size, points[points.length - 1].size);
    const [y0, y1] = spread(
        Math.min(...points.map(p => p.least)),
        Math.max(...points.map(p => p.most))
    );
    const x = axis_log(x0, x1, L, W - R);
    const y = axis_log(y0, y1, H - B, T);
    const line = (start, end, kind) => svg.append(line_make(start, end, kind));
    for (const value of growth_ticks(y0, y1)) {
        line([L - 4, y(value)], [W - R, y(value)], 'grid');
        svg.append(
            draw('text', {x: L - 8, y: y(value) + 4, 'text-anchor': 'end'},
                growth_unit(growth, value)
            )
        );
    }
    line([L, H - B], [W - R, H - B], 'axis');
    line([L, T], [L, H - B], 'axis');
    // Omit the label of a size if it is too close to the label before it.
    let free = 0;
    for (const p of points) {
        line([x(p.size), H - B], [x(p.size), H - B + 5], 'axis');
        const text = number_text(p.size);
        const half = 3.5 * text.length;
        if (x(p.size) - half < free)
            continue;
        svg.append(draw('text', {x: x(p.size), y: H - B + 18, 'text-anchor': 'middle'}, text));
        free = x(p.size) + half;
    }
    svg.append(
        draw('text', {x: (L + W - R) / 2, y: H - 8, 'text-anchor': 'middle'},
            'size of the input, n; both axes are logarithmic'
        ),
        draw('text', {x: 8, y: 14, class: 'title'},
            words + ' ~ ' + growth_exponent(table, i)
        ),
        draw('text', {x: 8, y: 30}, words)
    );
    const last = points[points.length - 1];
    if (last.line !== null)
        line([x(points[0].size), y(points[0].line)], [x(last.size), y(last.line)], 'fit');
    for (const p of points) {
        if (p.error) {
            line([x(p.size), y(p.least)], [x(p.size), y(p.most)], 'error');
            for (const end of [p.least, p.most])
                line([x(p.size) - 4, y(end)], [x(p.size) + 4, y(end)], 'error');
        }
        svg.append(
            draw('circle', {cx: x(p.size), cy: y(p.value), r: 4},
                draw('title', {}, 'n = ' + number_text(p.size) + ': ' + growth_text(style, p))
            )
        );
    }
    return svg;
}

const growth_text = (style, point) =>
    style.plain(point.value) +
    (point.error ? ', ' + style.plain(point.least) + ' to ' + style.plain(point.most) : '');

// Returns the points of a row as a table.
function growth_table(data, what, i) {
    const style = compare_style(data);
    return table_plain(
        {id: 'points'},
        ['n', growth_measure(data.growth, what), '95% range', 'the line'],
        growth_points(data, what, i).map(p => [
            number_text(p.size),
            style.plain(p.value),
            !(p.value > 0)
                ? '-'
                : p.error
                  ? style.plain(p.least) + ' to ' + style.plain(p.most)
                  : 'exact',
            p.line === null ? '-' : growth_line(data, p.line),
        ])
    );
}

// Returns the text of a value of the fitted line. Counts are rounded.
const growth_line = (data, value) =>
    data.growth.unit === 'seconds' || data.growth.unit === 'share'
        ? compare_style(data).plain(value)
        : number_text(Number(value.toPrecision(4)));

export const growth_view = {
    title: 'Growth',
    key: 'g',
    only: data => data.growth,
    show: function (main, model) {
        const data = model.data;
        const growth = data.growth;
        const left = make('div', {class: 'top'});
        const right = make('div', {class: 'plot'});
        main.append(make('div', {class: 'growth-of'}, left, right));
        const words = make('span', {class: 'faint'});
        const what = compare_table_buttons(left, data, growth_columns, words);
        const table = growth[what];
        words.append(compare_words(growth, what) + ' grow as n^exponent');
        const most = growth_most(table);
        const columns = growth_columns(data, what);
        const rows = table_rows(columns, table.row.length);
        const chosen =
            Number(state.row) >= 0 && Number(state.row) < table.row.length
                ? Number(state.row)
                : rows[0];
        const source = function (i) {
            const place = compare_place(model, what, i);
            if (place)
                go_source(place, {row: i, f: place.f, by: 'exponent'});
        };
        // There is no room for the places of functions next to the plot. Lines and expressions need
        // their places, because they have no names.
        const shown = what === 'functions' ? columns.filter(column => !column.place) : columns;
        const keys = table_show(
            left,
            shown,
            rows,
            function (i, column, cell) {
                if (column.exponent)
                    cell.style.backgroundColor = growth_colour(table.exponent[i], most);
            },
            (i, opened) => (opened || String(i) === state.row ? source(i) : go({row: i}))
        );
        if (chosen === undefined)
            return keys;
        right.append(
            make('h2', {}, data.texts[table.name[chosen]]),
            growth_plot(data, what, chosen),
            make('div', {class: 'faint'}, growth_words(data, table, chosen)),
            growth_table(data, what, chosen),
            button_make(() => source(chosen), {id: 'open'}, 'Its source'),
            picture_button(() => right.querySelector('#plot'), 'growth.svg', 'svg')
        );
        return keys;
    },
};
