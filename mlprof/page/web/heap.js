// The heap: which of its measures all views show, in bytes or in blocks, and a table of all. A page
// is of the heap, or has a page of it beside what else was measured (heap_page), of which the model
// is made when the reader first asks for it.

import {number_text} from './numbers.js';
import {make} from './elements.js';
import {model_group, model_make, model_transform} from './model.js';
import {others_figures, others_rows} from './others.js';
import {clipboard_put, csv_text} from './clipboard.js';
import {go, profile, profile_set, state} from './state.js';
import {table_rows, table_show} from './table.js';
import {heapranges_text} from './heapranges.js';
import {
    heaptimes_amounts,
    heaptimes_keys,
    heaptimes_range,
    heaptimes_show,
    heaptimes_text,
    heaptimes_told,
    heaptimes_until,
    heaptimes_what,
} from './heaptimes.js';

const UNITS = ['bytes', 'blocks'];

// The words of the address for what can be shown, `peak' or `peak-blocks', each with a text.
const heap_words = heap =>
    heap.measures.flatMap(measure =>
        UNITS.map(unit => [
            unit === 'bytes' ? measure.name : measure.name + '-' + unit,
            measure.text + ', ' + unit,
        ])
    );

// The number of the measure that a word of the address is for, and the unit. Without a word it is
// what mlprof was asked for.
function heap_asked(heap, word) {
    const [name, unit] = (word || heap.shown).split('-');
    const at = heap.measures.findIndex(measure => measure.name === name);
    const shown = heap.measures.findIndex(measure => measure.name === heap.shown);
    const asked = at < 0 ? shown : at;
    // Of a range of time not all is known.
    const told = !heaptimes_range(heap) || heaptimes_told(heap.measures[asked].name);
    const live = heap.measures.findIndex(measure => measure.name === 'live');
    return {at: told ? asked : live, unit: UNITS.includes(unit) ? unit : 'bytes'};
}

// By node the bytes and blocks of the measure AT, of the range of time if one is chosen.
function heap_amounts(model, at) {
    const {amounts, measures} = model.data.heap;
    const range = heaptimes_range(model.data.heap);
    if (range && heaptimes_told(measures[at].name))
        return heaptimes_amounts(model, measures[at].name, range);
    const own = {bytes: new Float64Array(model.size), blocks: new Float64Array(model.size)};
    for (let i = 0; i < amounts.node.length; i++)
        if (amounts.measure[i] === at)
            for (const unit of UNITS)
                own[unit][amounts.node[i]] = amounts[unit][i];
    return own;
}

// Adds up what nodes have OWN in the rows that ROW_OF gives for them, into columns of TABLE.
function heap_fill(model, table, own, row_of) {
    const count = table.name.length;
    for (const unit of UNITS)
        table[unit] = new Float64Array(count);
    for (let i = 0; i < model.size; i++)
        for (const unit of row_of(i) < 0 ? [] : UNITS)
            table[unit][row_of(i)] += own[unit][i];
}

// What of the address decides what all views show.
const heap_word_of = word => [word, state.when, state.until].join(' ');

// Puts what the word of the address asks for into the data, as mlprof would have written them for
// this measure alone; the transforms are to be made anew.
function heap_choose(model, word) {
    const data = model.data;
    const {at, unit} = heap_asked(data.heap, word);
    const own = heap_amounts(model, at);
    const sites = Array.from(own.blocks.keys()).filter(i => own.blocks[i]);
    data.heap.what = heaptimes_what(data.heap, data.heap.measures[at], heaptimes_range(data.heap));
    data.heap.at = at;
    data.measure = unit;
    data.nodes.count = own[unit];
    data.total = own[unit].reduce((sum, amount) => sum + amount, 0);
    data.sites = {
        file: sites.map(i => data.nodes.file[i]),
        position: sites.map(i => data.nodes.position[i]),
        bytes: sites.map(i => own.bytes[i]),
        blocks: sites.map(i => own.blocks[i]),
    };
    model_transform(model, []);
    const functions = data.functions;
    functions.cur = new Float64Array(model.count);
    functions.stack = new Float64Array(model.count);
    for (const [f, group] of model.functions())
        [functions.cur[f], functions.stack[f]] = [group.cur, group.stack];
    heap_fill(model, functions, own, model.function_of);
    for (const [of, table] of Object.entries(data.groups)) {
        const rows = others_rows(model, of);
        Object.assign(table, others_figures(model, of));
        heap_fill(model, table, own, i => rows[i]);
    }
    for (const of of Object.keys(data.totals))
        data.totals[of] = data.total;
    model.heap = heap_word_of(word);
}

