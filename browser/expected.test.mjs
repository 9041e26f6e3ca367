// A person says which texts hold an expected answer: by keys, over texts of a stranger, and in every look of the pages.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './chromium.mjs';
import { HOSTILE } from './hostile.mjs';
import { SCHEMES, WIDTHS, check, cookiesOf, open } from './page_rules.mjs';
import { Studies, llull, serve } from './studies.mjs';

const LOOKS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme })));

const studies = new Studies();
let browser, evaluate, review, server, cookies;
before(async () => {
  const file = (name, text) => {
    const path = join(studies.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const query = (n) => ({
    query_id: `q${n}`, query_text: `when was bridge ${n} opened ${HOSTILE[n].text}`,
    expected_answers: [`Bridge ${n} was opened in 193${n}. ${HOSTILE[n + 10].text}`],
  });
  const results = (n) => JSON.stringify({
    query_id: `q${n}`,
    results: [
      { doc_id: 'a', text: `The bridge was opened in 193${n}.\n${HOSTILE[n + 20].text}` },
      { doc_id: 'b', text: `It has ${n} pillars. ${HOSTILE[n + 30].text}` },
    ],
  });
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  const files = [
    file('questions.json', JSON.stringify({ queries: numbers.map(query) })),
    '--results', file('found.jsonl', numbers.map(results).join('\n') + '\n'),
    '--ledger', join(studies.folder, 'answers.sqlite'),
  ];
  evaluate = ['evaluate', ...files, '-m', 'R@4'];
  review = ['review', ...files, '--as', 'anna'];
  browser = await launch();
  server = await serve(studies.folder, review);
  cookies = await cookiesOf(browser, server);
});
after(async () => { server?.stop(); await browser?.close(); studies.remove(); });

const shown = (page, part) => page.evaluate((part) => document.querySelector(part)?.textContent ?? '', part);

for (const path of ['/pair/1', '/pair/2', '/list']) {
  it(path, async () => { await check(browser, new URL(path, server.url), LOOKS, { cookies }); });
}

it('marks of query and answer differ without colour', async () => {
  const { page, close } = await open(browser, new URL('/pair/1', server.url), { cookies });
  const styles = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('article > p.small mark')].map((mark) => {
    const { textDecorationLine, borderTopStyle } = getComputedStyle(mark);
    return [mark.textContent, `${textDecorationLine} ${borderTopStyle}`];
  })));
  assert.deepEqual(styles, { query: 'underline none', 'expected answer': 'none solid', both: 'underline solid' });
  await close();
});

it('all are answered by keys, and the answers count, though the server is killed half-way', async () => {
  let { page, complaints, close } = await open(browser, new URL('/next', server.url), { cookies });
  const press = async (key) => {
    // For 0.3 seconds nobody has read the page, and keys do nothing.
    await page.waitForTimeout(400);
    await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
  };
  const yes = async () => (await shown(page, '.document .text')).includes('opened in');
  await page.waitForTimeout(400);
  await page.keyboard.press('n');
  assert.equal(await page.evaluate(() => document.activeElement.name), 'note');
  await page.keyboard.press('y');
  assert.equal(await page.evaluate(() => document.activeElement.value), 'y', 'in the note a key is a letter');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  const answer = async (from, to) => {
    for (let number = from; number < to; number++) {
      const keys = await yes() ? ['1', 'y'] : ['0', 'x'];
      await press(keys[number % 2]);
    }
  };
  await answer(0, 7);
  // A wrong answer, taken back and given anew.
  await press(await yes() ? '0' : '1');
  await page.waitForTimeout(400);
  await page.keyboard.press('u');
  await press('Enter');
  await answer(7, 9);
  assert.deepEqual(complaints, []);

  const before = await shown(page, 'article');
  assert.match(await shown(page, '.top'), /9 answered/);
  await server.kill();
  await page.waitForTimeout(400);
  // Nobody is there to take this one.
  await page.keyboard.press(await yes() ? '0' : '1');
  await page.waitForTimeout(300);
  await close();
  server = await serve(studies.folder, review);
  ({ page, complaints, close } = await open(browser, server.url));
  assert.equal(await shown(page, 'article'), before, 'the next server goes on where the ledger is');
  await answer(9, 16);
  assert.match(await shown(page, 'main'), /16 of 16 pairs answered/);
  assert.deepEqual(complaints, []);
  await close();
  const counted = JSON.parse(llull(...evaluate, '--judge', 'person/anna', '--json'));
  assert.equal(counted.judges[0].counts.judged, 16);
  assert.equal(counted.systems[0].figures[0].mean, 1, 'each first text holds the answer');
  const places = counted.answers[0].queries.map(({ found }) => found.map(({ document }) => document));
  assert.deepEqual(places, Array(8).fill(['a']));
});
