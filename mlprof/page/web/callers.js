// Who called a function and whom it calls, in two views: as two tables side by side, and as a graph
// of boxes, and arrows as thick as their share. The graph leaves out what has less than a
// threshold.

import {number_text, percent_text} from './numbers.js';
import {shorten_all} from './names.js';
import {draw, make} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go, state} from './state.js';
import {picture_button} from './clipboard.js';

export const callers_view = {
    title: 'Callers',
    key: '7',
    show: function (main, model) {
        let f = Number(state.f);
        if (!(f >= 0 && f < model.count))
            f = 0;
        if (model.stand[f + 1] >= 0)
            f = model.stand[f + 1];
        const neighbours = model.neighbours(f);
        const of = model.data.functions;
        const own = model.functions().get(f) || {cur: 0, stack: 0};
        function side(title, list) {
            const rows = list.map(function (row) {
                const told = row.told;
                const calls = !told
                    ? '-'
                    : (told.least === told.most ? '' : '~') + number_text(told.calls);
                return make('tr', {
                    'data-f': row.function,
                    on: {click: () => row.function >= 0 && go({f: row.function})},
                },
                    make('td', {}, percent_text(row.amount, model.total)),
                    model.data.calls.calls.length
                        ? make('td', {
                              title:
                                  told && told.least !== told.most
                                      ? 'from ' + number_text(told.least) + ' to ' +
                                        number_text(told.most)
                                      : undefined,
                          },
                              calls
                          )
                        : undefined,
                    make('td', {class: 'name function'}, model.label(row.function))
                );
            });
            return make('div', {},
                make('h2', {}, title),
                list.length
                    ? make('table', {},
                          make('thead', {},
                              make('tr', {},
                                  make('th', {
                                      title: model.counts_alone
                                          ? 'of all calls of the run'
                                          : 'with what it called, of all',
                                  },
                                      model.counts_alone ? 'share' : 'stack'
                                  ),
                                  model.data.calls.calls.length
                                      ? make('th', {}, 'calls' + times_whole(model))
                                      : undefined,
                                  make('th', {class: 'name'}, 'function')
                              )
                          ),
                          make('tbody', {}, ...rows)
                      )
                    : make('div', {class: 'empty'}, 'None is known.')
            );
        }
        main.append(
            make('div', {class: 'pane'},
                make('h2', {},
                    model.label(f) + '  ',
                    model.grouped
                        ? ''
                        : make('a', {
                              href:
                                  '#view=source&f=' + f + '&file=' + of.file[f] + '&line=' +
                                  of.line[f],
                          },
                              place_text(model, of, f)
                          ),
                    '  ' +
                        (model.counts_alone ? number_text(own.cur) + ' calls, ' : '') +
                        percent_text(own.cur, model.total) +
                        (model.data.stacks ? ', stack ' + percent_text(own.stack, model.total) : '')
                ),
                make('div', {class: 'split'},
                    side('Called by', neighbours.callers),
                    side('Calls', neighbours.callees)
                )
            )
        );
    },
};

const GRAPH = {levels: 2, most: 14, wide: 190, gap: 90, high: 44, space: 12};

// The functions around F by level, callers below 0 and callees above, with the pairs between them.
function graph_around(model, f, least) {
    const level = new Map([[f, 0]]);
    const edges = new Map();
    for (const [side, step] of [
        ['callers', -1],
        ['callees', 1],
    ])
        for (let depth = 1, edge = [f]; depth <= GRAPH.levels; depth++) {
            const found = [];
            for (const from of edge)
                for (const other of model.neighbours(from)[side]) {
                    const amount = other.amount || 0;
                    const calls = other.told ? other.told.calls : 0;
                    if (other.function < 0 || (amount < least && !(least === 0 && calls)))
                        continue;
                    if (!level.has(other.function))
                        found.push([other.function, amount]);
                    const pair = step < 0 ? [other.function, from] : [from, other.function];
                    edges.set(pair.join(' '), {
                        from: pair[0],
                        to: pair[1],
                        amount: amount,
                        calls: other.told,
                    });
                }
            found.sort((a, b) => b[1] - a[1]);
            edge = [];
            for (const [other] of found)
                if (!level.has(other) && edge.length < GRAPH.most) {
                    level.set(other, step * depth);
                    edge.push(other);
                }
        }
    return {
        level: level,
        edges: Array.from(edges.values()).filter(e => level.has(e.from) && level.has(e.to)),
    };
}

