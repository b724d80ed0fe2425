// Shows a message if the browser is too old for the page. This script comes before all other
// scripts. It is not a module and uses no newer syntax, so that it runs in old browsers.
if (typeof DecompressionStream === 'undefined')
    document.getElementById('main').textContent = 'Error: this browser cannot decompress data; ' +
        'Chromium 80, Firefox 113, Safari 16.4 and later ones can';