// The models of what else was measured, null on a page of the heap, and of the heap, null until it
// is asked for.
let own_model = null;
let heap_model = null;

// The heap that the data of a page have; undefined: none, or it is compared as it is.
function heap_there(data) {
    const {heap} = data.heap_page || data;
    return data.compare || data.growth ? undefined : heap;
}

// The model of what the word of the address asks for.
function heap_model_of(word) {
    if (own_model && !word)
        return own_model;
    if (!heap_model) {
        const data = own_model.data.heap_page;
        const {path, text, looked, withheld} = own_model.data.files;
        data.files.path.forEach(function (its, i) {
            const at = path.indexOf(its);
            if (at >= 0)
                for (const [to, from] of [
                    [data.files.text, text],
                    [data.files.looked, looked],
                    [data.files.withheld, withheld],
                ])
                    to[i] = from[at];
        });
        heap_model = model_make(data);
    }
    return heap_model;
}

// Makes what the address asks for the profile that all views show.
export function heap_follow() {
    const {data} = profile();
    if (!own_model && !heap_model) {
        if (data.heap_page)
            own_model = profile();
        else
            heap_model = profile();
        if (data.heap) {
            data.heap.at = heap_asked(data.heap, '').at;
            data.heap.what = data.heap.measures[data.heap.at].what;
        }
    }
    if (!heap_there((own_model || heap_model).data))
        return;
    const model = heap_model_of(state.heap);
    if (model === heap_model && (model.heap ?? '  ') !== heap_word_of(state.heap))
        heap_choose(model, state.heap);
    profile_set(model);
}

// What the page is of but for the heap.
const heap_else = {samples: 'time', bytes: 'bytes', calls: 'calls'};

// The words of the menu, each with its text.
function heap_menu_words(data) {
    const words = heap_words(heap_there(data));
    return data.heap_page ? [['', heap_else[data.measure]], ...words] : words;
}

// The menu of what can be shown, in front of that of the groups.
export function heap_menu(data) {
    if (!heap_there(data))
        return;
    const menu = make('select', {
        id: 'measure',
        title: 'what is shown: of the heap what is alive, was at the peak, or all (z)',
        on: {change: event => heap_go(event.target.value)},
    },
        ...heap_menu_words(data).map(([word, text]) => make('option', {value: word}, text))
    );
    const when = make('button', {
        id: 'when',
        hidden: true,
        title: 'only what was allocated then; a click shows all',
        on: {click: () => go({when: '', zoom: 0})},
    });
    document.getElementById('group').before(menu, when);
}

// The word of the menu for what is shown.
function heap_word() {
    const {heap} = profile().data;
    if (!heap)
        return '';
    const {at, unit} = heap_asked(heap, state.heap);
    return heap_words(heap)[at * UNITS.length + UNITS.indexOf(unit)][0];
}

// Returns whether the bar leaves another room for the views than before.
export function heap_mark() {
    const menu = document.getElementById('measure');
    if (!menu)
        return false;
    const {heap} = profile().data;
    const range = heaptimes_range(heap);
    const when = document.getElementById('when');
    const text = range ? heaptimes_text(heap, range) + ' \u00d7' : '';
    const changed = when.textContent !== text;
    menu.value = heap_word();
    when.hidden = !range;
    when.textContent = text;
    return changed;
}

// The number of a function of the profile in another, -1: it is not there.
function heap_function(model, f) {
    const from = profile();
    if (f < 0 || f >= from.count)
        return -1;
    const symbol = of => of.data.texts[of.data.functions.symbol[f]];
    const {functions, texts} = model.data;
    return functions.name.findIndex(
        (name, g) =>
            texts[name] === from.name(f) &&
            texts[functions.symbol[g]] === symbol(from) &&
            model.path(functions.file[g]) === from.path(from.data.functions.file[f])
    );
}

