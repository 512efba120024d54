import { MINUTE_MS } from './time/durations.ts';

export type Logger = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, sentence: string) => void>;

/** Is called as a request begins; what it returns, with the request's outcome. */
export type Observer = (request: string) => (outcome: string) => void;

export const unobserved: Observer = () => () => {};

/** Returns whether to log a reason: once a minute, as anybody can cause it. */
export function createSparseLog(now: () => number): (reason: string) => boolean {
  const loggedAt = new Map<string, number>();
  return (reason: string) => {
    const isDue = Math.abs(now() - (loggedAt.get(reason) ?? -Infinity)) >= MINUTE_MS;
    if (isDue) loggedAt.set(reason, now());
    return isDue;
  };
}
