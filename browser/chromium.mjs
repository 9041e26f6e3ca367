// Chromium, as a server without a screen runs it.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const need = (name) => process.env[name] ?? (() => { throw new Error(`start this by browser/run: ${name} is not set`); })();
const require = createRequire(join(need('BROWSER_PACKAGES'), 'package.json'));
const { chromium } = require('playwright-core');

/** The source of axe-core, to be run in a page. */
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** How long a page may take, in milliseconds: other processes may be at work on this machine. */
const PATIENCE = 180_000;

/** Starts Chromium with an empty profile; whoever starts it closes it. */
export async function launch() {
  const browser = await chromium.launch({
    executablePath: need('CHROMIUM'),
    headless: true,
    timeout: PATIENCE,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--font-render-hinting=none',
    ],
  });
  const context = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const made = await context(options);
    made.setDefaultTimeout(PATIENCE);
    return made;
  };
  return browser;
}
