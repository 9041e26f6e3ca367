// What holds for every page.

import assert from 'node:assert/strict';
import { AXE } from './chromium.mjs';

export const WIDTHS = [390, 1280, 2560];
export const SCHEMES = ['light', 'dark'];
/** A4 less margins of 10 mm, in pixels. */
export const PAPER = 718;

/** Opens a page in a window of its own and watches it; `complaints` grows while it is open. */
export async function open(browser, url, { width = 1280, scheme = 'light', origin = new URL(url).origin, cookies } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  if (cookies) await context.addCookies(cookies);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    const asked = request.url();
    const own = origin === 'null' ? asked === String(url) : asked.startsWith(`${origin}/`);
    if (!own) complaints.push(`request off the origin: ${asked.slice(0, 200)}`);
  });
  const response = await page.goto(String(url), { waitUntil: 'load' });
  return { page, complaints, status: response?.status(), close: () => context.close() };
}

/** Opens what can be opened, so that it is checked, too; of lists the first few, which are as the others. */
export const openDetails = (page) => page.evaluate(() => {
  const of = (part) => [...document.querySelectorAll(part)];
  const all = [...of('details:not(.query details)'), ...of('.query details').slice(0, 3)];
  for (const found of all) found.open = true;
});

/** What scrolls sideways: the page itself must not. */
export async function scrolls(page) {
  const { wide, room, widest } = await page.evaluate(() => {
    const root = document.documentElement;
    const room = root.clientWidth;
    const out = [...document.querySelectorAll('body *')].find((found) =>
      found.getBoundingClientRect().right > room + 1 && !found.closest('.scroll, svg, pre, .skip'));
    return { wide: root.scrollWidth, room, widest: out?.outerHTML.slice(0, 160) };
  });
  return wide > room ? [`the page is ${wide} px wide in ${room}: ${widest}`] : [];
}

/** What axe-core, once it is in the page, finds that is serious or critical, and landmarks with one name. */
export async function barriers(page) {
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return found.violations
    .filter(({ id, impact }) => ['serious', 'critical'].includes(impact) || id === 'landmark-unique')
    .map(({ id, help, nodes }) => `axe ${id} (${help}), ${nodes.length}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary ?? ''}`);
}

/** What is lost on grey paper: parts that are cut or closed, and marks of charts that are too light or too small.
 * Contrast is that of luminance, which grey keeps. The rankings of a query and the texts of documents stay closed: they
 * would be most of the paper. */
export const lostInPrint = (page) => page.evaluate(() => {
  const lost = [];
  const name = (found) => found.outerHTML.replace(/\s+/g, ' ').slice(0, 160);
  const numbers = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const linear = (part) => part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    const [red, green, blue] = numbers(color).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (color) => 1.05 / (luminance(color) + 0.05);
  const paper = getComputedStyle(document.body).backgroundColor;
  if (numbers(paper).slice(0, 3).some((part) => part < 255)) lost.push(`the page is ${paper}`);
  for (const one of document.querySelectorAll('details:not(.query details, .query > details, .shares details)')) {
    const closed = [...one.children].find((part) => part.localName !== 'summary' && !part.checkVisibility({ contentVisibilityAuto: true }));
    if (closed) lost.push(`closed: ${name(one)}`);
  }
  for (const one of document.querySelectorAll('body *')) {
    if (!one.checkVisibility() || one.closest('.skip')) continue;
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    if (style.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1) lost.push(`cut: ${name(one)}`);
    if (box.right > innerWidth + 1) lost.push(`beyond the paper: ${name(one)}`);
  }
  for (const one of document.querySelectorAll('svg text')) {
    if (!one.checkVisibility() || !one.textContent.trim()) continue;
    if (one.getBoundingClientRect().height < 9) lost.push(`small: ${name(one)}`);
    if (contrast(getComputedStyle(one).fill) < 4.5) lost.push(`light: ${name(one)}`);
  }
  // What is pale on purpose, as the bars of a judge that failed a check are, has an opacity.
  for (const one of document.querySelectorAll('svg :is(.up, .down, .even, .point, .dot, .mark, .whisker, .edge)')) {
    const { fill, stroke, fillOpacity, strokeOpacity } = getComputedStyle(one);
    const drawn = [[fill, fillOpacity], [stroke, strokeOpacity]].filter(([color, opacity]) => color !== 'none' && Number(opacity) === 1);
    if (one.checkVisibility() && drawn.length && Math.max(...drawn.map(([color]) => contrast(color))) < 3) lost.push(`light: ${name(one)}`);
  }
  return lost.length > 8 ? [...lost.slice(0, 8), `and ${lost.length - 8} more`] : lost;
});

/** The cookies of who opened the address that a server printed. */
export async function cookiesOf(browser, server) {
  const { page, close } = await open(browser, server.url);
  const cookies = await page.context().cookies();
  await close();
  return cookies;
}

/** Checks a page in each of these looks (width and scheme), closed and opened, and on paper. */
export async function check(browser, url, looks, options = {}) {
  const { page, complaints, status, close } = await open(browser, url, { ...looks[0], ...options });
  try {
    if (status !== undefined && status !== 200) complaints.push(`status ${status}`);
    const eachLook = async (work) => {
      for (const { width, scheme } of looks) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        complaints.push(...(await work()).map((complaint) => `${width} px, ${scheme}: ${complaint}`));
      }
    };
    await eachLook(() => scrolls(page));
    await page.setViewportSize({ width: PAPER, height: 1000 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    complaints.push(...(await lostInPrint(page)).map((complaint) => `print: ${complaint}`));
    await page.emulateMedia({ media: 'screen' });
    await openDetails(page);
    await page.evaluate(AXE);
    await eachLook(async () => [...await scrolls(page), ...await barriers(page)]);
    if (await page.evaluate(() => 'ran' in window)) complaints.push('a text has run');
    assert.deepEqual(complaints, [], String(url));
  } finally { await close(); }
}