// Shows what the word asks for: the same function and the same line, where the other has them.
function heap_go(word) {
    const from = profile();
    const next = own_model || word !== from.data.heap.shown ? word : '';
    const to = heap_model_of(next);
    const file = Number(state.file);
    const moved =
        to === from
            ? {}
            : {
                  f: heap_function(to, Number(state.f)),
                  file: file < 0 ? -1 : to.data.files.path.indexOf(from.path(file)),
                  position: -1,
                  part: -1,
                  insn: -1,
                  copy: -1,
                  row: -1,
              };
    go({heap: next, zoom: 0, ...moved});
}

// Goes on in the menu to what is in the same unit, behind the last one to the first.
export function heap_next() {
    const data = (own_model || heap_model).data;
    if (!heap_there(data))
        return;
    const blocks = /-blocks$/;
    const now = heap_word();
    const words = heap_menu_words(data)
        .map(([word]) => word)
        .filter(word => !word || blocks.test(word) === blocks.test(now));
    heap_go(words[(words.indexOf(now) + 1) % words.length]);
}

// Stands in place of a view that has nothing of what is shown, with buttons for what it has.
export function heap_none(title) {
    const data = profile().data;
    const words = heap_menu_words((own_model || heap_model).data);
    const button = ([word, text]) =>
        make('button', {'data-heap': word, on: {click: () => heap_go(word)}}, text);
    return make('div', {class: 'empty'},
        (data.heap ? title + ' does not tell of the heap: ' : 'What of the heap? '),
        ...words
            .filter(([word]) => !word === Boolean(data.heap))
            .flatMap(word => [button(word), ' '])
    );
}

// By measure what functions have of it and, on the stack, what they and all that they called have,
// as the transforms leave it; made once for each state of the transforms.
function heap_figures(model) {
    if (model.heap_figures && model.heap_figures.counts_of === model.counts)
        return model.heap_figures.list;
    const parent = model.data.nodes.parent;
    const list = model.data.heap.measures.map(function (_, at) {
        const own = heap_amounts(model, at);
        const told = {};
        for (const unit of UNITS) {
            const counts = own[unit].map((amount, i) => (model.keep[i] ? amount : 0));
            const weight = Float64Array.from(counts);
            for (let i = model.size; i-- > 0;)
                if (parent[i] >= 0)
                    weight[parent[i]] += weight[i];
            const of = {order: model.order, counts: counts, weight: weight};
            told[unit] = new Float64Array(model.count);
            told['stack_' + unit] = new Float64Array(model.count);
            for (const [f, group] of model_group(of, i => model.shown[i]))
                [told[unit][f], told['stack_' + unit][f]] = [group.cur, group.stack];
        }
        return told;
    });
    model.heap_figures = {counts_of: model.counts, list: list};
    return list;
}

function heap_columns(model) {
    const data = model.data;
    const figures = heap_figures(model);
    const column = (at, id, head) => ({
        id: data.heap.measures[at].column + '_' + id,
        head: head,
        means: data.means.heap[data.heap.measures[at].column + '_' + id],
        value: f => figures[at][id][f],
        text: f => number_text(figures[at][id][f]),
        title: f =>
            id === 'blocks'
                ? undefined
                : heapranges_text(model, at, f, id === 'stack_bytes'),
    });
    // First the one that is shown.
    const {at: shown} = heap_asked(data.heap, state.heap);
    const others = data.heap.measures.map((_, at) => at).filter(at => at !== shown);
    return [
        ...[shown, ...others].flatMap(at =>
            heaptimes_range(data.heap) && !heaptimes_told(data.heap.measures[at].name)
                ? []
                : [
                      column(at, 'bytes', data.heap.measures[at].column),
                      column(at, 'blocks', 'blocks'),
                      column(at, 'stack_bytes', 'total'),
                  ]
        ),
        {
            id: 'name',
            head: 'function',
            means: 'its name',
            name: true,
            of_functions: true,
            value: model.label,
            text: model.label,
        },
    ];
}

