// The first screen of a report: few words before the table and after it, and a way from every verdict to its queries.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { open } from './page_rules.mjs';
import { Studies } from './studies.mjs';

const WORDS = 60;
const NUMBERS = 20;
/** Between the table and what to do next is one line. */
const WORDS_BETWEEN = 40;
const NUMBERS_BETWEEN = 8;

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

/** The words and numbers that a reader meets before the first table, or between it and what to do next, without the
 * links of the navigation. */
const counted = (page, between = false) => page.evaluate((between) => {
  const range = document.createRange();
  if (between) range.setStartAfter(document.querySelector('main table'));
  else range.setStart(document.body, 0);
  const heading = [...document.querySelectorAll('#decision h2')].find((one) => one.textContent === 'What to do next');
  range.setEndBefore(between ? heading : document.querySelector('main table'));
  const part = document.createElement('div');
  part.append(range.cloneContents());
  part.querySelectorAll('nav, .skip').forEach((one) => one.remove());
  const texts = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  const text = texts.join(' ');
  return {
    text: text.replace(/\s+/g, ' '),
    words: text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    numbers: (text.match(/\d[\d,.]*/g) ?? []).length,
  };
}, between);

const STUDIES = { demo: 2, unreliable: 2, many: 36 };
for (const [kind, compared] of Object.entries(STUDIES)) {
  describe(`the report of the ${kind} study`, () => {
    let page, close;
    before(async () => {
      const url = pathToFileURL(join(studies[kind]().folder, 'report.html'));
      ({ page, close } = await open(browser, url));
    });
    after(() => close?.());

    it('has few words and numbers before its table', async () => {
      const { words, numbers, text } = await counted(page);
      console.log(`${kind}: ${words} words, ${numbers} numbers`);
      assert.ok(words <= WORDS && numbers <= NUMBERS, `${words} words, ${numbers} numbers: ${text}`);
    });

    it('has one line between its table and what to do next', async () => {
      const { words, numbers, text } = await counted(page, true);
      assert.ok(words <= WORDS_BETWEEN && numbers <= NUMBERS_BETWEEN, `${words} words, ${numbers} numbers: ${text}`);
      if (kind !== 'demo') return;
      await page.locator('summary:has-text("Basis of the result")').click();
      assert.match(await page.locator('#basis').innerText(), /human labels confirmed/, 'the rest is in a fold');
    });

    it('leads from each verdict to its explanation', async () => {
      const links = page.locator('.systems .verdict a');
      assert.equal(await links.count(), compared);
      await links.last().click();
      await page.waitForURL(({ hash }) => hash !== '');
      const target = new URL(page.url()).hash;
      const why = page.locator(`[id="${target.slice(1)}"]`);
      // The explanation is open, and shows the documents of the largest difference.
      await why.locator('> svg').waitFor();
      await why.locator('.shares').first().waitFor();
      const query = page.locator(`[id="${target.slice(1)}"] .differing a`).first();
      const anchor = await query.getAttribute('href');
      await query.click();
      await page.locator(`${anchor} .rankings`).waitFor();
    });

    it('shows no verdict in colour while a check fails', async () => {
      const signs = await page.locator('.systems tr.better, .systems tr.worse').count();
      assert.equal(signs > 0, kind !== 'unreliable');
    });
  });
}
