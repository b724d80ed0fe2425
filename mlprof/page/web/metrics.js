// The metrics that the source can be coloured by beside the measure and executions: the calls of
// functions, the time of one execution, and what was allocated where.

import {each_text, number_text} from './numbers.js';
import {heat_colour} from './drawing.js';
import {times_whole} from './times.js';
import {measures_of} from './model.js';
import {state} from './state.js';

// The names of the metrics that the profile has, with words for them.
export function metrics_list(model) {
    const {data, measure} = model;
    const lines = data.lines.line.length > 0;
    const what = measure.sampled ? 'time' : measure.unit;
    const allocated = data.heap ? model.what : 'allocated';
    return [
        measure.stacks && ['cur', what + ' of its own'],
        model.stacks && ['stack', what + ' with what it called'],
        lines && ['count', 'how often executed' + times_whole(model)],
        lines && measure.sampled && !model.range && ['each', 'time of one execution'],
        data.functions.calls.some(calls => calls >= 0) && [
            'calls',
            'calls of functions' + times_whole(model),
        ],
        ...measures_of(data)
            .filter(of => of.memory && (!of.stacks || (of !== measure && of.at === measure.at)))
            .map(({unit}) => [unit, unit + ' ' + allocated + times_whole(model)]),
        data.compare && data.compare.formula && ['value', 'value of the formula'],
        data.compare && ['change', 'change'],
        data.growth && ['exponent', 'growth'],
    ].filter(Boolean);
}

// The metric that the source is coloured by; where the profile has not the one that was asked for,
// the first or, of a measure that stacks do not have and mlprof was not asked for, this.
export function metrics_chosen(model) {
    const {data, measure} = model;
    const all = metrics_list(model);
    const beside = !measure.stacks && measure.word !== data.shown;
    return (
        all.find(([name]) => name === state.by) ||
        all.find(([name]) => beside && name === measure.unit) ||
        all[0] || ['cur']
    )[0];
}

// What the metric BY says of a file: values by LINES and, if it tells these apart, by EXPRESSIONS,
// with the TEXT for a value and its HEAT. Null: BY is samples or executions, or the profile has no
// such metric.
export function metrics_of(model, file, by) {
    const data = model.data;
    const lines = new Map();
    const expressions = new Map();
    const add = (map, key, value) => map.set(key, (map.get(key) || 0) + value);
    let text = number_text;
    if (
        !['each', 'calls', 'bytes', 'blocks'].includes(by) ||
        !metrics_list(model).some(([name]) => name === by)
    )
        return null;
    if (by === 'bytes' || by === 'blocks')
        for (const [p, site] of model.sites(file)) {
            add(lines, data.positions.line[p], site[by]);
            add(expressions, p, site[by]);
        }
    else if (by === 'calls')
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
    // Numbers of calls differ by powers of ten.
    const share =
        by === 'calls' ? value => Math.log(value + 1) / Math.log(most + 1) : value => value / most;
    const words = metrics_list(model).find(([name]) => name === by)[1];
    return {
        lines: lines,
        expressions: expressions,
        text: text,
        words: words,
        whole: by !== 'each',
        heat: value => (value ? heat_colour(share(value)) : ''),
    };
}
