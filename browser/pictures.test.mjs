// The pictures of README and docs show what the demo's pages show now.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { launch } from './chromium.mjs';
import { BYTES, PICTURES, draw, recorded } from './pictures.mjs';
import { Studies } from './studies.mjs';

const committed = join(import.meta.dirname, '..', 'docs', 'pictures');
const drawn = join(process.env.BROWSER_PACKAGES, '..', 'pictures');
const redraw = 'LLULL_UPDATE_DOCS=1 browser/run browser/pictures.test.mjs draws it again';

const studies = new Studies();
let browser;
before(async () => {
  browser = await launch();
  await draw(browser, studies.demo().folder, drawn);
  if (process.env.LLULL_UPDATE_DOCS) {
    for (const name of Object.keys(PICTURES)) {
      for (const file of [`${name}.png`, `${name}.txt`]) copyFileSync(join(drawn, file), join(committed, file));
    }
  }
});
after(async () => { await browser?.close(); studies.remove(); });

for (const name of Object.keys(PICTURES)) {
  describe(`docs/pictures/${name}.png`, () => {
    it('shows the text of the page', () => {
      assert.ok(existsSync(join(committed, `${name}.txt`)), redraw);
      assert.equal(recorded(committed, name).text, recorded(drawn, name).text, redraw);
    });
    it('is the picture of its record', () => {
      const { isOfPicture, bytes } = recorded(committed, name);
      assert.ok(isOfPicture, `${name}.txt is the record of another picture: ${redraw}`);
      assert.ok(bytes <= BYTES, `${bytes} bytes`);
    });
  });
}
