// How many clicks an answer takes from the first page of report.html and of serve, against a goal for each question.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { cookiesOf, open } from './page_rules.mjs';
import { Studies, serve } from './studies.mjs';

/** A reader of a page, whose clicks are counted. */
class Reader {
  constructor(page) { this.page = page; this.clicks = 0; }
  async click(link) {
    this.clicks += 1;
    await this.page.locator(link).first().click();
    await this.page.waitForLoadState();
  }
  /** What is looked for is on the screen, without scrolling. */
  async sees(part) {
    const found = this.page.locator(part).first();
    await found.waitFor();
    const box = await found.evaluate((one) => { const { top, bottom } = one.getBoundingClientRect(); return { top, bottom, room: innerHeight }; });
    assert.ok(box.top < box.room && box.bottom > 0, `${part} is on the screen: ${JSON.stringify(box)}`);
  }
  texts(part) { return this.page.locator(part).allInnerTexts(); }
}

const falls = (sizes) => assert.ok(sizes.length > 3 && sizes.every((size, at) => at === 0 || size <= sizes[at - 1] + 0.0021), `${sizes}`);

const verdict = async (reader) => {
  await reader.click('.systems tr.worse .verdict a');
  await reader.sees(':target > svg');
  // The documents that made the difference.
  await reader.page.locator(':target .shares').first().waitFor();
};

const QUESTIONS = [
  { question: 'why is a system worse?', goal: 1, report: verdict, serve: verdict },
  {
    question: 'which queries differ most?',
    goal: 1,
    report: async (reader) => {
      await reader.click('nav[aria-label=Sections] a[href="#queries"]');
      await reader.sees('#queries .query summary');
      const compared = await reader.texts('#queries-h bdi');
      assert.equal(compared.length, 2, 'the heading names the two systems');
      const sizes = await reader.page.locator('#queries .query').evaluateAll((queries, names) => queries.map((query) => {
        const pills = [...query.querySelectorAll('summary .pill')];
        const value = (name) => Number(pills.find((pill) => pill.querySelector('bdi').textContent === name).textContent.split(' ').at(-1));
        return Math.abs(value(names[0]) - value(names[1]));
      }), compared);
      falls(sizes);
      assert.match((await reader.texts('#queries .query h3'))[0], /^q\d+: .+/, 'a query has its text');
    },
    serve: async (reader) => {
      await reader.click('header a[href="/queries"]');
      await reader.sees('main tbody tr');
      falls((await reader.texts('main tbody .tone')).map((text) => Math.abs(Number(text))));
      assert.match((await reader.texts('main tbody th a'))[0], / /, 'a query has its text');
    },
  },
  {
    question: 'where is the judge wrong?',
    goal: 1,
    report: async (reader) => {
      await reader.click('nav[aria-label=Sections] a[href="#judge"]');
      await reader.sees('#judge [aria-label^="Worst disagreements"] tbody tr');
    },
    serve: async (reader) => {
      await reader.click('header a[href="/judges"]');
      await reader.sees('[aria-label^="Worst disagreements"] tbody tr');
    },
  },
  {
    question: 'what did the judge read and answer?',
    goal: 2,
    report: async (reader) => {
      await reader.click('.shares summary');
      for (const part of ['.differing[open] > summary', '.shares details[open] blockquote', '.shares details[open] .answer']) await reader.sees(part);
    },
    serve: async (reader) => {
      await reader.click('#why a[href^="/query/"]:not(svg a)');
      await reader.click('.ranking a.what');
      for (const part of ['h1', '#document-h + .text', '#replies-h + article h3', '#replies-h + article > p']) await reader.sees(part);
      assert.equal(await reader.page.locator('pre:visible').count(), 0, 'no prompt before the reply');
    },
  },
];
/** Of a study without human labels. */
const labels = async (reader) => {
  await reader.sees('.next');
  assert.match((await reader.texts('.next')).join(), /label about [\d,]+ pairs/);
};

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

for (const [kind, questions] of Object.entries({
  demo: QUESTIONS,
  unchecked: [{ question: 'how many labels do I need?', goal: 0, report: labels, serve: labels }],
})) {
  describe(`clicks to an answer in the ${kind} study`, () => {
    let server, cookies, file;
    before(async () => {
      const { folder } = studies[kind]();
      file = pathToFileURL(join(folder, 'report.html'));
      server = await serve(folder, ['serve']);
      cookies = await cookiesOf(browser, server);
    });
    after(() => server?.stop());
    for (const { question, goal, ...ways } of questions) {
      for (const [place, way] of Object.entries(ways)) {
        it(`${question} ${place}: ${goal}`, async () => {
          const url = place === 'report' ? file : new URL('/', server.url);
          const { page, close } = await open(browser, url, { cookies: place === 'serve' ? cookies : undefined });
          try {
            const reader = new Reader(page);
            await way(reader);
            assert.ok(reader.clicks <= goal, `${reader.clicks} clicks`);
          } finally { await close(); }
        });
      }
    }
  });
}
