// The view that is shown first: a table of functions, or of other things, sorted by any column.

import {
    certainly_less,
    cost_text,
    fixed_text,
    number_text,
    percent_text,
    share_interval,
} from './numbers.js';
import {matcher} from './names.js';
import {ROW, make, rows_fill, rows_scroll} from './elements.js';
import {groups_kinds} from './groups.js';
import {times_whole} from './times.js';
import {heapranges_text} from './heapranges.js';
import {others_figures} from './others.js';
import {place_text, places_column, places_end} from './places.js';
import {go, state} from './state.js';
import {clipboard_put, csv_text} from './clipboard.js';

const summary_changed =
    'samples that the changes above leave, by all calls: calls are of the whole run';

// The columns of a table; OF says what the rows are. Figures are mlprof's own, or added up here if
// stacks were transformed.
function summary_columns(model, of) {
    const data = model.data;
    const sampled = data.measure === 'samples';
    const table = of === 'functions' ? data.functions : data.groups[of];
    const whole = times_whole(model);
    const total = summary_total(model, of);
    // Counts have no stacks that could be transformed, and ranks always have figures of the whole
    // run.
    const changed =
        model.transforms.length > 0 &&
        of !== 'ranks' &&
        (of === 'functions' || data.measure !== 'calls');
    const grouped = of === 'functions' && model.grouped;
    const figures = changed ? summary_figures(model, of) : table;
    const cur = r => figures.cur[r];
    const stack = r => figures.stack[r];
    // A branch may have no figure.
    const known = (value, text) => r => (value(r) < 0 ? '-' : text(r));
    // The interval of a sampled figure.
    const range = (value, less, more, unit, digits) =>
        share_interval(value, less, more, total)
            .map(share => fixed_text(unit * share, digits))
            .join('-');
    const estimated = data.measure === 'bytes' && of === 'functions' && !grouped;
    const tip = (text, stack) =>
        sampled && total
            ? r => '95% range ' + text(r)
            : estimated && data.heap
              ? r => heapranges_text(model, data.heap.at, r, stack)
              : undefined;
    const means = data.means.rows;
    const list = (id, head, says, values, known) => ({
        id: id,
        head: head,
        means: says,
        value: r => values[r],
        text: r => (values[r] < 0 || (known && !values[r]) ? '-' : number_text(values[r])),
    });
    const within = r => (figures.within && figures.within[r] ? figures.within[r] : cur(r));
    const executed = of === 'lines' || of === 'expressions' || of === 'loops';
    const counts = of === 'loops' ? 'iterations' : executed ? 'executed' : 'calls';
    const counted = data.counted && !grouped && table.calls.some(value => value >= 0);
    const allocated = data.allocated && !grouped;
    return [
        {
            id: 'cur',
            head: sampled ? 'self' : 'share',
            means: means.share,
            value: cur,
            bar: true,
            changed: changed,
            text: known(cur, r => percent_text(cur(r), total)),
        },
        sampled && {
            id: 'range',
            head: '95% range',
            means: 'where the share of all such runs lies, 19 times of 20',
            value: cur,
            text: known(cur, function (r) {
                return range(
                    cur(r),
                    changed ? 0 : table.less[r],
                    changed ? 0 : table.more[r],
                    100,
                    1
                );
            }),
        },
        {
            id: 'amount',
            head: sampled
                ? 'seconds'
                : data.measure === 'calls' && !grouped
                  ? counts
                  : data.measure,
            means: means.samples,
            value: cur,
            text: known(cur, r =>
                sampled ? fixed_text(model.seconds(cur(r)), 2) : number_text(cur(r))
            ),
            title: tip(r =>
                cur(r) < 0
                    ? '-'
                    : range(
                          cur(r),
                          changed ? 0 : table.less[r],
                          changed ? 0 : table.more[r],
                          model.seconds(total),
                          2
                      ) + ' s'
            ),
        },
        data.stacks && of !== 'types' && {
            id: 'stack',
            head: 'total',
            means: means.stack_share,
            value: stack,
            text: known(stack, r => percent_text(stack(r), total)),
            title: tip(
                r => (stack(r) < 0 ? '-' : range(stack(r), 0, 0, 100, 1) + '%'),
                true
            ),
        },
        counted &&
            data.measure !== 'calls' &&
            list('calls', counts + whole, means.calls, table.calls),
        counted &&
            data.timed &&
            !whole && {
                id: 'each',
                head:
                    of === 'loops'
                        ? 'per iteration'
                        : executed
                          ? 'per execution'
                          : 'per call',
                means: means['per call'],
                value: r => (table.calls[r] > 0 ? within(r) / table.calls[r] : -1),
                text: r =>
                    !changed && table.each[r] >= 0
                        ? data.texts[table.each[r]]
                        : data.texts[table.each[r]] === '-'
                          ? '-'
                          : cost_text(model, within(r), table.calls[r]),
                title: () => (changed ? summary_changed : undefined),
            },
        of === 'copies' && list('insns', 'insns', means.instructions, table.insns, true),
        of === 'copies' && list('code', 'code', means.code_bytes, table.code, true),
        allocated &&
            data.measure !== 'bytes' &&
            list('bytes', 'bytes' + whole, means.bytes, table.bytes),
        allocated &&
            data.measure !== 'blocks' &&
            list('blocks', 'blocks' + whole, means.allocations, table.blocks),
        grouped
            ? {
                  id: 'name',
                  head: groups_kinds[model.transforms.find(t => t[0] === 'g')],
                  means: 'its name',
                  name: true,
                  value: model.label,
                  text: model.label,
                  title: () => undefined,
              }
            : {
                  id: 'name',
                  head: of,
                  means: 'its name',
                  name: true,
                  value: r => data.texts[table.name[r]],
                  text: r => data.texts[table.name[r]],
                  title: r => (table.full ? data.texts[table.full[r]] : undefined),
              },
        executed && {
            id: 'text',
            head: 'source',
            means: 'what stands in the source there',
            words: true,
            value: r => summary_text(model, of, table, r),
            text: r => summary_text(model, of, table, r),
            title: r => summary_text(model, of, table, r),
        },
        {
            id: 'place',
            head: grouped ? '' : 'place',
            means: 'where it is',
            place: true,
            value: r => (grouped ? '' : place_text(model, table, r)),
            text: r => (grouped ? '' : place_text(model, table, r)),
        },
    ].filter(column => column && (column.id !== 'place' || summary_has_place(of)));
}

