// Pictures of the demo, for README and docs: node screenshots.mjs FOLDER, started by `cargo xtask screenshots`.
// With --every-look the whole pages in every width and scheme instead, to look at.

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { SCHEMES, WIDTHS, open } from './page_rules.mjs';
import { FILES, SERVERS } from './sites.mjs';
import { Studies, serve } from './studies.mjs';

/** How large a picture in the repository may be, in bytes. */
const BYTES = 250_000;
/** How much of a page is looked at, in pixels from its top. */
const TALLEST = 3000;

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [--every-look]');
mkdirSync(folder, { recursive: true });
const every = options.includes('--every-look');
const looks = every ? WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))) : [{ width: 1280, scheme: 'light' }];

const studies = new Studies();
const browser = await launch();
const servers = [];
let server;

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
      const first = await open(browser, one.url);
      const cookies = await first.page.context().cookies();
      await first.close();
      const words = (path) => [kind, ...command.slice(0, command.indexOf('--as') + 1 || 3), path].join(' ').replace(/[^a-z0-9]+/g, '-').replace(/-$/, '');
      pages.push(...shown.map(({ path }) => ({ name: words(path), url: new URL(path, one.url), options: { cookies } })));
    }
  }
  return pages;
}

try {
  const { folder: demo } = studies.demo();
  server = await serve(demo, ['serve']);
  const first = await open(browser, server.url);
  const cookies = await first.page.context().cookies();
  await first.close();
  const pages = every ? await everyPage() : [
    { name: 'report', url: pathToFileURL(join(demo, 'report.html')), height: 1000 },
    { name: 'query', url: new URL('/query/1', server.url), height: 1000, options: { cookies } },
  ];
  for (const { name, url, height, options } of pages) {
    for (const look of looks) {
      const { page, close } = await open(browser, url, { ...look, ...options });
      if (every) await page.evaluate(() => document.querySelectorAll('.query details').forEach((one, n) => { one.open = n < 2; }));
      const file = join(folder, every ? `${name}-${look.width}-${look.scheme}.png` : `${name}.png`);
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      const clip = { x: 0, y: 0, width: look.width, height: Math.min(whole, TALLEST) };
      await page.screenshot(every ? { path: file, fullPage: true, clip } : { path: file, clip: { x: 0, y: 0, width: look.width, height } });
      await close();
      const bytes = statSync(file).size;
      console.log(`${file}: ${bytes} bytes`);
      if (!every && bytes > BYTES) throw new Error(`${file} has ${bytes} bytes, the limit is ${BYTES}`);
    }
  }
} finally {
  server?.stop();
  for (const one of servers) one.stop();
  await browser.close();
  studies.remove();
}
