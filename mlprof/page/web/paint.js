// The metrics that colour the source. Besides samples and executions, these are calls of functions,
// time of one execution, and allocated memory. In comparisons, the change of lines and expressions,
// the value of a formula, and the exponent of growth are also available.

import {each_text, number_text} from './numbers.js';
import {heat_colour} from './drawing.js';
import {times_whole} from './times.js';
import {measures_of} from './model.js';
import {state} from './state.js';
import {places_starts} from './places.js';
import {
    compare_change,
    compare_colour,
    compare_growth,
    compare_of,
    compare_sign,
    compare_style,
    compare_text,
    compare_value,
} from './compare.js';
import {growth_colour, growth_most, growth_number, growth_words} from './growth.js';

// Returns the metrics of the profile, with their descriptions.
export function metrics_list(model) {
    const {data, measure} = model;
    const lines = data.lines.line.length > 0;
    const what = measure.sampled ? 'time' : measure.unit;
    const allocated = data.heap ? model.what : 'allocated';
    return [
        measure.stacks && ['cur', 'own ' + what],
        model.stacks && ['stack', what + ' with what it called'],
        lines && ['count', 'how often executed' + times_whole(model)],
        lines &&
            measure.costs &&
            !model.range && ['each', (measure.sampled ? 'time' : what) + ' of one execution'],
        data.functions.calls.some(calls => calls >= 0) && [
            'calls',
            'calls of functions' + times_whole(model),
        ],
        ...measures_of(data)
            .filter(
                other =>
                    other.memory &&
                    (!other.stacks || (other !== measure && other.index === measure.index))
            )
            .map(({unit}) => [unit, unit + ' ' + allocated + times_whole(model)]),
        data.compare && data.compare.formula && ['value', 'value of the formula'],
        data.compare && ['change', 'change'],
        data.growth && ['exponent', 'growth'],
    ].filter(Boolean);
}

// Returns the metric that colours the source. This is the metric in the address, if the profile has
// it. Otherwise it is the current measure, if stacks do not have this measure and it is not the
// measure chosen on mlprof's command line. Otherwise it is the first metric.
export function metrics_chosen(model) {
    const {data, measure} = model;
    const all = metrics_list(model);
    const is_extra = !measure.stacks && measure.word !== data.shown;
    return (
        all.find(([name]) => name === state.by) ||
        all.find(([name]) => is_extra && name === measure.unit) ||
        all[0] || ['cur']
    )[0];
}

// Returns the values of a METRIC in a file: values by LINES and, if the metric has them, by
// EXPRESSIONS, with functions for the TEXT and the HEAT of a value. Returns null if METRIC is
// samples or executions, or if the profile does not have the metric.
export function metrics_of(model, file, metric) {
    const data = model.data;
    const lines = new Map();
    const expressions = new Map();
    const add = (map, key, value) => map.set(key, (map.get(key) || 0) + value);
    let text = number_text;
    if (
        !['each', 'calls', 'bytes', 'blocks'].includes(metric) ||
        !metrics_list(model).some(([name]) => name === metric)
    )
        return null;
    if (metric === 'bytes' || metric === 'blocks')
        for (const [p, site] of model.sites(file)) {
            add(lines, data.positions.line[p], site[metric]);
            add(expressions, p, site[metric]);
        }
    else if (metric === 'calls')
        data.functions.calls.forEach(function (calls, f) {
            if (calls >= 0 && data.functions.file[f] === file && !data.functions.branch[f])
                add(lines, data.functions.line[f], calls);
        });
    else {
        const counts = model.executions(file);
        for (const [line, row] of model.lines(file))
            if (row.cur && counts.get(line))
                lines.set(line, row.cur / counts.get(line));
        text = value => each_text(model, value, 1);
    }
    const most = Array.from(lines.values()).reduce((a, b) => Math.max(a, b), 0);
    // Numbers of calls differ by orders of magnitude, so their colours are logarithmic.
    const share =
        metric === 'calls'
            ? value => Math.log(value + 1) / Math.log(most + 1)
            : value => value / most;
    const words = metrics_list(model).find(([name]) => name === metric)[1];
    return {
        lines: lines,
        expressions: expressions,
        text: text,
        words: words,
        whole: metric !== 'each',
        heat: value => (value ? heat_colour(share(value)) : ''),
    };
}

