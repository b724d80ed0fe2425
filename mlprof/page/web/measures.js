// The measure that all views show. One menu offers all measured quantities: the measures of the
// page, and the measures of other sets of data that the page contains for the heap and for waits
// (beside). A model of these is made when the reader first chooses a measure of it.

import {map_get} from './maps.js';
import {memory_text} from './numbers.js';
import {button_make, make, menu_make} from './elements.js';
import {cells_text, cells_known} from './times.js';
import {measure_shown, measures_of, model_choose, model_make, model_sums} from './model.js';
import {transforms_of} from './transforms.js';
import {NO_CODE, go, profile, profile_set, state} from './state.js';
import {heaptimes_range} from './heap.js';

// All measures, and the models by their data.
let measures_all = [];
const models = new Map();

// Finds the measures of DATA. A comparison has only one measure.
export function measures_open(data) {
    const known = new Map();
    measures_all =
        data.compare || data.growth
            ? [measure_shown(data)]
            : [data, ...data.beside].flatMap(measures_of);
    // The page has the text of each file only once.
    for (const {files} of [data, ...data.beside])
        files.path.forEach(function (path, i) {
            const [first, at] = map_get(known, path, () => [files, i]);
            for (const list of ['text', 'looked', 'withheld'])
                files[list][i] = first[list][at];
        });
    measures_apply();
}

const model_of = data => map_get(models, data, () => model_make(data));

// Returns the measure with the word WORD in the address. Without a word, returns the measure that
// was chosen on mlprof's command line. If the measure is unknown for the chosen range of time,
// returns live memory instead.
function measure_of(word) {
    const chosen =
        measures_all.find(measure => measure.word === word) || measure_shown(measures_all[0].data);
    return heaptimes_range(chosen.data.heap) && !cells_known(chosen)
        ? measures_of(chosen.data).find(measure => measure.word === 'live')
        : chosen;
}

// Makes the profile with the measure in the address the current one. Returns its model.
export function measures_apply() {
    const measure = measure_of(state.measure);
    const model = model_of(measure.data);
    model_choose(model, measure, transforms_of(state), heaptimes_range(measure.data.heap));
    profile_set(model);
    return model;
}

// For each NEEDS of a view: a reason to show the reader if a measure does not fit, and a function
// that says whether it fits.
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

// Returns the measures that a view can show.
export const measures_for = view => measures_all.filter(measure => measure_fits(view, measure));

export const measures_have_functions = () =>
    measures_all.some(({data}) => data.functions.name.length > 0);

// Adds the menu of measures and the button for the range of time before the menu of groups, if
// there are several measures.
export function measures_menu() {
    if (measures_all.length < 2)
        return;
    const menu = menu_make(
        measure_go,
        {id: 'measure', title: 'what is shown: time, calls, instructions or memory (z)'},
        measures_all.map(({word, text}) => [word, text])
    );
    const when = button_make(() => go({when: '', zoom: 0}), {
        id: 'when',
        hidden: true,
        title: 'only what was allocated then; a click shows all',
    });
    document.getElementById('group').before(menu, when);
}

// Updates the menu of measures. Returns whether the height of the bar may have changed.
export function measures_update() {
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

// Returns the number of a function of the current profile in another profile, or -1.
function function_in(model, f) {
    const current = profile();
    if (f < 0 || f >= current.count)
        return -1;
    const symbol = other => other.data.texts[other.data.functions.symbol[f]];
    const {functions, texts} = model.data;
    return functions.name.findIndex(
        (name, g) =>
            texts[name] === current.name(f) &&
            texts[functions.symbol[g]] === symbol(current) &&
            model.path(functions.file[g]) === current.path(current.data.functions.file[f])
    );
}

// Shows a measure and applies CHANGES to the address. The same function and file stay chosen if the
// data of the measure has them.
export function measure_go(word, changes) {
    const current = profile();
    const measure = measures_all.find(other => other.word === word);
    const next = model_of(measure_of(word).data);
    const file = Number(state.file);
    const moved =
        next === current
            ? {}
            : {
                  f: function_in(next, Number(state.f)),
                  file: file < 0 ? -1 : next.data.files.path.indexOf(current.path(file)),
                  ...NO_CODE,
                  copy: -1,
                  row: -1,
              };
    go({
        measure: word === measure_shown(measures_all[0].data).word ? '' : word,
        zoom: 0,
        // If the measure is unknown for a range of time, show the whole run.
        ...(measure && heaptimes_range(measure.data.heap) && !cells_known(measure) && {when: ''}),
        ...moved,
        ...changes,
    });
}

// Chooses the next measure in the menu that has the same unit. After the last measure, continues
// with the first.
export function measures_next() {
    const {measure: now} = profile();
    const blocks = unit => unit === 'blocks';
    const all = measures_all.filter(
        other => other.units.length < 2 || blocks(other.unit) === blocks(now.unit)
    );
    if (all.length)
        measure_go(all[(all.findIndex(other => other.word === now.word) + 1) % all.length].word);
}

// Returns a message for a view that cannot show the current measure: the reason, and buttons for
// the measures that it can show. Returns undefined if it can show the measure.
export function measure_unavailable(view) {
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

// Returns a note for the bottom of the page: the amount of heap memory or, if there are no stacks,
// the reason.
export function measures_note() {
    const model = profile();
    const {data, measure, span, what} = model;
    if (data.heap && (data.compare || data.growth))
        return 'Of the heap: ' + what + '.\n';
    if (data.heap && span) {
        const [bytes, blocks] = measures_of(data)
            .filter(({index}) => index === measure.index)
            .map(other => model_sums(model, other).total);
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
