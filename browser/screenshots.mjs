// Whole pages in every width and scheme and on grey paper, to look at: node screenshots.mjs FOLDER --every-look, started
// by `cargo xtask screenshots`. Without the flag, the pictures of README and docs.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { PAPER, SCHEMES, WIDTHS, cookiesOf, open } from './page_rules.mjs';
import { draw } from './pictures.mjs';
import { FILES, SERVERS } from './sites.mjs';
import { Studies, serve } from './studies.mjs';

/** How much of a page is looked at, in pixels from its top. */
const TALLEST = 3000;

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [--every-look]');
mkdirSync(folder, { recursive: true });
const looks = [...WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))), { width: PAPER, scheme: 'light', print: true }];

const studies = new Studies();
const browser = await launch();
const servers = [];

/** Every page of sites.mjs, of the studies whose texts are like those of a user, each of one study. */
async function everyPage() {
  const kinds = { sampled: studies.sampled(), compared: await studies.compared(), demo: { folder: join(studies.folder, 'demo') } };
  const pages = FILES.flatMap((file) => ['sampled', 'compared'].map((kind) =>
    ({ name: `${kind}-${file}`, url: pathToFileURL(join(kinds[kind].folder, file)) })));
  for (const { command, of, pages: paths } of SERVERS) {
    for (const kind of Object.keys(kinds).filter((kind) => of ? of.includes(kind) : kind === 'sampled' || kind === 'compared')) {
      const wanted = paths.filter(({ path, of }) => kind === 'sampled' || of?.includes(kind) || path === '/query/1' || command[0] === 'review');
      const shown = wanted.filter(({ of }) => !of || of.includes(kind));
      const one = await serve(kinds[kind].folder, command);
      servers.push(one);
      const cookies = await cookiesOf(browser, one);
      const words = (path) => [kind, ...command.slice(0, command.indexOf('--as') + 1 || 3), path].join(' ').replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');
      pages.push(...shown.map(({ path }) => ({ name: words(path), url: new URL(path, one.url), options: { cookies } })));
    }
  }
  return pages;
}

/** Pictures of every page in every look. */
async function everyLook() {
  for (const { name, url, options } of await everyPage()) {
    for (const look of looks) {
      const { page, close } = await open(browser, url, { ...look, ...options });
      await page.evaluate(() => document.querySelectorAll('.query details').forEach((one, n) => { one.open = n < 2; }));
      if (look.print) {
        await page.emulateMedia({ media: 'print' });
        await page.evaluate(() => { document.documentElement.style.filter = 'grayscale(1)'; });
      }
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      const clip = { x: 0, y: 0, width: look.width, height: Math.min(whole, TALLEST) };
      await page.screenshot({ path: join(folder, `${name}-${look.print ? 'print' : `${look.width}-${look.scheme}`}.png`), fullPage: true, clip });
      await close();
    }
  }
}

try {
  studies.demo();
  if (options.includes('--every-look')) await everyLook();
  else await draw(browser, join(studies.folder, 'demo'), folder);
} finally {
  for (const one of servers) one.stop();
  await browser.close();
  studies.remove();
}
