// Whole reviews by keyboard alone: of a sample, through a server that is killed half-way, and of documents side by side.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { launch } from './chromium.mjs';
import { Studies, ledgerOf, llull, serve } from './studies.mjs';

/** How many pairs the sample has. */
const DRAWN = 30;
/** After how many answers the server is killed. */
const KILLED = 15;

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

/** A person at a page: what she typed, in order, `null` where she took an answer back. */
class Reviewer {
  constructor(page) { this.page = page; this.typed = []; }

  async open(url) {
    await this.page.goto(String(url));
    return this.look();
  }

  /** What the page shows. */
  async look() {
    this.pair = await this.page.evaluate(() => {
      const bar = document.querySelector('.top .done p')?.textContent ?? '';
      const { query } = document.querySelector('[data-query]')?.dataset ?? {};
      const shown = document.querySelector('[data-document]')?.dataset.document;
      return { document: shown, query, number: Number(/^Pair (\d+) /.exec(document.title)?.[1]), bar };
    });
    return this.pair;
  }

  /** Waits until the page listens to keys: 0.3 seconds after its script was run. */
  async listened() {
    await this.page.waitForFunction(() =>
      performance.now() > performance.getEntriesByType('navigation')[0].domContentLoadedEventStart + 300);
  }

  /** Presses a key, and waits for the page that this leads to. */
  async press(key) {
    await this.listened();
    await Promise.all([this.page.waitForEvent('load'), this.page.keyboard.press(key)]);
    return this.look();
  }

  /** Takes the last pair back: the key asks, and Enter confirms. */
  async undo() {
    await this.listened();
    const before = this.page.url();
    await this.page.keyboard.press('u');
    await this.page.locator('.undo[open] button').waitFor();
    assert.equal(this.page.url(), before, 'nothing is undone before it is confirmed');
    await this.press('Enter');
  }

  async answer(key, note = '') {
    const { query, document } = this.pair;
    await this.press(key);
    this.typed.push({ query, document, grade: Number(key), note });
  }

  async undoAnswer() {
    const { query, document } = this.typed.at(-1);
    await this.undo();
    assert.deepEqual([this.pair.query, this.pair.document], [query, document], 'undo shows the pair again');
    this.typed.push({ query, document, grade: null, note: '' });
  }

  answered() { return Number(/^(\d+) answered/.exec(this.pair.bar)[1]); }
}

/** The grades of a review, of which every one comes up. */
const grade = (n) => String((n * 7 + Math.floor(n / 4)) % 4);

it('what is typed in a review is what the ledger has, though the server is killed half-way', async () => {
  const { folder } = studies.demo();
  llull('-C', folder, 'sample', '-m', 'P(rel=2)@5', '-n', String(DRAWN));
  const context = await browser.newContext();
  const anna = new Reviewer(await context.newPage());
  let server = await serve(folder, ['review', '--as', 'anna']);
  try {
    await anna.open(server.url);
    assert.equal(anna.pair.number, 1);

    // A key that is held down answers once.
    const held = anna.pair;
    await anna.listened();
    await Promise.all([anna.page.waitForEvent('load'), anna.page.keyboard.down('2')]);
    for (let again = 0; again < 20; again += 1) {
      await anna.page.keyboard.down('2');
      await anna.page.waitForTimeout(40);
    }
    await anna.page.keyboard.up('2');
    anna.typed.push({ query: held.query, document: held.document, grade: 2, note: '' });
    await anna.look();
    assert.deepEqual([anna.pair.number, anna.answered()], [2, 1]);

    // Digits in a note are words of it.
    await anna.page.keyboard.press('n');
    await anna.page.keyboard.type('1 of 2 <steps>');
    await anna.page.keyboard.press('Escape');
    await anna.answer('1', '1 of 2 <steps>');

    // Each way to set a pair aside can be taken back.
    for (const [key, said] of [['s', 'skipped'], ['l', 'for later'], ['c', 'cannot be told']]) {
      const before = anna.pair;
      await anna.press(key);
      assert.match(anna.pair.bar, new RegExp(`1 ${said}`));
      assert.equal(anna.pair.number, before.number + 1);
      await anna.undo();
      assert.deepEqual(anna.pair, before);
    }

    // An answer that is taken back and given anew.
    await anna.answer('0');
    await anna.undoAnswer();
    await anna.answer('3');

    // One pair is left for later and one is passed over; neither is an answer.
    await anna.press('l');
    const skipped = anna.pair.number;
    await anna.press('s');
    while (anna.answered() < KILLED) await anna.answer(grade(anna.typed.length));

    // A page that is loaded again is the same page.
    const before = anna.pair;
    await anna.page.reload();
    assert.deepEqual(await anna.look(), before);
    assert.match(before.bar, /15 answered, 1 for later, 1 skipped/);

    await server.kill();
    // Nobody is there to take this one.
    await anna.listened();
    await anna.page.keyboard.press('3');
    await anna.page.waitForTimeout(300);

    server = await serve(folder, ['review', '--as', 'anna']);
    await anna.open(server.url);
    assert.deepEqual(anna.pair, before, 'the next server goes on where the ledger is');
    while (anna.answered() < DRAWN - 2) await anna.answer(grade(anna.typed.length));
    assert.equal(anna.pair.number, 4, 'what was left for later comes once no other is left');
    await anna.answer('1');
    assert.match(await anna.page.title(), /^Nothing is left/);

    // What was passed over is found by its number.
    await anna.press('a');
    await anna.press('o');
    await anna.open(new URL('/pair/1', server.url));
    await anna.page.keyboard.press('g');
    await anna.page.keyboard.type(String(skipped));
    await anna.press('Enter');
    assert.equal(anna.pair.number, skipped);
    await anna.answer('2');
    assert.match(await anna.page.textContent('main'), /30 of 30 pairs answered/);

    const recorded = ledgerOf(folder).filter(({ judge }) => judge.spec.model === 'human');
    assert.ok(recorded.every(({ judge }) => judge.name === 'anna'));
    assert.deepEqual(recorded.map(({ attempt }) => ({
      query: attempt.topic,
      document: attempt.document,
      grade: attempt.outcome.verdict?.grade ?? null,
      note: attempt.outcome.verdict?.rationale ?? '',
    })), anna.typed);
    assert.equal(anna.typed.length, DRAWN + 2, 'one answer was taken back and given anew');
    const pairs = anna.typed.map(({ query, document }) => JSON.stringify([query, document]));
    assert.equal(new Set(pairs).size, DRAWN);
  } finally {
    server.stop();
    await context.close();
  }
});

