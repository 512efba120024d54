import { type Browser, chromium } from 'playwright-core';
import { browserAddress } from './shared.ts';

/** The browser that the whole run shares. Closing it closes what was opened through this connection, and nothing else. */
export async function connectBrowser(): Promise<Browser> {
  return chromium.connect(await browserAddress());
}