// Threads, ranks, phases and types are nowhere in the source.
const summary_has_place = of => !['threads', 'phases', 'ranks', 'types'].includes(of);

// The total that shares are of.
const summary_total = (model, of) =>
    of === 'functions' || model.range ? model.total : model.data.totals[of];

// By row, what it has of the samples that the transforms leave.
function summary_figures(model, of) {
    if (of !== 'functions')
        return others_figures(model, of);
    const figures = {cur: new Float64Array(model.count), stack: new Float64Array(model.count)};
    for (const [f, group] of model.functions())
        [figures.cur[f], figures.stack[f]] = [group.cur, group.stack];
    if (!model.data.branched)
        return figures;
    // A function that stands for others also stands for their branches. What a branch has called is
    // not added up here.
    model.data.functions.branch.forEach((branch, f) => {
        if (branch)
            [figures.cur[f], figures.stack[f]] = [
                model.grouped || model.data.functions.cur[f] < 0 ? -1 : 0,
                -1,
            ];
    });
    for (const node of model.grouped ? [] : model.data.branched.node)
        if (model.shown[node] === model.function_of(node)) {
            figures.cur[model.branch_of[node]] += model.counts[node];
            figures.cur[model.shown[node]] -= model.counts[node];
        }
    return figures;
}

// The source text of a row: the line of a line or a loop, or the text of an expression alone.
function summary_text(model, of, table, r) {
    const texts = table.file[r] < 0 ? null : model.source(table.file[r]);
    const line = texts && texts[table.line[r] - 1];
    if (!line)
        return '';
    const [, from, last, to] =
        /:(\d+)(?:-(\d+):(\d+))?$/.exec(
            of === 'expressions' && table.place[r] >= 0 ? model.data.texts[table.place[r]] : ''
        ) || [];
    if (!from)
        return line.trim();
    const start = places_column(line, Number(from));
    if (last && Number(last) !== table.line[r])
        return line.slice(start).trim() + ' \u2026';
    const part = line.slice(
        start,
        last ? places_column(line, Number(to) + 1) : places_end(line, start)
    );
    // A single letter or sign tells nothing.
    return /\w\w/.test(part) ? part : line.trim();
}

// Whether row R is not certainly less than the row ABOVE, as mlprof's table marks it: all uncertain
// samples may be R's.
function summary_tied(model, table, columns, r, above) {
    const cur = columns[0].value;
    const changed = columns[0].changed;
    if (model.data.measure !== 'samples' || above === undefined || !(cur(r) > 0))
        return false;
    return !certainly_less(
        cur(r) + (changed ? 0 : table.more[r]),
        Math.max(0, cur(above) - (changed ? 0 : table.less[above]))
    );
}

