// The functions around a chosen function, in two views: its callers and callees as two tables side
// by side, and a graph of boxes and arrows. Arrows have numbers, and their width shows their share.
// The graph omits functions below a threshold.

import {map_get} from './maps.js';
import {number_text, percent_text, plural_text} from './numbers.js';
import {draw, faint, make} from './elements.js';
import {times_whole} from './times.js';
import {chosen_function} from './transformbar.js';
import {place_text} from './places.js';
import {go, state} from './state.js';
import {table_column, table_name, table_show, table_sort} from './table.js';
import {shorten, shorten_all} from './names.js';
import {picture_button} from './clipboard.js';

export const callers_view = {
    title: 'Callers',
    key: '7',
    needs: 'callers',
    show: function (main, model) {
        const f = chosen_function(model);
        const neighbours = model.neighbours(f);
        const functions = model.data.functions;
        const figures = model.functions().get(f) || {cur: 0, stack: 0};
        const calls = ({counted}) =>
            counted
                ? (counted.least === counted.most ? '' : '~') + number_text(counted.calls)
                : '-';
        const bounds = ({counted}) =>
            counted && counted.least !== counted.most
                ? 'from ' + number_text(counted.least) + ' to ' + number_text(counted.most)
                : undefined;
        // Makes the table for one side, sorted by decreasing amount.
        function side(title, list) {
            const pane = make('div', {}, make('h2', {}, title));
            const columns = [
                table_column(
                    'amount',
                    model.counts_alone ? 'share' : 'total',
                    model.counts_alone ? 'of all calls of the run' : 'with what it called, of all',
                    i => list[i].amount,
                    amount => percent_text(amount, model.total)
                ),
                model.data.calls.calls.length > 0 &&
                    table_column(
                        'calls',
                        'calls' + times_whole(model),
                        'how often',
                        i => (list[i].counted ? list[i].counted.calls : -1),
                        (_, i) => calls(list[i]),
                        {title: i => bounds(list[i])}
                    ),
                table_name('function', i => model.label(list[i].function)),
            ].filter(Boolean);
            const choose = i => list[i].function >= 0 && go({f: list[i].function});
            if (list.length)
                table_show(
                    pane,
                    columns,
                    table_sort(columns, Array.from(list.keys())),
                    () => undefined,
                    choose
                );
            else
                pane.append(make('div', {class: 'empty'}, 'None is known.'));
            return pane;
        }
        main.append(
            make('div', {class: 'pane'},
                make('h2', {},
                    model.label(f) + '  ',
                    model.grouped
                        ? ''
                        : make('a', {
                              href:
                                  '#view=source&f=' + f + '&file=' + functions.file[f] + '&line=' +
                                  functions.line[f],
                          },
                              place_text(model, functions, f)
                          ),
                    '  ' +
                        (model.counts_alone ? number_text(figures.cur) + ' calls, ' : '') +
                        percent_text(figures.cur, model.total) +
                        (model.stacks ? ', total ' + percent_text(figures.stack, model.total) : '')
                ),
                make('div', {class: 'split'},
                    side('Called by', neighbours.callers),
                    side('Calls', neighbours.callees)
                )
            )
        );
    },
};

const GRAPH = {levels: 2, most: 14, wide: 190, gap: 116, high: 44, space: 20, lane: 14, letter: 7};

