// Pictures of the demo, for README and docs: node screenshots.mjs FOLDER, started by `cargo xtask screenshots`.
// With --every-look the whole pages in every width and scheme instead, to look at.

import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
import { SCHEMES, WIDTHS, open } from './page_rules.mjs';
import { Studies, serve } from './studies.mjs';

/** How large a picture in the repository may be, in bytes. */
const BYTES = 250_000;

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [--every-look]');
mkdirSync(folder, { recursive: true });
const every = options.includes('--every-look');
const looks = every ? WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))) : [{ width: 1280, scheme: 'light' }];

const studies = new Studies();
const browser = await launch();
let server;
try {
  const { folder: demo } = studies.demo();
  server = await serve(demo, ['serve']);
  const first = await open(browser, server.url);
  const cookies = await first.page.context().cookies();
  await first.close();
  const pages = [
    { name: 'report', url: pathToFileURL(join(demo, 'report.html')), height: 1000 },
    { name: 'query', url: new URL('/query/1', server.url), height: 1000, options: { cookies } },
  ];
  if (every) {
    const { folder: compared } = await studies.compared();
    pages.push({ name: 'compared', url: pathToFileURL(join(compared, 'report.html')) });
  }
  for (const { name, url, height, options } of pages) {
    for (const look of looks) {
      const { page, close } = await open(browser, url, { ...look, ...options });
      if (every) await page.evaluate(() => document.querySelectorAll('.query details').forEach((one, n) => { one.open = n < 2; }));
      const file = join(folder, every ? `${name}-${look.width}-${look.scheme}.png` : `${name}.png`);
      await page.screenshot(every ? { path: file, fullPage: true } : { path: file, clip: { x: 0, y: 0, width: look.width, height } });
      await close();
      const bytes = statSync(file).size;
      console.log(`${file}: ${bytes} bytes`);
      if (!every && bytes > BYTES) throw new Error(`${file} has ${bytes} bytes, the limit is ${BYTES}`);
    }
  }
} finally {
  server?.stop();
  await browser.close();
  studies.remove();
}
