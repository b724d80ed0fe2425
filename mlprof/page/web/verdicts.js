// What GCC did with the loops, shown beside the line of a loop's head.

import {percent_text} from './numbers.js';
import {make} from './elements.js';

// Returns the verdicts of FILE by line. The result is cached.
function verdicts_of(model, file) {
    if (!model.verdicts)
        model.verdicts = new Map();
    if (model.verdicts.has(file))
        return model.verdicts.get(file);
    const data = model.data.verdicts;
    const found = new Map();
    data.line.forEach(function (line, i) {
        if (data.file[i] !== file || data.text[i] < 0)
            return;
        if (!found.has(line))
            found.set(line, []);
        found.get(line).push({
            text: model.data.texts[data.text[i]],
            messages: data.messages[i] < 0 ? '' : model.data.texts[data.messages[i]],
            function: data.into[i],
            copies: data.copies[i],
            cur: data.cur[i],
        });
    });
    model.verdicts.set(file, found);
    return found;
}

// Returns the function into which the copy of a verdict is compiled, and the number of others.
function verdicts_place(model, verdict) {
    return (
        (verdict.function < 0 ? '' : ' in ' + model.name(verdict.function)) +
        (verdict.copies > 1 ? ' and ' + (verdict.copies - 1) + ' more' : '')
    );
}

// Returns the verdicts about the loops in a line, or undefined if there are none.
export function verdicts_span(model, file, line) {
    const found = verdicts_of(model, file).get(line);
    if (!found)
        return undefined;
    return make('span', {class: 'verdict'},
        found
            .map(
                verdict =>
                    verdict.text +
                    (found.length > 1 ? ' (' + verdicts_place(model, verdict).trim() + ')' : '')
            )
            .join('; ')
    );
}

// Returns the lines about the loops in a line for its tip: also GCC's own words.
export function verdicts_tip(model, file, line) {
    return (verdicts_of(model, file).get(line) || [])
        .map(
            verdict =>
                'loop' +
                verdicts_place(model, verdict) +
                (verdict.cur ? ', ' + percent_text(verdict.cur, model.total) : '') +
                ': ' +
                verdict.text +
                (verdict.messages ? '\nGCC: ' + verdict.messages : '')
        )
        .join('\n');
}
