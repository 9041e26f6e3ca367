// The pictures of README and docs: pages of the demo from their top to the end of a part, each with a record beside it
// that has its visible text. Text is the same on every machine, and pixels are not.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cookiesOf, open } from './page_rules.mjs';
import { serve } from './studies.mjs';

/** How large a picture in the repository may be, in bytes. */
export const BYTES = 250_000;

/** Each picture by its name: the address of its page, and its last part. */
export const PICTURES = {
  report: { path: 'report.html', last: '#decision' },
  query: { path: '/query/1', last: '[aria-labelledby=difference-h]' },
};

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Draws the pictures of the demo, with their records, into a folder. */
export async function draw(browser, demo, folder) {
  mkdirSync(folder, { recursive: true });
  const server = await serve(demo, ['serve']);
  try {
    const cookies = await cookiesOf(browser, server);
    for (const [name, { path, last }] of Object.entries(PICTURES)) {
      const served = path.startsWith('/');
      const url = served ? new URL(path, server.url) : pathToFileURL(join(demo, path));
      const { page, close } = await open(browser, url, served ? { cookies } : {});
      const { text, height } = await page.evaluate((last) => {
        const end = document.querySelector(last);
        const main = document.querySelector('main');
        const parts = [document.querySelector('header'), ...[...main.children].filter((part) => part === end || part.compareDocumentPosition(end) & Node.DOCUMENT_POSITION_FOLLOWING)];
        return { text: parts.map((part) => part.innerText).join('\n'), height: Math.ceil(end.getBoundingClientRect().bottom) };
      }, last);
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 1280, height }, fullPage: true });
      await close();
      writeFileSync(join(folder, `${name}.png`), picture);
      const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line);
      writeFileSync(join(folder, `${name}.txt`), `sha256 of ${name}.png: ${sha256(picture)}\n\n${lines.join('\n')}\n`);
    }
  } finally { server.stop(); }
}

/** The record of a picture in a folder: its text, and whether it is the record of the picture that is there. */
export function recorded(folder, name) {
  const picture = readFileSync(join(folder, `${name}.png`));
  const [head, , ...lines] = readFileSync(join(folder, `${name}.txt`), 'utf8').split('\n');
  return { text: lines.join('\n'), isOfPicture: head.endsWith(` ${sha256(picture)}`), bytes: picture.length };
}