// Lets the wheel zoom around the pointer, and dragging move.
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
    show: function (main, model) {
        const own = model.functions();
        const cost = f => own.get(f) || {cur: 0, stack: 0};
        let f = Number(state.f);
        if (!(f >= 0 && f < model.count))
            f = 0;
        if (model.stand[f + 1] >= 0)
            f = model.stand[f + 1];
        const threshold = Number(state.least) >= 0 ? Number(state.least) : 1;
        const {level, edges} = graph_around(model, f, (threshold / 100) * model.total);
        const columns = new Map();
        const places = new Map();
        for (const [g, at] of level)
            columns.set(at, (columns.get(at) || []).concat(g));
        const levels = Array.from(columns.keys()).sort((a, b) => a - b);
        const rows = Math.max(...Array.from(columns.values(), list => list.length));
        const height = rows * (GRAPH.high + GRAPH.space) + 40;
        levels.forEach(function (at, i) {
            const list = columns.get(at).sort(
                (a, b) => cost(b).stack - cost(a).stack || cost(b).cur - cost(a).cur
            );
            const top = (height - list.length * (GRAPH.high + GRAPH.space)) / 2;
            list.forEach((g, k) =>
                places.set(g, {
                    x: 20 + i * (GRAPH.wide + GRAPH.gap),
                    y: top + k * (GRAPH.high + GRAPH.space),
                })
            );
        });
        const width = 40 + levels.length * (GRAPH.wide + GRAPH.gap) - GRAPH.gap;
        const svg = draw('svg', {
            id: 'graph',
            viewBox:
                '0 0 ' + Math.max(width, main.clientWidth) + ' ' +
                Math.max(height, main.clientHeight - 50),
            width: '100%',
            height: main.clientHeight - 46,
        });
        for (const edge of edges) {
            const a = places.get(edge.from);
            const b = places.get(edge.to);
            const forward = b.x > a.x;
            const x1 = forward ? a.x + GRAPH.wide : a.x;
            const x2 = forward ? b.x : b.x + GRAPH.wide;
            const y1 = a.y + GRAPH.high / 2;
            const y2 = b.y + GRAPH.high / 2;
            const bend = edge.from === edge.to ? 0 : forward ? GRAPH.gap / 2 : -GRAPH.gap / 2;
            const told =
                percent_text(edge.amount, model.total) +
                (edge.calls
                    ? ', ' + number_text(edge.calls.calls) + ' calls' + times_whole(model)
                    : '');
            const path = draw('path', {
                class: 'arrow',
                d:
                    edge.from === edge.to
                        ? 'M' + (a.x + GRAPH.wide - 30) + ' ' + a.y + 'c-10 -26 40 -26 24 0'
                        : 'M' + x1 + ' ' + y1 + 'C' + (x1 + bend) + ' ' + y1 + ' ' + (x2 - bend) +
                          ' ' + y2 + ' ' + x2 + ' ' + y2,
                'stroke-width': Math.max(1, (12 * edge.amount) / (model.total || 1)),
            },
                draw('title', {},
                    model.label(edge.from) + ' calls ' + model.label(edge.to) + ': ' + told
                )
            );
            svg.append(path);
        }
        const shown = Array.from(places);
        const names = shown.map(([g]) => model.label(g));
        const texts = shorten_all(
            names,
            names.map(() => 25)
        );
        shown.forEach(function ([g, place], at) {
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
                draw('text', {x: 8, y: 18}, texts[at]),
                draw('text', {class: 'faint', x: 8, y: 34},
                    (model.counts_alone
                        ? number_text(share.cur) + ' calls, ' +
                          percent_text(share.cur, model.total)
                        : percent_text(share.cur, model.total) + ' itself') +
                        (model.data.stacks
                            ? ', ' + percent_text(share.stack, model.total) + ' stack'
                            : '')
                ),
                draw('title', {}, model.grouped ? model.label(g) : model.full(g))
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
                        on: {change: event => go({least: event.target.value}, true)},
                    }),
                    ' ' + threshold + ' %'
                ),
                picture_button(() => svg, 'graph.svg'),
                make('span', {class: 'faint'},
                    number_text(level.size) + ' functions; the wheel zooms, dragging moves'
                )
            ),
            svg
        );
    },
};
