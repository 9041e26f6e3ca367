// Texts of strangers: none runs, and all can be read.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { HOSTILE, IDENTIFIERS } from './hostile.mjs';
import { cookiesOf, open } from './page_rules.mjs';
import { Studies, SYSTEMS, hostileAnswers, labelHostile, llull, serve } from './studies.mjs';

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

/** The text of the pages, one after the other, and the identifiers that a review has without showing them; a page where something ran, or that asked for something, fails. */
async function read(urls, cookies) {
  const texts = [];
  const { page, complaints, close } = await open(browser, urls[0], { cookies });
  for (const url of urls) {
    if (url !== urls[0]) await page.goto(String(url));
    if (await page.evaluate(() => 'ran' in window)) complaints.push('a text has run');
    assert.deepEqual(complaints, [], String(url));
    texts.push(await page.evaluate(() => [
      document.body.textContent,
      ...[...document.querySelectorAll('[data-query], [data-document]')].flatMap(({ dataset }) => Object.values(dataset)),
    ].join('\n')));
  }
  await close();
  return texts.join('\n').replace(/\s+/g, ' ');
}

function holds(text, strings) {
  const missing = strings.map(({ shown }) => shown.replace(/\s+/g, ' ')).filter((shown) => !text.includes(shown));
  assert.deepEqual(missing, []);
}

