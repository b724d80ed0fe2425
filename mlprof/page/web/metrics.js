// The metrics that the source can be coloured by beside samples and executions: the calls of
// functions, the time of one execution, and what was allocated where.

import {each_text, number_text} from './numbers.js';
import {heat_colour} from './drawing.js';
import {times_whole} from './times.js';
import {model_has_callers, model_has_stacks} from './model.js';
import {state} from './state.js';

// The names of the metrics that the profile has, with words for them.
export function metrics_list(model) {
    const data = model.data;
    const lines = data.lines.line.length > 0;
    const allocated = data.heap ? data.heap.what : 'allocated';
    const what = data.measure === 'samples' ? 'time' : data.measure;
    return [
        !model.counts_alone && ['cur', what + ' of its own'],
        data.stacks && ['stack', what + ' with what it called'],
        lines && ['count', 'how often executed' + times_whole(model)],
        lines && data.timed && !model.range && ['each', 'time of one execution'],
        data.functions.calls.some(calls => calls >= 0) && [
            'calls',
            'calls of functions' + times_whole(model),
        ],
        data.allocated &&
            data.measure !== 'bytes' && ['bytes', 'bytes ' + allocated + times_whole(model)],
        data.allocated &&
            data.measure !== 'blocks' && ['blocks', 'blocks ' + allocated + times_whole(model)],
        data.compare && data.compare.formula && ['value', 'value of the formula'],
        data.compare && ['change', 'change'],
        data.growth && ['exponent', 'growth'],
    ].filter(Boolean);
}

// The metric that the source is coloured by; the first where the profile has not the one that was
// asked for.
export function metrics_chosen(model) {
    const all = metrics_list(model);
    return (all.find(([name]) => name === state.by) || all[0] || ['cur'])[0];
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
        data.sites.position.forEach(function (p, i) {
            if (data.sites.file[i] !== file)
                return;
            add(lines, data.positions.line[p], data.sites[by][i]);
            add(expressions, p, data.sites[by][i]);
        });
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

// A line for the foot of the page, about what flame graphs and trees cannot tell.
export function metrics_note(data) {
    if (!model_has_stacks(data))
        return (
            'Calls were counted, and nothing else measured: shares are of all calls. There are ' +
            'no flame graphs, trees and map, since stacks of counts are not kept.' +
            '\n' +
            (model_has_callers(data)
                ? ''
                : 'Who called whom is known where blocks are counted: ' +
                  '-fplugin-arg-ccprof-blocks\n')
        );
    if (data.heap && (data.compare || data.growth))
        return (
            'Of the heap: ' +
            data.heap.measures.find(measure => measure.name === data.heap.shown).what + '.\n'
        );
    if (data.heap)
        return (
            'Of the heap: ' + data.heap.measures.map(measure => measure.head).join('; ') +
            '. Memory has no ' +
            (data.heap.times ? '' : 'times, ') +
            (data.groups.threads ? 'ranks here.\n' : 'ranks or threads here.\n')
        );
    const others = [
        data.allocated && data.measure !== 'bytes' && 'bytes',
        data.counted && data.measure !== 'calls' && 'counts',
    ].filter(Boolean);
    return others.length
        ? 'Flame graphs, trees and the map are of ' +
              (data.measure === 'samples' ? 'time' : data.measure) + ': stacks of ' +
              others.join(' and ') + ' are not kept. The source can be coloured by all.\n'
        : '';
}