// The rows that are shown, in their order. Functions have no row if others stand for them.
function summary_rows(columns, stand) {
    const name = columns.find(column => column.name);
    const place = columns.find(column => column.place);
    const words = columns.find(column => column.words);
    const matches = matcher(state.search);
    const rows = [];
    const count = columns.count;
    for (let r = 0; r < count; r++)
        if (
            (!columns.has || columns.has(r)) &&
            (!stand || stand[r + 1] === r) &&
            (matches(name.text(r)) ||
                (place && matches(place.text(r))) ||
                (name.title(r) && matches(name.title(r))) ||
                (words && matches(words.text(r))))
        )
            rows.push(r);
    const column = columns.find(c => c.id === state.sort) || columns[0];
    const keys = rows.map(column.value);
    const order = rows.map((_, i) => i);
    if (column.name || column.place || column.words)
        order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b));
    else
        order.sort((a, b) => keys[b] - keys[a] || a - b);
    return order.map(i => rows[i]);
}

export const summary_view = {
    title: 'Summary',
    key: '1',
    show: function (main, model) {
        const data = model.data;
        const kinds = ['functions'].concat(Object.keys(data.groups));
        const of = kinds.includes(state.of) ? state.of : 'functions';
        const table = of === 'functions' ? data.functions : data.groups[of];
        const columns = summary_columns(model, of);
        columns.count = table.name.length;
        // Of the heap the page has what has none of the measure, but of another.
        columns.has = r => !data.heap || table.stack[r] > 0 || table.blocks[r] > 0;
        const rows = summary_rows(columns, of === 'functions' ? model.stand : null);
        main.append(
            make('div', {class: 'bar-of'},
                ...kinds.map(kind =>
                    make('button', {
                        'data-of': kind,
                        'aria-current': kind === of,
                        on: {click: () => go({of: kind})},
                    },
                        kind
                    )
                ),
                make('span', {class: 'faint'}, number_text(rows.length) + ' rows'),
                make('button', {
                    id: 'csv',
                    title: 'copy as CSV',
                    on: {click: () => clipboard_put(csv_text(columns, rows))},
                },
                    'copy'
                )
            )
        );
        const head = make('tr', {},
            ...columns.map(column =>
                make('th', {
                    class: column.name || column.place || column.words ? 'name' : undefined,
                    title: column.means + '; a click sorts by it',
                    'aria-sort': column.id === state.sort ? 'descending' : undefined,
                    'data-sort': column.id,
                    on: {click: () => go({sort: column.id})},
                },
                    column.head
                )
            )
        );
        const body = make('tbody', {});
        main.append(make('table', {id: 'summary'}, make('thead', {}, head), body));
        if (!rows.length)
            main.append(make('div', {class: 'empty'}, 'Nothing matches.'));
        // A function opens at its hottest line, anything else where it is.
        function open(r) {
            const place =
                of === 'functions' && !table.branch[r]
                    ? model.hottest(r)
                    : {file: table.file[r], line: table.line[r]};
            go({
                f: of === 'functions' ? r : -1,
                view: 'source',
                file: place.file,
                line: place.line,
                position: -1,
            });
        }
        const ordered = ['cur', 'range', 'amount'].includes(
            (columns.find(c => c.id === state.sort) || columns[0]).id
        );
        function row(r, above) {
            const tied = ordered && summary_tied(model, table, columns, r, above);
            return make('tr', {
                'data-row': r,
                on: {click: () => open(r)},
                'aria-selected': of === 'functions' && String(r) === state.f ? 'true' : 'false',
            },
                ...columns.map(function (column) {
                    const kind = column.name
                        ? of === 'functions'
                            ? 'name function'
                            : 'name'
                        : column.place
                          ? 'place'
                          : column.words
                            ? 'words'
                            : column.bar
                              ? 'bar'
                              : undefined;
                    const mark = tied && column === columns[0];
                    const cell = make('td', {
                        class: kind,
                        title: mark
                            ? 'not certainly less than the row above'
                            : column.title
                              ? column.title(r)
                              : column.place
                                ? column.text(r)
                                : undefined,
                    },
                        mark ? make('span', {class: 'tied'}, '~') : null,
                        column.text(r)
                    );
                    if (column.bar)
                        cell.style.backgroundSize =
                            (100 * Math.max(0, column.value(r))) / (summary_total(model, of) || 1) +
                            '% 100%';
                    return cell;
                })
            );
        }
        rows_fill(
            main,
            body,
            rows.length,
            ROW,
            i => row(rows[i], rows[i - 1]),
            () => make('tr', {})
        );
        return function (event) {
            const at = rows.indexOf(Number(state.f));
            const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
            if (of !== 'functions')
                return false;
            if (event.key === 'Enter' && at >= 0)
                open(rows[at]);
            else if (step && rows[at + step] !== undefined) {
                go({f: rows[at + step]}, true);
                rows_scroll(main, at + step, ROW);
            } else
                return false;
            return true;
        };
    },
};