// Returns the functions around F with their levels (callers below 0, callees above 0), and all
// edges between them. ORIGINS has the callers of each function that no function in the picture
// calls.
function graph_around(model, f, least) {
    const level = new Map([[f, 0]]);
    const known = new Map();
    const neighbours = g => map_get(known, g, () => model.neighbours(g));
    for (const [side, step] of [
        ['callers', -1],
        ['callees', 1],
    ])
        for (let depth = 1, edge = [f]; depth <= GRAPH.levels; depth++) {
            const found = [];
            for (const g of edge)
                for (const other of neighbours(g)[side]) {
                    const amount = other.amount || 0;
                    const calls = other.counted ? other.counted.calls : 0;
                    if (other.function < 0 || (amount < least && !(least === 0 && calls)))
                        continue;
                    if (!level.has(other.function))
                        found.push([other.function, amount]);
                }
            found.sort((a, b) => b[1] - a[1]);
            edge = [];
            for (const [other] of found)
                if (!level.has(other) && edge.length < GRAPH.most) {
                    level.set(other, step * depth);
                    edge.push(other);
                }
        }
    const edges = Array.from(level.keys()).flatMap(caller =>
        neighbours(caller)
            .callees.filter(other => level.has(other.function))
            .map(other => ({
                caller: caller,
                callee: other.function,
                amount: other.amount || 0,
                calls: other.counted,
            }))
    );
    const called = new Set(edges.filter(e => e.caller !== e.callee).map(e => e.callee));
    const origins = new Map();
    for (const g of level.keys())
        if (!called.has(g))
            origins.set(
                g,
                neighbours(g)
                    .callers.map(other => other.function)
                    .filter(other => other >= 0 && other !== g)
            );
    return {level: level, edges: edges, origins: origins};
}

// Returns the text above a box without an arrow to it; its CALLERS are not in the picture.
function graph_origin(model, callers) {
    if (!callers.length)
        return 'outermost';
    const more = callers.length - 1;
    return (
        'from ' + shorten(model.label(callers[0]), more ? 14 : 22) +
        (more ? ' and ' + number_text(more) + ' more' : '')
    );
}

// Computes the places of boxes by function, and the points of arrows by edge. Functions of one
// level are a column. An arrow that passes a column gets a lane between the boxes of the column, so
// no box covers it.
function graph_layout(level, edges, cost) {
    const {wide, gap, high, space, lane} = GRAPH;
    const levels = Array.from(new Set(level.values())).sort((a, b) => a - b);
    const column_of = f => levels.indexOf(level.get(f));
    const columns = levels.map(depth =>
        Array.from(level.keys())
            .filter(f => level.get(f) === depth)
            .sort((a, b) => cost(b).stack - cost(a).stack || cost(b).cur - cost(a).cur)
            .map(f => ({f: f, high: high}))
    );
    const places = new Map();
    const size = column => column.reduce((sum, slot) => sum + slot.high + space, 0);
    // Places the slots of each column one below the other, vertically centred in the picture.
    function place_slots() {
        const height = Math.max(...columns.map(size)) + 40;
        columns.forEach(function (column, i) {
            let y = (height - size(column)) / 2;
            for (const slot of column) {
                slot.x = 20 + i * (wide + gap);
                slot.y = y;
                y += slot.high + space;
                if (slot.f !== undefined)
                    places.set(slot.f, slot);
            }
        });
        return height;
    }
    place_slots();
    const middle = slot => slot.y + slot.high / 2;
    for (const edge of edges) {
        const [first, second] = [column_of(edge.caller), column_of(edge.callee)];
        const [a, b] = [places.get(edge.caller), places.get(edge.callee)];
        edge.lanes = [];
        for (let i = Math.min(first, second) + 1; i < Math.max(first, second); i++) {
            const part = (i - first) / (second - first);
            edge.lanes.push({
                column: i,
                high: lane,
                ideal: middle(a) + part * (middle(b) - middle(a)),
            });
        }
        if (first > second)
            edge.lanes.reverse();
    }
    for (const slot of edges.flatMap(edge => edge.lanes)) {
        const slots = columns[slot.column];
        const index = slots.findIndex(other => (other.ideal || middle(other)) > slot.ideal);
        slots.splice(index < 0 ? slots.length : index, 0, slot);
    }
    const height = place_slots();
    const last = columns.at(-1)[0].x;
    const loops = edges.some(
        ({caller, callee}) => places.get(caller).x === last && places.get(callee).x === last
    );
    for (const edge of edges) {
        const [a, b] = [places.get(edge.caller), places.get(edge.callee)];
        const forward = b.x > a.x || a === b;
        const points = [[forward || a.x === b.x ? a.x + wide : a.x, middle(a)]];
        for (const slot of edge.lanes)
            points.push(
                [forward ? slot.x : slot.x + wide, middle(slot)],
                [forward ? slot.x + wide : slot.x, middle(slot)]
            );
        points.push([forward && a !== b ? b.x : b.x + wide, middle(b)]);
        // An arrow from a box to itself or to another box of the column goes through the gap to the
        // right.
        if (a.x === b.x) {
            const apart = a === b ? 9 : 0;
            points[0][1] -= apart;
            points[1][1] += apart;
        }
        edge.points = points;
    }
    return {
        places: places,
        width: 40 + levels.length * (wide + gap) - (loops ? 0 : gap),
        height: height,
    };
}

