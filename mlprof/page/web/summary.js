// The default view: a table of functions or other rows, sorted by any column.

import {
    certainly_less,
    cost_text,
    fixed_text,
    number_text,
    percent_text,
    plural_text,
    share_interval,
} from './numbers.js';
import {bar_add, faint, make} from './elements.js';
import {groups_kinds} from './transforms.js';
import {times_whole} from './times.js';
import {measures_of} from './model.js';
import {rows_figures, rows_range, rows_table, rows_total} from './rows.js';
import {place_text, places_column, places_end} from './places.js';
import {go_row, go_source, state} from './state.js';
import {choice_buttons} from './transformbar.js';
import {csv_button} from './clipboard.js';
import {table_column, table_name, table_place, table_rows, table_show} from './table.js';

const summary_changed =
    'samples that the changes above leave, by all calls: calls are of the whole run';

// Returns the columns of a table. KEY is the kind of its rows.
function summary_columns(model, key) {
    const {data, measure} = model;
    const {sampled, digits} = measure;
    const table = rows_table(model, key);
    const whole = times_whole(model);
    const total = rows_total(model, key, measure);
    const grouped = key === 'functions' && model.grouped;
    const figures = rows_figures(model, key, measure);
    const changed = figures !== table;
    const means = data.means.rows;
    const {executed, placed} = data.keys[key];
    const counts = key === 'loops' ? 'iterations' : executed ? 'executed' : 'calls';
    const heads = {calls: grouped ? 'calls' : counts};
    const [cur, stack] = [figures.cur, figures.stack].map(list => r => list[r]);
    const local_amount = r => (figures.within && figures.within[r] ? figures.within[r] : cur(r));
    // A branch may have no value.
    const known = text => (value, r) => (value < 0 ? '-' : text(value, r));
    // Returns the confidence interval of a sampled number. If the number is the self value of a
    // row, samples that may belong to other rows widen the interval.
    const interval = (value, r, unit, digits) =>
        share_interval(
            value,
            r < 0 || changed ? 0 : table.less[r],
            r < 0 || changed ? 0 : table.more[r],
            total
        )
            .map(share => fixed_text(unit * share, digits))
            .join('-');
    const tip = (value, is_stack, text) =>
        sampled && total
            ? r => '95% range ' + known(text)(value(r), r)
            : key === 'functions' && !grouped
              ? r => rows_range(model, measure, r, is_stack)
              : undefined;
    const list = (id, head, says, values, none) =>
        table_column(id, head, says, r => values[r], n =>
            n < 0 || n === none ? '-' : number_text(n)
        );
    // The other unit of the measure (bytes or blocks), and the measures that stacks do not have.
    const extras = measures_of(data)
        .filter(other => other !== measure)
        .filter(({index, stacks}) => index === measure.index || (!stacks && !grouped))
        .map(other => [other.unit, rows_figures(model, key, other).cur]);
    const counted = extras.find(([unit, list]) => unit === 'calls' && list.some(n => n >= 0));
    const memory = extras.filter(([unit]) => unit !== 'calls');
    const source = r => summary_text(model, key, table, r);
    const place = r => (grouped ? '' : place_text(model, table, r));
    return [
        table_column(
            'cur',
            'self',
            means.share,
            cur,
            known(value => percent_text(value, total)),
            {first: true, bar: r => cur(r) / (total || 1), changed: changed}
        ),
        sampled &&
            table_column(
                'range',
                '95% range',
                'where the share of all such runs lies, 19 times of 20',
                cur,
                known((value, r) => interval(value, r, 100, 1))
            ),
        table_column(
            'amount',
            digits ? 'seconds' : heads[measure.unit] || measure.heading || measure.unit,
            (measure.heading ? measure.unit + ' ' : '') + means.samples,
            cur,
            known(value => (digits ? fixed_text(model.seconds(value), digits) : number_text(value))),
            {
                title: tip(
                    cur,
                    false,
                    (value, r) => interval(value, r, model.seconds(total), 2) + ' s'
                ),
            }
        ),
        model.stacks &&
            !data.keys[key].memory &&
            table_column(
                'stack',
                'total',
                means.stack_share,
                stack,
                known(all => percent_text(all, total)),
                {title: tip(stack, true, all => interval(all, -1, 100, 1) + '%')}
            ),
        counted && list('calls', counts + whole, means.calls, counted[1]),
        counted &&
            measure.costs &&
            !whole &&
            table_column(
                'each',
                key === 'loops' ? 'per iteration' : executed ? 'per execution' : 'per call',
                means['per call'],
                r => (table.calls[r] > 0 ? local_amount(r) / table.calls[r] : -1),
                (_, r) =>
                    table.each[r] >= 0 &&
                    measure.word === data.shown &&
                    (!changed || data.texts[table.each[r]] === '-')
                        ? data.texts[table.each[r]]
                        : cost_text(model, local_amount(r), table.calls[r]),
                {title: () => (changed ? summary_changed : undefined)}
            ),
        key === 'copies' && list('insns', 'insns', means.instructions, table.insns, 0),
        key === 'copies' && list('code', 'code', means.code_bytes, table.code, 0),
        ...memory.map(([unit, values]) =>
            list(unit, unit + whole, unit === 'bytes' ? means.bytes : means.allocations, values)
        ),
        grouped
            ? table_name(groups_kinds[model.transforms.find(t => t[0] === 'g')], model.label)
            : table_name(key, r => data.texts[table.name[r]], {
                  of_functions: key === 'functions',
                  title: r => (table.full ? data.texts[table.full[r]] : undefined),
              }),
        executed &&
            table_column(
                'text',
                'source',
                'what stands in the source there',
                source,
                text => text,
                {words: true, title: source}
            ),
        placed && table_place(place, grouped ? {head: ''} : {}),
    ].filter(Boolean);
}

