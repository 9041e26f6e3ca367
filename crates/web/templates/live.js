'use strict';
// Puts the figures of a run into the page as the server sends them. Without it the page is right when it is loaded.
(() => {
  const figures = document.getElementById('figures');
  const state = document.getElementById('state');
  if (!figures || !state || !window.EventSource) return;
  const say = (words) => { if (state.textContent !== words) state.textContent = words; };
  const source = new EventSource('/live/events');
  source.addEventListener('message', (event) => {
    // What is sent was escaped as the page was; no script in it would run.
    const sent = new DOMParser().parseFromString(event.data, 'text/html');
    const focused = document.activeElement && figures.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    figures.replaceChildren(...sent.body.childNodes);
    if (focused !== null) {
      const again = [...figures.querySelectorAll('[aria-label]')].find((found) => found.getAttribute('aria-label') === focused);
      if (again) again.focus({ preventScroll: true });
    }
    say('Live: this page changes as answers come in.');
  });
  source.addEventListener('failed', (event) => say(`The study cannot be read: ${event.data}`));
  source.addEventListener('error', () => say('The server does not answer. The page tries again; its figures are not new.'));
})();