// Returns the positions of the bends of the curve from X1 to X2: in the middle of the gap.
const graph_bends = (x1, x2) =>
    x1 === x2
        ? [x1 + GRAPH.gap / 2, x2 + GRAPH.gap / 2]
        : [x1 + (x2 - x1) / 2, x2 - (x2 - x1) / 2];

// Returns the path of an arrow: curved in the gaps and straight in the lanes.
function graph_path(points) {
    let path = 'M' + points[0].join(' ');
    for (let i = 1; i < points.length; i++) {
        const [x1, y1] = points[i - 1];
        const [x2, y2] = points[i];
        const [begin, end] = graph_bends(x1, x2);
        path +=
            i % 2
                ? 'C' + [begin, y1, end, y2, x2, y2].join(' ')
                : 'L' + [x2, y2].join(' ');
    }
    return path;
}

// Returns the texts on an arrow: its share and, if known, the number of calls.
const graph_figures = (model, edge) =>
    [
        !model.counts_alone && percent_text(edge.amount, model.total),
        edge.calls &&
            (edge.calls.least === edge.calls.most ? '' : '~') + number_text(edge.calls.calls),
    ].filter(Boolean);

const GRAPH_PARTS = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];

// Returns the position of the text FIGURES on the curve through POINTS. If other LABELS cover all
// positions in the gaps, the position is near the curve.
function graph_place(points, figures, labels) {
    const wide = GRAPH.letter * Math.max(...figures.map(text => text.length)) + 4;
    const high = 12 * figures.length + 2;
    const places = [];
    for (let i = 1; i < points.length; i += 2)
        for (const part of GRAPH_PARTS) {
            const [x1, y1] = points[i - 1];
            const [x2, y2] = points[i];
            const rest = 1 - part;
            const round = 3 * part * rest;
            const [begin, end] = graph_bends(x1, x2);
            const x = rest ** 3 * x1 + round * (rest * begin + part * end) + part ** 3 * x2;
            const y = rest ** 3 * y1 + round * (rest * y1 + part * y2) + part ** 3 * y2;
            const least = x1 === x2 ? x1 : Math.min(x1, x2);
            const left = Math.max(
                least + 2,
                Math.min(least + GRAPH.gap - wide - 2, x - wide / 2)
            );
            places.push({left: left, top: y - high / 2, wide: wide, high: high});
        }
    const is_free = (box, top) =>
        labels.every(
            ({box: other}) =>
                Math.min(box.left + wide, other.left + other.wide) <=
                    Math.max(box.left, other.left) ||
                Math.min(top + high, other.top + other.high) <= Math.max(top, other.top)
        );
    for (let far = 0; ; far += 4)
        for (const step of [far, -far]) {
            const box = places.find(({top, ...place}) => is_free(place, top + step));
            if (box)
                return {...box, top: box.top + step};
        }
}

// Lets the wheel zoom around the pointer, and dragging move the picture.
function graph_move(svg) {
    const view = svg.viewBox.baseVal;
    const scale = () => view.width / svg.clientWidth;
    svg.addEventListener(
        'wheel',
        function (event) {
            const factor = event.deltaY > 0 ? 1.15 : 1 / 1.15;
            const x = view.x + event.offsetX * scale();
            const y = view.y + event.offsetY * scale();
            view.x = x - (x - view.x) * factor;
            view.y = y - (y - view.y) * factor;
            view.width *= factor;
            view.height *= factor;
            event.preventDefault();
        },
        {passive: false}
    );
    svg.addEventListener('mousemove', function (event) {
        if (event.buttons !== 1)
            return;
        view.x -= event.movementX * scale();
        view.y -= event.movementY * scale();
    });
}