describe('forty hostile strings', () => {
  const report = ({ folder }) => pathToFileURL(join(folder, 'report.html'));

  it('there are forty', () => assert.equal(new Set(HOSTILE.map(({ text }) => text)).size, 40));

  it('as texts and identifiers, in report.html', async () => {
    const study = await studies.hostile();
    const text = await read([report(study)]);
    holds(text, IDENTIFIERS);
    holds(text, HOSTILE.map(({ shown }) => ({ shown: `${shown} and so on` })));
    // What follows the grade is the judge's reason; a query's text follows its identifier.
    const [reasons, queries, titles] = await words(report(study));
    holds(reasons, HOSTILE);
    holds(queries, HOSTILE);
    holds(titles, HOSTILE);
  });

  it('as names of systems and judges, in report.html', async () => {
    const text = await read([report(studies.names())]);
    holds(text, SYSTEMS);
    holds(text, HOSTILE);
  });

  it('in the pages of llull serve', async () => {
    const server = await serve(join(studies.folder, 'hostile'), ['serve']);
    try {
      const cookies = await cookiesOf(browser, server);
      const at = (path) => new URL(path, server.url);
      holds(await read([at('/queries')], cookies), [...IDENTIFIERS, ...HOSTILE]);
      const each = HOSTILE.map((_, n) => n + 1);
      holds(await read(each.map((n) => at(`/query/${n}`)), cookies), [...IDENTIFIERS, ...HOSTILE]);
      holds(await read(each.map((n) => at(`/query/${n}/answers`)), cookies), IDENTIFIERS);
      // Every prompt, reply and reason.
      const counted = await read([at('/ledger')], cookies);
      const attempts = Number(/(\d+) attempts:/.exec(counted.replaceAll(',', ''))[1]);
      const all = Array.from({ length: attempts }, (_, n) => at(`/attempt/${n + 1}`));
      holds(await read(all, cookies), [...IDENTIFIERS, ...HOSTILE]);
      holds(await read([at('/labels'), at('/labels?page=2')], cookies), [...IDENTIFIERS, ...HOSTILE]);
      await read(['/judges', '/ledger', '/live', '/attempts'].map(at), cookies);
      for (const list of ['queries', 'labels']) {
        await read(HOSTILE.map(({ text }) => at(`/${list}?find=${encodeURIComponent(text)}`)), cookies);
      }
      await read(HOSTILE.map(({ text }) => at(`/attempts?query=${encodeURIComponent(text)}&why=${encodeURIComponent(text)}`)), cookies);
    } finally { server.stop(); }
  });

  /** The texts of every pair of a review, and of the list of all. */
  async function reviewed(folder, command, pairs) {
    const server = await serve(folder, command);
    try {
      const cookies = await cookiesOf(browser, server);
      const at = (path) => new URL(path, server.url);
      const list = await read([at('/list')], cookies);
      return [list, await read(Array.from({ length: pairs }, (_, n) => at(`/pair/${n + 1}`)), cookies)];
    } finally { server.stop(); }
  }

  it('as names and notes of people, in the pages of people and in a terminal', async () => {
    const folder = join(studies.folder, 'hostile');
    const { named, refused } = labelHostile(folder);
    for (const { shown, said } of refused) assert.ok(said.includes(shown), said);
    assert.ok(refused.length <= 6, refused.map(({ said }) => said).join(''));
    const server = await serve(folder, ['serve']);
    try {
      const cookies = await cookiesOf(browser, server);
      const at = (path) => new URL(path, server.url);
      const people = await read([at('/people')], cookies);
      holds(people, named);
      const counted = await read([at('/ledger')], cookies);
      const attempts = Number(/(\d+) attempts:/.exec(counted.replaceAll(',', ''))[1]);
      holds(counted, named);
      const last = Array.from({ length: named.length }, (_, n) => at(`/attempt/${attempts - n}`));
      holds(await read(last, cookies), HOSTILE.filter((_, n) => named.some(({ person }) => person === n)));
    } finally { server.stop(); }
    for (const asked of [['sample', '--status'], ['ledger', 'status']]) {
      const said = llull('-C', folder, ...asked);
      // Of all control characters a terminal is sent the ends of lines.
      assert.doesNotMatch(said, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/, asked.join(' '));
    }
    const status = llull('-C', folder, 'sample', '--status').replace(/\s+/g, ' ');
    holds(status, named.filter(({ shown }) => shown.length < 40));
  });

  it('in a review of a sample, and of that on which people disagree', async () => {
    const folder = join(studies.folder, 'hostile');
    for (const queue of [[], ['--queue', 'adjudicate']]) {
      const [list, pairs] = await reviewed(folder, ['review', '--as', 'carla', ...queue], 20);
      for (const text of [list, pairs]) assert.ok(HOSTILE.filter(({ shown }) => text.includes(shown)).length >= 10);
    }
    // All pairs of the pool.
    const [, pairs] = await reviewed(folder, ['review', '--as', 'carla', '--queue', 'random'], 160);
    holds(pairs, [...IDENTIFIERS, ...HOSTILE, ...HOSTILE.map(({ shown }) => ({ shown: `${shown} and so on` }))]);
  });

  it('in a review of documents side by side', async () => {
    const { folder } = await studies.hostileCompared();
    const [list, pairs] = await reviewed(folder, ['review', '--as', 'carla'], 100);
    holds(list, HOSTILE);
    holds(pairs, [...IDENTIFIERS, ...HOSTILE, ...HOSTILE.map(({ shown }) => ({ shown: `${shown} and so on` }))]);
  });

  it('in a review of expected answers', async () => {
    const command = ['review', ...hostileAnswers(studies.folder), '--as', 'carla'];
    const [list, pairs] = await reviewed(studies.folder, command, HOSTILE.length);
    for (const text of [list, pairs]) {
      holds(text, HOSTILE);
      for (const field of ['asks', 'expects', 'found']) {
        holds(text, HOSTILE.map(({ shown }) => ({ shown: `${field} ${shown}` })));
      }
    }
  });

  /** Reasons of judges, texts of queries and titles of documents, each as one text. */
  async function words(url) {
    const { page, close } = await open(browser, url);
    const found = await page.evaluate(() => ['.answer', '.query h3', '.documents strong'].map((part) =>
      [...document.querySelectorAll(part)].map((found) => found.textContent).join('\n')));
    await close();
    return found.map((text) => text.replace(/\s+/g, ' '));
  }
});
