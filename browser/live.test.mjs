// A page that follows a run of another process, against a model that fails now and then.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { join } from 'node:path';
import { launch } from './chromium.mjs';
import { startModel } from './model.mjs';
import { open } from './page_rules.mjs';
import { Studies, llullAsking, serve } from './studies.mjs';

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

it('a page changes while a run is on, without being loaded again', async () => {
  const { folder } = studies.demo();
  let release;
  const seen = new Promise((go) => { release = go; });
  // After twenty requests the model waits until the page has shown some of them, however slow either is.
  const model = await startModel(() => 'It says so.', { each: 5, until: (n) => n < 20 || seen });
  const server = await serve(folder, ['serve']);
  try {
    const { page, complaints, close } = await open(browser, server.url);
    await page.goto(String(new URL('/live', server.url)));
    let loads = 0;
    page.on('load', () => { loads += 1; });
    await page.waitForFunction(() => document.getElementById('state').textContent.startsWith('Live'));
    const attempts = () => page.evaluate(() => /([\d,]+) attempts? in the/.exec(document.body.textContent)[1]);
    const changed = (from) => page.waitForFunction((from) =>
      /([\d,]+) attempts? in the/.exec(document.body.textContent)[1] !== from, from);
    const first = await attempts();
    const run = llullAsking('-C', folder, 'run', '--judge', 'vllm/coin', '--base-url', model.url, '--ignore-checks');
    await changed(first);
    const during = await attempts();
    release();
    await run;
    await changed(during);
    await page.waitForFunction(() => /[1-9][\d,]* failed/.test(document.body.textContent));
    assert.equal(loads, 0);
    assert.deepEqual(complaints, []);
    await close();
  } finally { release(); server.stop(); model.close(); }
});

it('a page is right without its script', async () => {
  const server = await serve(join(studies.folder, 'demo'), ['serve']);
  try {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(String(server.url));
    await page.goto(String(new URL('/live', server.url)));
    const text = await page.locator('main').innerText();
    assert.match(text, /[1-9][\d,]* attempts in the ledger/);
    assert.match(await page.locator('#state').innerText(), /load it again/);
    await context.close();
  } finally { server.stop(); }
});