export const graph_view = {
    title: 'Graph',
    key: '9',
    needs: 'callers',
    show: function (main, model) {
        const figures = model.functions();
        const cost = f => figures.get(f) || {cur: 0, stack: 0};
        const f = chosen_function(model);
        const threshold = Number(state.least) >= 0 ? Number(state.least) : 1;
        const {level, edges, origins} = graph_around(model, f, (threshold / 100) * model.total);
        const {places, width, height} = graph_layout(level, edges, cost);
        const svg = draw('svg', {
            id: 'graph',
            viewBox:
                '0 0 ' + Math.max(width, main.clientWidth) + ' ' +
                Math.max(height, main.clientHeight - 50),
            // If there is little room, the picture scrolls, so that its texts stay readable.
            width: Math.max(main.clientWidth, 0.85 * width),
            height: main.clientHeight - 46,
        });
        const labels = [];
        // Place the numbers of the largest edges first.
        for (const edge of edges.sort((a, b) => b.amount - a.amount)) {
            const amounts =
                percent_text(edge.amount, model.total) +
                (edge.calls
                    ? ', ' + number_text(edge.calls.calls) + ' calls' + times_whole(model)
                    : '');
            const figures = graph_figures(model, edge);
            const box = graph_place(edge.points, figures, labels);
            const path = draw('path', {
                class: 'arrow',
                'data-from': edge.caller,
                'data-to': edge.callee,
                d: graph_path(edge.points),
                'stroke-width': Math.max(1, (12 * edge.amount) / (model.total || 1)),
            },
                draw('title', {},
                    model.label(edge.caller) + ' calls ' + model.label(edge.callee) + ': ' + amounts
                )
            );
            svg.append(path);
            labels.push({
                box: box,
                texts: figures.map((text, line) =>
                    draw('text', {
                        class: 'figure',
                        'text-anchor': 'middle',
                        'data-from': edge.caller,
                        'data-to': edge.callee,
                        x: box.left + box.wide / 2,
                        y: box.top + 11 + 12 * line,
                    },
                        text
                    )
                ),
            });
        }
        // Draw numbers above all arrows.
        svg.append(...labels.flatMap(({texts}) => texts));
        const shown = Array.from(places);
        const names = shown.map(([g]) => model.label(g));
        const texts = shorten_all(
            names,
            names.map(() => 25)
        );
        shown.forEach(function ([g, place], i) {
            const share = cost(g);
            const box = draw('g', {
                class: g === f ? 'box chosen' : 'box',
                'data-f': g,
                transform: 'translate(' + place.x + ',' + place.y + ')',
            },
                draw('rect', {width: GRAPH.wide, height: GRAPH.high, rx: 5}),
                draw('rect', {
                    class: 'self',
                    width: (GRAPH.wide * share.cur) / (model.total || 1),
                    height: 4,
                    y: GRAPH.high - 4,
                }),
                draw('text', {x: 8, y: 18}, texts[i]),
                draw('text', {class: 'faint', x: 8, y: 34},
                    (model.counts_alone
                        ? number_text(share.cur) + ' calls, ' +
                          percent_text(share.cur, model.total)
                        : percent_text(share.cur, model.total) + ' itself') +
                        (model.stacks
                            ? ', ' + percent_text(share.stack, model.total) + ' total'
                            : '')
                ),
                draw('title', {}, model.grouped ? model.label(g) : model.full(g))
            );
            const callers = origins.get(g);
            if (callers)
                box.append(
                    draw('text', {class: 'faint origin', x: 8, y: -5},
                        graph_origin(model, callers),
                        draw('title', {},
                            callers.map(model.label).join(', ') || 'nothing profiled calls it'
                        )
                    )
                );
            box.addEventListener('click', () => go({f: g}));
            svg.append(box);
        });
        graph_move(svg);
        main.append(
            make('div', {class: 'bar-of'},
                make('label', {},
                    'at least ',
                    make('input', {
                        id: 'least',
                        type: 'range',
                        min: 0,
                        max: 10,
                        step: 0.25,
                        value: threshold,
                        events: {change: event => go({least: event.target.value}, true)},
                    }),
                    ' ' + threshold + ' %'
                ),
                picture_button(() => svg, 'graph.svg'),
                faint(
                    plural_text(level.size, 'function') +
                        '; the wheel zooms, dragging moves'
                )
            ),
            svg
        );
    },
};
