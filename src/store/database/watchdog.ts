import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  FINE,
  mustEnd,
  nextState,
  STORE_TROUBLES,
  type StoreState,
  type StoreTrouble,
  StoreTroubleError,
} from '../../domain/health/store-trouble.ts';
import type { Logger } from '../../domain/logger.ts';
import { BOUNDS, type StoreBounds } from './bounds.ts';
import type { Database } from './database.ts';

/** Probes the database regularly, so that a failure is noticed without any request. */
export interface Watchdog {
  trouble(): StoreTrouble | null;
  /** Probes the database once, judges the result and logs changes. Never rejects, and takes at most the probe's bound. */
  look(): Promise<void>;
  stop(): void;
}

export interface WatchdogOptions {
  readonly database: Pick<Database, 'probe'>;
  readonly kind: 'embedded' | 'server';
  readonly logger: Logger;
  readonly now: () => Date;
  /** Called once, when only a new process helps. */
  readonly onLost: (reason: Error) => void;
  readonly bounds?: StoreBounds;
}

const ProbeRow = z.object({ read_only: z.boolean() });

/** A standby, or a server with `default_transaction_read_only`, answers but accepts no writes. */
const PROBE = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only";

/** Starts probing the database every `lookMs`, and every `lookAgainMs` while it's failing. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { database, kind, logger, now, onLost, bounds = BOUNDS } = options;
  const stopped = new AbortController();
  let state: StoreState = FINE;
  let isLost = false;
  let pending: Promise<StoreTrouble | null> | null = null;

  async function probe(): Promise<StoreTrouble | null> {
    try {
      const [row] = await database.probe(ProbeRow, PROBE);
      return row?.read_only === true ? 'read-only' : null;
    } catch (err) {
      if (state.is === 'fine') logger.warn({ err }, 'database probe failed');
      return 'not-answering';
    } finally {
      pending = null;
    }
  }

  /** Waits for a pending probe instead of sending another. */
  async function answerInTime(): Promise<StoreTrouble | null> {
    pending ??= probe();
    const looked = new AbortController();
    try {
      return await Promise.race([pending, lateAfter(bounds.probeMs, looked.signal)]);
    } finally {
      looked.abort();
    }
  }

  async function look(): Promise<void> {
    const found = await answerInTime();
    if (stopped.signal.aborted) return;
    const before = state;
    state = nextState(before, found, now());
    logChange(before, state, logger);
    if (isLost || !mustEnd(state, kind, now())) return;
    isLost = true;
    onLost(new StoreTroubleError('not-answering', new Error(`no answer since ${sinceOf(state)}`)));
  }

  async function keepProbing(): Promise<void> {
    while (!stopped.signal.aborted) {
      const pause = state.is === 'fine' ? bounds.lookMs : bounds.lookAgainMs;
      await wait(pause, undefined, { ref: false, signal: stopped.signal }).catch(() => {});
      if (!stopped.signal.aborted) await look();
    }
  }

  void keepProbing();
  return {
    trouble: () => (state.is === 'fine' ? null : state.trouble),
    look,
    stop: () => stopped.abort(),
  };
}

/** If the event loop itself was blocked, the answer may arrive together with the timeout; the answer takes precedence. */
async function lateAfter(boundMs: number, signal: AbortSignal): Promise<StoreTrouble> {
  await wait(boundMs, undefined, { ref: false, signal }).catch(() => {});
  await setImmediate();
  return 'not-answering';
}

function logChange(before: StoreState, after: StoreState, logger: Logger): void {
  if (before === after) return;
  if (after.is === 'in-trouble') {
    const { what, next } = STORE_TROUBLES[after.trouble];
    logger.error({ trouble: after.trouble, what, next }, 'store in trouble');
  } else if (before.is === 'in-trouble') {
    logger.info({ trouble: before.trouble, since: before.since }, 'store out of trouble');
  }
}

const sinceOf = (state: StoreState): string => (state.is === 'fine' ? '' : state.since.toISOString());