// Returns the source text of a row: the line for a line or a loop, otherwise the text of the
// expression.
function summary_text(model, key, table, r) {
    const texts = table.file[r] < 0 ? null : model.source(table.file[r]);
    const line = texts && texts[table.line[r] - 1];
    if (!line)
        return '';
    const [, start_column, last, end_column] =
        /:(\d+)(?:-(\d+):(\d+))?$/.exec(
            key === 'expressions' && table.place[r] >= 0 ? model.data.texts[table.place[r]] : ''
        ) || [];
    if (!start_column)
        return line.trim();
    const start = places_column(line, Number(start_column));
    if (last && Number(last) !== table.line[r])
        return line.slice(start).trim() + ' \u2026';
    const part = line.slice(
        start,
        last ? places_column(line, Number(end_column) + 1) : places_end(line, start)
    );
    // If the text is only a letter or an operator, show the whole line.
    return /\w\w/.test(part) ? part : line.trim();
}

// Returns whether row R may not differ from the PREVIOUS row. As in mlprof, uncertain samples are
// counted in favour of R.
function summary_tied(model, key, columns, r, previous) {
    const table = rows_table(model, key);
    const [{value: cur, changed}] = columns;
    if (!model.measure.sampled || previous === undefined || !(cur(r) > 0))
        return false;
    return !certainly_less(
        cur(r) + (changed ? 0 : table.more[r]),
        Math.max(0, cur(previous) - (changed ? 0 : table.less[previous]))
    );
}

// Returns the displayed rows in their order. A function has no row if another function is shown for
// it. If the measure is not the one chosen on mlprof's command line, rows without a value are
// omitted.
function summary_rows(model, key, columns) {
    const {cur, stack} = rows_figures(model, key, model.measure);
    const blocks = columns.find(({id}) => id === 'bytes' || id === 'blocks');
    const all = !model.data.heap && model.measure.word === model.data.shown;
    return table_rows(columns, rows_table(model, key).name.length).filter(
        r =>
            (all || cur[r] > 0 || stack[r] > 0 || (model.data.heap && blocks.value(r) > 0)) &&
            (key !== 'functions' || model.shown_as[r + 1] === r)
    );
}

export const summary_view = {
    title: 'Summary',
    key: '1',
    show: function (main, chosen) {
        const {data} = chosen;
        const kinds = ['functions'].concat(Object.keys(data.groups));
        const key = kinds.includes(state.of) ? state.of : 'functions';
        // Rows key memory have bytes if the chosen measure is time.
        const units = data.keys[key].memory ? ['bytes', 'blocks'] : [chosen.measure.unit];
        const measure = units.includes(chosen.measure.unit)
            ? chosen.measure
            : measures_of(data).find(({unit}) => unit === 'bytes');
        const model = Object.assign(Object.create(chosen), {measure: measure});
        const table = rows_table(model, key);
        const columns = summary_columns(model, key);
        const rows = summary_rows(model, key, columns);
        bar_add(main,
            ...choice_buttons('of', kinds.map(kind => [kind, kind]), key),
            faint(plural_text(rows.length, 'row').replace(' ', '\u00a0')),
            csv_button(columns, rows)
        );
        const ordered = ['cur', 'range', 'amount'].includes(
            (columns.find(c => c.id === state.sort) || columns[0]).id
        );
        return table_show(
            main,
            columns,
            rows,
            function (r, column, cell, previous) {
                if (column !== columns[0] || !ordered)
                    return;
                if (!summary_tied(model, key, columns, r, previous))
                    return;
                cell.title = 'not certainly less than the row above';
                cell.prepend(make('span', {class: 'tied'}, '~'));
            },
            // Open a function at its hottest line, and other rows at their place.
            r =>
                key === 'functions' && !table.branch[r]
                    ? go_source(model.hottest(r), {f: r})
                    : go_row(table, r, {f: key === 'functions' ? r : -1}),
            {id: 'summary', word: key === 'functions' ? 'f' : 'row'}
        );
    },
};
