import { MINUTE_MS } from './time/durations.ts';

export type Logger = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, sentence: string) => void>;

export type Observer = (what: string) => (outcome: string) => void;

export const unobserved: Observer = () => () => {};

/** Logs each reason once a minute, with the number of those left out, as anybody can cause them. Null: don't log. */
export function createSparseLog(now: () => number) {
  const logged = new Map<string, { at: number; unlogged: number }>();
  return (reason: string): { unlogged?: number } | null => {
    const last = logged.get(reason);
    const at = now();
    if (last !== undefined && Math.abs(at - last.at) < MINUTE_MS) {
      last.unlogged += 1;
      return null;
    }
    logged.set(reason, { at, unlogged: 0 });
    return last === undefined || last.unlogged === 0 ? {} : { unlogged: last.unlogged };
  };
}
