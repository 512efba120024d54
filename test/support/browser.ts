import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * A headless browser for the journeys: the Chrome at `CHROME_PATH` when that is set, else on Linux x64 the Chromium of an npm package,
 * and elsewhere the installed Chrome.
 *
 * Close it when done: that also removes what it unpacked. Rejects with Playwright's error, which names the missing program.
 */
export async function openBrowser(): Promise<Browser> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined) return chromium.launch({ executablePath: CHROME_PATH });
  return process.platform === 'linux' && process.arch === 'x64'
    ? openPackagedChromium()
    : chromium.launch({ channel: 'chrome' });
}

/** The package unpacks to the temp folder and reuses what it finds there: two runs at once would meet half a file, so each has a folder of its own. */
async function openPackagedChromium(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-chromium-'));
  const browser = await chromium.launch({
    executablePath: await unpackInto(folder),
    // Not the package's own flags: they are for one short page load in a function, and switch web security off.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
    env: { ...process.env, TMPDIR: folder },
  });
  // At once, not in the background: the test process often ends right after.
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

async function unpackInto(folder: string): Promise<string> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
