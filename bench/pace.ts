import { setTimeout as wait } from 'node:timers/promises';
import { eventPage } from './event-page.ts';
import { median } from './statistics.ts';

const PAGE = eventPage();
const PAGES = 3;
const EVERY_MS = 500;

/**
 * Does the same small piece of work each time, and returns the CPU time that it took, in milliseconds. Where two of a machine's cores
 * share what they calculate with, the same work takes up to twice the CPU time while the other one is busy.
 */
export function paceMs(): number {
  const before = process.cpuUsage();
  for (let page = 0; page < PAGES; page += 1) JSON.parse(PAGE);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Waits for so long, and returns the usual pace meanwhile. */
export async function paceDuring(ms: number): Promise<number> {
  const paces: number[] = [];
  const timer = setInterval(() => paces.push(paceMs()), EVERY_MS);
  await wait(ms);
  clearInterval(timer);
  return median(paces);
}