const NAME_ROOM = 260;
const OF_MEASURE = 3;

// As many measures as MAIN has room for, whole: no figure is cut off or covered. The widest text of
// a column is that of its greatest value.
function heap_columns_fit(main, columns, rows) {
    const figures = columns.slice(0, -1);
    const widest = ({value, text}) =>
        rows.length ? text(rows.reduce((f, g) => (value(g) > value(f) ? g : f))) : '';
    const line = (tag, of) => make('tr', {}, ...figures.map(c => make(tag, {}, of(c))));
    const probe = make('table', {},
        make('tbody', {}, line('th', c => c.head), line('td', widest))
    );
    probe.style.width = 'auto';
    main.append(probe);
    const right = Array.from(
        probe.rows[0].cells,
        cell => cell.getBoundingClientRect().right - probe.getBoundingClientRect().left
    );
    probe.remove();
    let fits = OF_MEASURE;
    while (fits < figures.length && right[fits + OF_MEASURE - 1] <= main.clientWidth - NAME_ROOM)
        fits += OF_MEASURE;
    return [...figures.slice(0, fits), columns[figures.length]];
}

// The functions that have any, in the order of the table; by what all views show if none is chosen.
function heap_rows(model, columns) {
    const figures = heap_figures(model);
    const {at, unit} = heap_asked(model.data.heap, state.heap);
    const {measures} = model.data.heap;
    const shown = figures.filter(
        (_, i) => !heaptimes_range(model.data.heap) || heaptimes_told(measures[i].name)
    );
    const has = f => shown.some(told => told.stack_blocks[f] || told.stack_bytes[f]);
    const rows = table_rows(columns, model.count).filter(f => model.stand[f + 1] === f && has(f));
    if (!state.order)
        rows.sort(
            (f, g) =>
                figures[at][unit][g] - figures[at][unit][f] ||
                figures[at]['stack_' + unit][g] - figures[at]['stack_' + unit][f] ||
                f - g
        );
    return rows;
}

// What there is of the measure AT in all, in words.
function heap_head(model, at) {
    const {heap} = model.data;
    const range = heaptimes_range(heap);
    if (!range)
        return heap.measures[at].head;
    const own = heap_amounts(model, at);
    const sum = list => number_text(list.reduce((all, amount) => all + amount, 0));
    return (
        sum(own.bytes) + ' bytes in ' + sum(own.blocks) + ' blocks ' +
        heaptimes_what(heap, heap.measures[at], range)
    );
}

export const heap_view = {
    title: 'Heap',
    key: 'v',
    only: data => data.heap && heap_there(data),
    show: function (main, model) {
        const columns = heap_columns(model);
        const rows = heap_rows(model, columns);
        const {at} = heap_asked(model.data.heap, state.heap);
        const told = number_text(rows.length) + ' functions; ' + heap_head(model, at);
        heaptimes_show(main, model);
        const fit = heap_columns_fit(main, columns, rows);
        const left = (columns.length - fit.length) / OF_MEASURE;
        main.append(
            make('div', {class: 'bar-of'},
                make('span', {class: 'faint'}, told),
                left
                    ? make('span', {class: 'faint', id: 'left'},
                          left + ' more in a wider window, or by the menu'
                      )
                    : undefined,
                heaptimes_until(model),
                make('button', {
                    id: 'copy',
                    title: 'the rows as comma-separated values',
                    on: {click: () => clipboard_put(csv_text(columns, rows))},
                },
                    'copy CSV'
                )
            )
        );
        const keys = table_show(
            main,
            fit,
            rows,
            function (f, column, cell) {
                if (column.name)
                    cell.title = model.full(f);
                else {
                    cell.title = column.title(f) || '';
                    cell.classList.toggle('faint', !column.value(f));
                }
            },
            function (f) {
                const place = model.hottest(f);
                go({
                    row: f,
                    f: f,
                    view: 'source',
                    file: place.file,
                    line: place.line,
                    position: -1,
                });
            }
        );
        return event => heaptimes_keys(event) || keys(event);
    },
};
