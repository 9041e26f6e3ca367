// A report that fills its five megabytes is readable within the milliseconds of OPENS_WITHIN; without it, whenever it is.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { open } from './page_rules.mjs';
import { Studies } from './studies.mjs';

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

/** Milliseconds from asking for a page until something is read on it, and until it answers a click. */
async function times(url) {
  const { page, close } = await open(browser, url);
  try {
    const painted = await page.evaluate(() => new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries()[0].startTime))
        .observe({ type: 'paint', buffered: true });
    }));
    const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
    const before = Date.now();
    await page.locator('.query summary').first().click();
    await page.locator('.query details[open]').first().waitFor();
    return { painted, loaded, click: Date.now() - before };
  } finally { await close(); }
}

it('report.html of a large study opens', async () => {
  const file = join(studies.large().folder, 'report.html');
  const { size } = statSync(file);
  assert.ok(size > 3_500_000 && size <= 5_000_000, `${size} bytes`);
  // The best of five: other processes may be at work on this machine, and none of them makes a page faster.
  const all = [];
  for (let n = 0; n < 5; n += 1) all.push(await times(pathToFileURL(file)));
  const best = (of) => Math.round(Math.min(...all.map((one) => one[of])));
  const said = `${size} bytes: read after ${best('painted')} ms, loaded after ${best('loaded')} ms, opens a query in ${best('click')} ms`;
  console.log(said);
  // How fast the machine is decides no landing.
  const most = Number(process.env.OPENS_WITHIN ?? Infinity);
  assert.ok(best('painted') < most && best('loaded') < most && best('click') < most / 2, said);
});
