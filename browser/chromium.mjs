// Chromium, as a server without a screen runs it.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const need = (name) => process.env[name] ?? (() => { throw new Error(`start this by browser/run: ${name} is not set`); })();
const require = createRequire(join(need('BROWSER_PACKAGES'), 'package.json'));
const { chromium } = require('playwright-core');

/** The source of axe-core, to be run in a page. */
export const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Starts Chromium with an empty profile; whoever starts it closes it. */
export function launch() {
  return chromium.launch({
    executablePath: need('CHROMIUM'),
    headless: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--font-render-hinting=none',
    ],
  });
}
