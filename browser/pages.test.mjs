// Every page, narrow, usual and wide, in light and dark: no error, nothing loaded from elsewhere, no sideways scroll,
// and nothing that axe-core calls serious. On paper nothing is cut or too light.

import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { SCHEMES, WIDTHS, check, cookiesOf } from './page_rules.mjs';
import { FILES, SERVERS } from './sites.mjs';
import { Studies, serve } from './studies.mjs';

const studies = new Studies();
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); studies.remove(); });

const everyLook = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme })));
// The first study is looked at in every way; of the others, what they add is the same in most.
const LOOKS = {
  demo: everyLook,
  compared: everyLook.filter(({ width, scheme }) => (width === 1280) === (scheme === 'dark')),
  hostile: everyLook.filter(({ width, scheme }) => (width === 1280) === (scheme === 'dark')),
  sampled: everyLook.filter(({ width, scheme }) => (width === 1280) === (scheme === 'dark')),
};

for (const [kind, looks] of Object.entries(LOOKS)) {
  describe(`pages of the ${kind} study`, () => {
    let study;
    before(async () => { study = await studies[kind](); });

    for (const file of FILES) {
      it(file, async () => {
        const url = pathToFileURL(join(study.folder, file));
        await check(browser, url, looks);
      });
    }

    for (const { command, pages } of SERVERS.filter(({ of }) => !of || of.includes(kind))) {
      describe(`llull ${command.join(' ')}`, () => {
        let server, cookies;
        before(async () => {
          server = await serve(study.folder, command);
          cookies = await cookiesOf(browser, server);
        });
        after(() => server?.stop());
        for (const { path, of } of pages.filter(({ of }) => !of || of.includes(kind))) {
          it(path, async () => {
            const url = new URL(path, server.url);
            await check(browser, url, looks, { cookies });
          });
        }
      });
    }
  });
}