// Returns the row of the comparison for each line of a file, and for each expression by its
// position.
function paint_rows(model, file, expressions) {
    const data = model.data;
    const comparison = compare_of(data);
    const found = {lines: new Map(), expressions: new Map()};
    if (comparison.lines)
        comparison.lines.row.forEach(function (row, i) {
            if (row >= 0 && data.groups.lines.file[row] === file)
                found.lines.set(data.groups.lines.line[row], i);
        });
    if (!comparison.expressions)
        return found;
    const positions = data.positions;
    const places = new Map();
    comparison.expressions.row.forEach(function (row, i) {
        if (row >= 0 && data.groups.expressions.file[row] === file)
            places.set(data.texts[comparison.expressions.place[i]].replace(/^.*: /, ''), i);
    });
    for (const p of expressions.keys()) {
        const start = positions.start_line[p] + ':' + positions.start_column[p];
        const end = positions.end_line[p] + ':' + positions.end_column[p];
        const place = !positions.column[p]
            ? positions.line[p] + ':?'
            : start === end
              ? start
              : start + '-' + end;
        if (places.has(place))
            found.expressions.set(p, places.get(place));
    }
    return found;
}

// Returns the colours of the lines and expressions of a file by change, value of a formula, or
// exponent, and the texts about a line. Returns null if METRIC is another one. If lines cannot be
// compared, because the program is another build, the lines of a function get the colour of the
// function's change.
export function paint_of(model, file, metric, expressions) {
    const data = model.data;
    const comparison = compare_of(data);
    if (!comparison || !['change', 'value', 'exponent'].includes(metric))
        return null;
    const found = paint_rows(model, file, expressions);
    const style = compare_style(data);
    const starts = places_starts(model, file);
    const most = metric === 'exponent' ? growth_most(comparison.lines) : 0;
    const greatest = new Map(
        [comparison.functions, comparison.lines, comparison.expressions]
            .filter(table => table && table.value)
            .map(table => [table, table.value.reduce((a, b) => Math.max(a, Math.abs(b)), 0)])
    );
    const colour = function (table, i) {
        if (metric === 'exponent')
            return growth_colour(table.exponent[i], most);
        if (metric === 'value') {
            const value = table.value[i];
            return value
                ? 'rgba(var(--' + (value > 0 ? 'hot' : 'cool') + '), ' +
                      (0.6 * Math.sqrt(Math.abs(value) / greatest.get(table))).toFixed(3) + ')'
                : '';
        }
        const change = compare_change(table, i);
        const greater = Math.max(table.before[i] || 0, table.after[i] || 0);
        return compare_colour(
            change,
            table.certain[i],
            Math.min(1, Math.abs(change) / (greater || 1))
        );
    };
    const describe = function (table, i) {
        if (metric === 'exponent')
            return growth_words(data, table, i);
        const [before, after, certain] = [table.before[i], table.after[i], table.certain[i]];
        return (
            (comparison.formula ? 'value ' + compare_value(table.value[i]) + '; ' : '') +
            compare_text(style, {before, after, certain}) +
            (table.exact[i] ? '' : table.certain[i] ? ', certain' : ', may be chance')
        );
    };
    const whole = new Map();
    if (!comparison.lines) {
        const rows = new Map(comparison.functions.row.map((row, i) => [row, i]));
        const lines = (data.files.text[file] || '').split('\n').length;
        let last;
        for (let line = 1; line <= lines; line++) {
            if (starts.has(line))
                last = rows.get(starts.get(line));
            if (last !== undefined)
                whole.set(line, last);
        }
    }
    // Returns a short text next to a line, because colour must not be the only sign.
    const brief = (table, i) =>
        metric === 'exponent'
            ? 'n^' + growth_number(table.exponent[i])
            : metric === 'value'
              ? compare_value(table.value[i])
              : compare_sign(compare_change(table, i), table.certain[i]) +
                (table.certain[i] ? ' ' + compare_growth(table.before[i], table.after[i]) : '');
    return {
        brief: line =>
            found.lines.has(line)
                ? brief(comparison.lines, found.lines.get(line))
                : whole.has(line) && starts.has(line)
                  ? brief(comparison.functions, whole.get(line))
                  : '',
        line: line =>
            whole.has(line)
                ? colour(comparison.functions, whole.get(line))
                : found.lines.has(line)
                  ? colour(comparison.lines, found.lines.get(line))
                  : '',
        expression: p =>
            found.expressions.has(p)
                ? colour(comparison.expressions, found.expressions.get(p))
                : '',
        kind: function (p) {
            const table = comparison.expressions;
            const i = found.expressions.get(p);
            const change =
                i === undefined || metric === 'exponent'
                    ? 0
                    : metric === 'value'
                      ? table.value[i]
                      : table.certain[i] && compare_change(table, i);
            return change > 0 ? 'more' : change < 0 ? 'less' : '';
        },
        tip: line =>
            whole.has(line)
                ? 'its function: ' + describe(comparison.functions, whole.get(line))
                : found.lines.has(line)
                  ? 'the line: ' + describe(comparison.lines, found.lines.get(line))
                  : '',
    };
}
