// The measure that all views show, chosen in one menu from all that was measured: what the page is
// of and, in a page of its own beside it (heap_page), the heap, of which the model is made when the
// reader first asks for it.

import {memory_text} from './numbers.js';
import {button_make, make, menu_make} from './elements.js';
import {cells_text, cells_told} from './times.js';
import {measure_shown, measures_of, model_choose, model_make, model_sums} from './model.js';
import {transforms_of} from './transforms.js';
import {go, profile, profile_set, state} from './state.js';
import {heaptimes_range} from './heap.js';

// All measures, and by their data the models.
let measures_all = [];
const models = new Map();

// Looks at what DATA tell of. Comparisons have been made of one measure.
export function measures_open(data) {
    const {heap_page: heap} = data;
    measures_all =
        data.compare || data.growth
            ? [measure_shown(data)]
            : [data, heap].filter(Boolean).flatMap(measures_of);
    // Texts of files stand in the page once.
    const {path, text, looked, withheld} = data.files;
    (heap ? heap.files.path : []).forEach(function (its, i) {
        const at = path.indexOf(its);
        if (at >= 0)
            [heap.files.text[i], heap.files.looked[i], heap.files.withheld[i]] = [
                text[at],
                looked[at],
                withheld[at],
            ];
    });
    measures_follow();
}

function model_of(data) {
    if (!models.has(data))
        models.set(data, model_make(data));
    return models.get(data);
}

// The measure that a word of the address asks for; without one, what mlprof was asked for. Of a
// span of time not all is known.
function measure_of(word) {
    const asked =
        measures_all.find(measure => measure.word === word) || measure_shown(measures_all[0].data);
    return heaptimes_range(asked.data.heap) && !cells_told(asked)
        ? measures_of(asked.data).find(measure => measure.word === 'live')
        : asked;
}

// Makes what the address asks for the profile that all views show.
export function measures_follow() {
    const measure = measure_of(state.measure);
    const model = model_of(measure.data);
    model_choose(model, measure, transforms_of(state), heaptimes_range(measure.data.heap));
    profile_set(model);
    return model;
}

// Of what views NEED whether a measure has it, and why one that has not cannot be shown.
const measure_needs = {
    stacks: ['its stacks are not kept', ({stacks}) => stacks],
    callers: [
        'it is not known by caller',
        ({stacks, unit, data}) => stacks || (unit === 'calls' && data.calls.calls.length > 0),
    ],
    samples: ['only samples have times', ({sampled}) => sampled],
};

function measure_fits({only, needs}, measure) {
    return (!only || only(measure.data)) && (!needs || measure_needs[needs][1](measure));
}

// The measures that a view can show.
export const measures_for = view => measures_all.filter(of => measure_fits(view, of));

// The menu of measures, if there are several, and the span of time, in front of the menu of groups.
export function measures_menu() {
    if (measures_all.length < 2)
        return;
    const menu = menu_make(
        measure_go,
        {id: 'measure', title: 'what is shown: time, calls, or memory (z)'},
        measures_all.map(({word, text}) => [word, text])
    );
    const when = button_make(() => go({when: '', zoom: 0}), {
        id: 'when',
        hidden: true,
        title: 'only what was allocated then; a click shows all',
    });
    document.getElementById('group').before(menu, when);
}

// Returns whether the bar leaves another room for the views than before.
export function measures_mark() {
    const menu = document.getElementById('measure');
    if (!menu)
        return false;
    const {data, measure, span} = profile();
    const when = document.getElementById('when');
    const text = span ? cells_text(data.heap, span) + ' \u00d7' : '';
    const changed = when.textContent !== text;
    menu.value = measure.word;
    when.hidden = !span;
    when.textContent = text;
    return changed;
}

// The number of a function of the profile in another, -1: it is not there.
function function_in(model, f) {
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

// Shows a measure, and with the CHANGES: the same function and the same file, where its data have
// them.
export function measure_go(word, changes) {
    const from = profile();
    const measure = measures_all.find(of => of.word === word);
    const to = model_of(measure_of(word).data);
    const file = Number(state.file);
    const moved =
        to === from
            ? {}
            : {
                  f: function_in(to, Number(state.f)),
                  file: file < 0 ? -1 : to.data.files.path.indexOf(from.path(file)),
                  position: -1,
                  part: -1,
                  insn: -1,
                  copy: -1,
                  row: -1,
              };
    go({
        measure: word === measure_shown(measures_all[0].data).word ? '' : word,
        zoom: 0,
        // What is not known of a range of time is shown of the whole run.
        ...(measure && heaptimes_range(measure.data.heap) && !cells_told(measure) && {when: ''}),
        ...moved,
        ...changes,
    });
}

// Goes on in the menu to what is in the same unit, behind the last one to the first.
export function measures_next() {
    const {measure: now} = profile();
    const blocks = unit => unit === 'blocks';
    const all = measures_all.filter(
        of => of.units.length < 2 || blocks(of.unit) === blocks(now.unit)
    );
    if (all.length)
        measure_go(all[(all.findIndex(of => of.word === now.word) + 1) % all.length].word);
}

// Stands in place of a view that cannot show the measure: why, and buttons for those that it can
// show. Undefined: it can.
export function measure_none(view) {
    const {measure} = profile();
    if (measure_fits(view, measure))
        return undefined;
    const [why] = measure_needs[view.needs] || [''];
    return make('div', {class: 'empty'},
        view.title + ' has nothing of ' + measure.text + (why && ': ' + why) + '. It can show ',
        ...measures_for(view).flatMap(({word, text}) => [
            button_make(() => measure_go(word), {'data-measure': word}, text),
            ' ',
        ])
    );
}

// A text for the foot of the page: how much there is of the heap or, where there are no stacks, why
// not.
export function measures_note() {
    const model = profile();
    const {data, measure, span, what} = model;
    if (data.heap && (data.compare || data.growth))
        return 'Of the heap: ' + what + '.\n';
    if (data.heap && span) {
        const [bytes, blocks] = measures_of(data)
            .filter(({at}) => at === measure.at)
            .map(of => model_sums(model, of).total);
        return memory_text(model, bytes, blocks) + '\n';
    }
    if (data.heap)
        return measure.head;
    return measures_all.some(({stacks}) => stacks)
        ? ''
        : 'Calls were counted, and nothing else measured: shares are of all calls. There are ' +
              'no flame graphs, trees and map, since stacks of counts are not kept.\n' +
              (data.calls.calls.length
                  ? ''
                  : 'Who called whom is known where blocks are counted: ' +
                    '-fplugin-arg-ccprof-blocks\n');
}
