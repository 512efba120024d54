import type { Connect, Query } from '../../src/store/db.ts';
import { StatementError } from '../../src/store/errors.ts';
import { afterImmediates, type VirtualTime } from './virtual-time.ts';
import { UNSTORED } from './wire-event.ts';

/** The error that every call of a killed process gets. Only the simulation catches it. */
export class ProcessKilledError extends Error {
  override readonly name = 'ProcessKilledError';

  constructor() {
    super('this process was killed');
  }
}

/** One run of a Notif process. When it's killed, all its further calls are rejected. */
export interface Life {
  /** Throws if the process is dead or dies at this step. Called before each statement, and before the caller gets its result. */
  step(): void;
  /** Resolves once it isn't frozen. */
  thawed(): Promise<void>;
}

/**
 * Runs pieces of work one after another, in the order in which they were requested. Each lasts until other work has run on as far as it can, so that
 * the order doesn't depend on how fast the database answers.
 */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(time: VirtualTime): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) =>
    time.during(() => {
      const piece = () => work().finally(afterImmediates);
      const turn = last.then(piece, piece);
      last = turn.catch(() => {});
      return turn;
    });
}

/**
 * The way to the database that one process has. Connections take turns over all processes, so the same seed gives the same order. The
 * process can die before any statement, or between a statement and its answer. The database's own clock is `now`.
 */
export function mortalConnect(connect: Connect, turns: Turns, life: Life, now: () => number): Connect {
  const mortal =
    (query: Query): Query =>
    async (text, values = [], rowMode) => {
      life.step();
      throwIfRefused(text, values);
      return query(...timed(text, values, now), rowMode);
    };
  return async (use) => {
    await life.thawed();
    return turns(async () => {
      const result = await connect((query) => use(mortal(query)));
      life.step();
      return result;
    });
  };
}

/** SQLSTATE "untranslatable character" */
const REFUSED = '22P05';

/** Refuses to insert events with the text UNSTORED, as PostgreSQL refuses a character that it can't store. */
function throwIfRefused(text: string, values: readonly unknown[]): void {
  const isRefused = /insert/i.test(text) && values.some((value) => `${value}`.includes(UNSTORED));
  if (isRefused) throw new StatementError('this event is not stored', REFUSED);
}

const DATABASE_CLOCK = /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)/gi;

/** Passes the time to a statement as a value instead of the database's own clock. */
function timed(text: string, values: readonly unknown[], now: () => number): [string, readonly unknown[]] {
  const withTime = text.replace(DATABASE_CLOCK, `$$${values.length + 1}::timestamptz`);
  return withTime === text ? [text, values] : [withTime, [...values, new Date(now())]];
}
