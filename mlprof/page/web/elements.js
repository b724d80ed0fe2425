// Makes elements of the page and of its pictures, shows tips, and fills long tables and sources
// with only the rows that are in view.

import {fit_names} from './names.js';

// Makes an element with attributes. Children are elements or texts, which are never interpreted as
// markup.
export function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name === 'events')
            for (const [event, act] of Object.entries(value))
                element.addEventListener(event, act);
        else if (value === true)
            element.setAttribute(name, '');
        else if (value !== false && value !== undefined)
            element.setAttribute(name, value);
    }
    element.append(...children.filter(child => ![undefined, null, false].includes(child)));
    return element;
}

// button_make makes a button that calls ACT. menu_make makes a menu of OPTIONS (pairs of value and
// text) that calls ACT with the chosen value.
export const button_make = (act, attributes, ...children) =>
    make('button', {events: {click: act}, ...attributes}, ...children);

export const menu_make = (act, attributes, options, chosen) =>
    make('select', {events: {change: event => act(event.target.value)}, ...attributes},
        ...options.map(([value, text, title]) =>
            make('option', {value: value, selected: value === chosen, title: title}, text)
        )
    );

export const faint = (...children) => make('span', {class: 'faint'}, ...children);

// Adds a bar with CHILDREN to AREA.
export const bar_add = (area, ...children) =>
    area.append(make('div', {class: 'bar-of'}, ...children));

// Makes a table of texts, with the headings HEADS if given.
export function table_plain(attributes, heads, rows) {
    const line = (kind, texts) => make('tr', {}, ...texts.map(text => make(kind, {}, text)));
    return make('table', attributes,
        heads && make('thead', {}, line('th', heads)),
        make('tbody', {}, ...rows.map(texts => line('td', texts)))
    );
}

// Like make, for SVG elements.
export function draw(tag, attributes, ...children) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, value);
    element.append(...children);
    return element;
}

export function tip_show(event, text) {
    const tip = document.getElementById('tip');
    tip.hidden = !text;
    if (!text)
        return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + 'px';
    tip.style.top = Math.max(0, Math.min(event.clientY + 16, innerHeight - box.height - 8)) + 'px';
}

// Shows a tip while the pointer is on ELEMENT. TIP_OF returns the tip for the event.
export function tip_on(element, tip_of) {
    element.onmousemove = event => tip_show(event, tip_of(event));
    element.onmouseleave = event => tip_show(event, '');
    return element;
}

// The height of a table row in page.css.
export const ROW = 24;

// Fills BODY, inside the scrolling element SCROLLS, with the rows in view. There are COUNT rows of
// HEIGHT pixels. ROW makes a row from its number. REST makes the placeholder for rows that are out
// of view. The number of rows above the first row in view is even, so that the colours of odd and
// even rows stay the same.
export function rows_fill(scrolls, body, count, height, row, rest) {
    const before = rest();
    const after = rest();
    let shown = '';
    function fill() {
        const top = Math.max(
            0,
            scrolls.getBoundingClientRect().top - body.getBoundingClientRect().top
        );
        const first = Math.min(count, Math.max(0, Math.floor(top / height) - 20)) & ~1;
        const last = Math.min(count, first + Math.ceil(scrolls.clientHeight / height) + 60);
        if (shown === first + '-' + last)
            return;
        shown = first + '-' + last;
        before.style.height = first * height + 'px';
        after.style.height = (count - last) * height + 'px';
        const rows = [];
        for (let i = first; i < last; i++)
            rows.push(row(i));
        body.replaceChildren(before, ...rows, after);
        fit_names(body);
    }
    // Several tables can share one scrolling element.
    const others = scrolls.onscroll;
    scrolls.onscroll = function () {
        fill();
        if (others)
            others();
    };
    fill();
}

// Scrolls so that row NUMBER is in the middle.
export function rows_scroll(scrolls, number, height) {
    scrolls.scrollTop = Math.max(0, number * height - scrolls.clientHeight / 2);
    if (scrolls.onscroll)
        scrolls.onscroll();
}
