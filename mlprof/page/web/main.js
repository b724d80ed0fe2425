// Puts the views together: the bar above, the keys, the address.

page.keys = [
    ['0 to 9', 'the views; s the call sites, w the regions, k their calls in time order, o the load of ranks or threads, and of comparisons c, d, e and g, too'], ['/', 'filter'], ['n, N', 'the next line of the source that the filter finds, the one before'], ['t', 'dark or light'],
    ['f, i, h', 'focus on the chosen function, ignore stacks with it, make it part of its callers'], ['r', 'recursion as one'],
    ['arrows, with Shift', 'in the view of time: along it or its range; choose one, move its end; Escape takes it back'],
    ['arrows, Enter, + -, comma, full stop', 'in the view of tracks: along the calls; zoom to one; closer and farther; before and behind; with Shift choose a range; Escape takes back'],
    ['l', 'libraries out of the stacks'], ['b', 'functions put together by file, class, module'], ['u', 'take the last of these back'], ['arrows, Enter', 'along the rows, open; in a tree Right opens, Left closes'],
    ['arrows', 'in a flame graph: up to the caller, down to the first callee, to those beside; Enter zooms, Escape shows all, and again takes the cursor away'],
    ['a', 'the machine code beside the source'], ['Escape', 'all of the flame graph; out of the filter, and none'], ['Enter', 'out of the filter'], ['Tab, arrows', 'to the dials of call sites, turn one'], ['Backspace, Alt+Left', 'back'], ['?', 'this list'],
];

page.render = function () {
    const main = document.getElementById('main'), view = page.views[page.state.view] || page.views.summary;
    page.tip(null, '');
    const changes = page.transforms_of(page.state);
    if (changes.join('\n') !== page.data.transforms.join('\n')) page.data.transform(changes);
    page.transforms_bar();
    page.data.arcs.turn(page.state.dials);
    main.onscroll = null;
    main.style.overflowY = '';
    main.replaceChildren();
    main.scrollTop = 0;
    page.navigation_mark(view);
    const search = document.getElementById('search');
    if (search.value !== page.state.search) search.value = page.state.search;
    document.getElementById('group').value = changes.find(t => t[0] === 'g') || '';
    const wrong = document.getElementById('wrong');
    wrong.textContent = page.matcher_wrong(page.state.search);
    wrong.hidden = !wrong.textContent;
    search.setAttribute('aria-invalid', !wrong.hidden);
    view.show(main, page.data);
    page.fit_names(main);
};

page.help = function () {
    const sheet = document.getElementById('sheet');
    sheet.replaceChildren(page.make('table', {}, page.make('tbody', {}, ...page.keys.map(([key, does]) =>
        page.make('tr', {}, page.make('td', {'class': 'key'}, key), page.make('td', {'class': 'does'}, does))))));
    if (sheet.open) sheet.close();
    else sheet.showModal();
};

// A transform about the chosen function alone.
page.chosen = function (letter) {
    const f = Number(page.state.f);
    if (f >= 0 && f < page.data.count)
        page.transforms_add(letter + '/^' + page.data.name(f).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$/');
};

page.dark = function () {
    document.body.classList.toggle('dark');
    page.render();
};

page.key = function (event) {
    const search = document.getElementById('search');
    if (event.target === search) {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        search.blur();
        if (event.key === 'Escape') page.go({search: ''}, true);
        return;
    }
    if (event.target.id === 'range') {
        if (event.key === 'Enter' || event.key === 'Escape') event.target.blur();
        return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const found = Object.keys(page.views).find(name => page.views[name].key === event.key);
    if (found) page.go({view: found, zoom: 0});
    else if (event.key === '/') search.focus();
    else if (event.key === '?') page.help();
    else if (event.key === 't') page.dark();
    else if ('fih'.includes(event.key)) page.chosen('+-.'['fih'.indexOf(event.key)]);
    else if (event.key === 'r' || event.key === 'l') page.transforms_add(event.key);
    else if (event.key === 'b') page.groups_next();
    else if (event.key === 'u') page.go({change: page.transforms_of(page.state).slice(0, -1).join('\n'), zoom: 0});
    else if (page.views[page.state.view].keys && page.views[page.state.view].keys(event)) /* done */;
    else if (event.key === 'Escape') page.go({zoom: 0});
    else if (event.key === 'Backspace') history.back();
    else return;
    event.preventDefault();
};

page.start = async function () {
    const data = await page.read();
    page.data = page.model(data);
    page.defaults.of = data.by;
    for (const [name, view] of Object.entries(page.views)) if (view.only && !view.only(data)) delete page.views[name];
    page.defaults.view = data.compare ? 'compare' : data.growth ? 'growth' : page.regions_alone(data) ? 'regions' : 'summary';
    document.getElementById('title').textContent = data.title === data.program ? page.data.last(data.title) : data.title;
    const started = data.commands ? data.command + (data.commands > 1 ? ', and ' + page.number(data.commands - 1) + ' more commands' : '') : '';
    document.getElementById('title').title = data.title + '\n' + data.program + ', made ' + data.made + ' by ' + data.maker + (started ? '\nstarted as ' + started : '');
    document.getElementById('notes').textContent = data.program + ', ' + data.made + ', ' + data.maker + (started ? '; started as: ' + started : '') + '\n' +
        page.metrics_note(data) + data.notes;
    page.navigation();
    document.querySelector('header label').before(page.make('select', {id: 'group', title: 'what functions are put together by (b)',
        on: {change: event => page.groups_go(event.target.value)}},
    ...Object.entries(page.groups_kinds).map(([by, words]) => page.make('option', {value: by}, 'by ' + words))));
    const search = document.getElementById('search');
    search.addEventListener('input', () => page.go({search: search.value}, true));
    document.getElementById('dark').addEventListener('click', page.dark);
    document.getElementById('help').addEventListener('click', page.help);
    document.addEventListener('keydown', page.key);
    addEventListener('popstate', () => { page.state_read(); page.render(); });
    addEventListener('hashchange', () => { page.state_read(); page.render(); });
    addEventListener('resize', () => { page.navigation_fit(); page.render(); });
    if (matchMedia('(prefers-color-scheme: dark)').matches) document.body.classList.add('dark');
    page.navigation_fit();
    page.state_read();
    page.render();
    document.body.dataset.ready = 'yes';
};

page.start().catch(error => { document.getElementById('main').textContent = String(error); });