it('two documents side by side are compared by keys, as they were shown, though the server is killed half-way', async () => {
  const { folder } = await studies.compared();
  const context = await browser.newContext();
  const page = await context.newPage();
  const anna = new Reviewer(page);
  const command = ['review', '--as', 'anna', '--most', '12'];
  let server = await serve(folder, command);
  const sides = () => page.evaluate(() => [...document.querySelectorAll('.beside [data-document]')].map((found) => found.dataset.document));
  const typed = [];
  const say = async (key) => {
    const [left, right] = await sides();
    await anna.press(key);
    typed.push({ documents: [left, right], order: { 1: [[0], [1]], 2: [[1], [0]], 0: [[0, 1]] }[key] });
  };
  try {
    await anna.open(server.url);
    assert.deepEqual(await page.locator('.choices button').allInnerTexts(), ['1 Left', '2 Right', '0 Neither']);
    await say('1');
    // Arrows go through pairs, and answer none.
    await anna.press('ArrowLeft');
    assert.match(await page.textContent('aside [role=status]'), /Your answer is left/);
    await anna.press('ArrowRight');
    await say('2');
    await anna.undo();
    typed.push({ documents: typed.at(-1).documents, order: null });
    await say('0');
    await anna.press('c');
    await anna.undo();
    await anna.press('l');
    for (let n = 0; n < 4; n += 1) await say(String(n % 3));

    await server.kill();
    // Nobody is there to take this one.
    const [before, shown] = [anna.pair, await sides()];
    await anna.listened();
    await page.keyboard.press('2');
    await page.waitForTimeout(300);
    server = await serve(folder, command);
    await anna.open(server.url);
    assert.deepEqual([anna.pair, await sides()], [before, shown], 'the same two documents on the same sides');
    // An answer that the killed server took can be taken back.
    await page.goto(String(new URL(`/pair/${before.number - 1}`, server.url)));
    assert.match(await page.textContent('aside [role=status]'), /Your answer is neither|Your answer is left|Your answer is right/);
    await anna.open(new URL('/next', server.url));
    for (let n = 4; n < 10; n += 1) await say(String(n % 3));
    assert.match(await page.title(), /^Nothing is left/);
    assert.match(await page.textContent('main'), /12 of 12 pairs answered/);
    const recorded = ledgerOf(folder).filter(({ judge }) => judge.spec.model === 'human');
    assert.deepEqual(recorded.map(({ attempt }) => ({
      documents: attempt.documents, order: attempt.outcome.verdict?.order ?? null,
    })), typed);
    const records = recorded.map(({ attempt }) => JSON.parse(attempt.reply));
    assert.ok(records.every(({ queue, number, draw }) => queue === 'random' && number <= 12 && draw.pairs > 12));

    // A random judge fails checks, contradicts itself, and changes its answers in reverse order.
    for (const queue of ['checks', 'cycles', 'disagreement']) {
      const other = await serve(folder, ['review', '--as', 'anna', '--queue', queue, '--most', '5']);
      try {
        await page.goto(String(other.url));
        assert.match(await page.title(), /^Pair 1 of 5/, queue);
        assert.equal((await sides()).length, 2);
      } finally { other.stop(); }
    }

    // On a narrow screen the two stand below each other.
    const tops = () => page.evaluate(() => [...document.querySelectorAll('.beside .document')].map((found) => found.getBoundingClientRect().top));
    await anna.open(new URL('/pair/1', server.url));
    const [left, right] = await tops();
    assert.equal(left, right);
    await page.setViewportSize({ width: 390, height: 900 });
    const [above, below] = await tops();
    assert.ok(below > above);
  } finally {
    server.stop();
    await context.close();
  }
});
