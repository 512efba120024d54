import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';
import { unpackChromium } from './chromium.ts';

/**
 * Opens a headless browser: the Chrome at `CHROME_PATH` if that is set, else on Linux x64 the Chromium of an npm package, and elsewhere the
 * installed Chrome. Rejects with Playwright's error, which names the missing program.
 */
export const openBrowser = async (): Promise<Browser> => chromium.launch(await findProgram());

export async function serveBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await findProgram()), host: '127.0.0.1' });
}

async function findProgram(): Promise<LaunchOptions> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined) return { executablePath: CHROME_PATH };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  // The package's own flags suit one short page load in a serverless function and turn web security off, so they aren't used.
  return { executablePath: await unpackChromium(), args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] };
}
