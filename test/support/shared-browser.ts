import { type Browser, chromium } from 'playwright-core';
import { browserAddress } from './shared.ts';

/** Connects to the browser that the whole run shares. Closing it closes only what was opened through this connection. */
export async function connectBrowser(): Promise<Browser> {
  return chromium.connect(await browserAddress());
}
