// Copies parts of the page to the clipboard or to a file: tables as CSV, stacks as text, and
// pictures as SVG files that do not need the page's style sheet.

import {map_get} from './maps.js';
import {button_make, draw, make} from './elements.js';
import {times_title} from './times.js';
import {profile} from './state.js';

// Copies TEXT to the clipboard. If this is not allowed, saves TEXT as the file NAME.
function clipboard_put(text, name) {
    const save = function () {
        const link = make('a', {
            href: URL.createObjectURL(new Blob([text])),
            download: name || 'ccprof.csv',
        });
        link.click();
        URL.revokeObjectURL(link.href);
    };
    if (navigator.clipboard)
        navigator.clipboard.writeText(text).catch(save);
    else
        save();
}

function csv_text(columns, rows) {
    const cell = text => (/[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
    const range = times_title(profile());
    const head = column => column.head + (column.name && range ? ' (' + range + ')' : '');
    return (
        [
            columns.map(column => cell(head(column))),
            ...rows.map(r => columns.map(column => cell(String(column.text(r))))),
        ]
            .map(line => line.join(','))
            .join('\n') + '\n'
    );
}

// Returns a button that copies ROWS of a table as CSV.
export const csv_button = (columns, rows) =>
    button_make(
        () => clipboard_put(csv_text(columns, rows)),
        {id: 'copy', title: 'the rows as comma-separated values'},
        'copy CSV'
    );

function folded_text(model) {
    const lines = [];
    const clean = f => model.label(f).replace(/;/g, ':');
    const tree = model.tree(true);
    const path = [''];
    const names = new Map();
    for (let node = 1; node < tree.parent.length; node++) {
        const f = tree.function[node];
        const outer = path[tree.parent[node]];
        path[node] = (outer ? outer + ';' : '') + map_get(names, f, () => clean(f));
        if (tree.count[node])
            lines.push(path[node] + ' ' + tree.count[node] + '\n');
    }
    return lines.join('');
}

export const folded_button = model =>
    button_make(
        () => clipboard_put(folded_text(model), 'stacks.folded'),
        {id: 'folded', title: 'the stacks as text, as mlprof -folded writes them'},
        'copy stacks'
    );

// Properties of picture elements that the style sheet may set.
const PICTURE = (
    'fill stroke stroke-width stroke-dasharray font-family font-size opacity'
).split(' ');

// Returns the text of an SVG file for an svg element. The current style of an element in the page
// is written into it. Characters that XML does not allow, for example in names, are replaced.
function picture_text(svg) {
    const copy = svg.cloneNode(true);
    if (svg.isConnected) {
        const copies = copy.querySelectorAll('*');
        const box = svg.viewBox.baseVal;
        svg.querySelectorAll('*').forEach(function (element, i) {
            const style = getComputedStyle(element);
            if (element.tagName !== 'title')
                for (const name of PICTURE)
                    copies[i].setAttribute(name, style[name]);
        });
        copy.setAttribute('width', svg.clientWidth);
        copy.setAttribute('height', svg.clientHeight);
        copy.prepend(
            draw('rect', {
                x: box.x,
                y: box.y,
                width: box.width,
                height: box.height,
                fill: getComputedStyle(document.body).backgroundColor,
            })
        );
    }
    const range = times_title(profile());
    if (range)
        copy.prepend(draw('title', {}, profile().data.title + ', ' + range));
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
        texts.currentNode.data = texts.currentNode.data.replace(
            /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
            '\ufffd'
        );
    return new XMLSerializer().serializeToString(copy);
}

// Returns a button that copies the picture that PICTURE returns, or saves it as the file NAME.
export const picture_button = (picture, name, id) =>
    button_make(() => clipboard_put(picture_text(picture()), name), {id: id}, 'copy SVG');
