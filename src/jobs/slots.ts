import { createHash } from 'node:crypto';

export interface Slots {
  stop(): void;
}

export interface SlotsOptions {
  readonly everyMs: number;
  /** How long after the beginning of an interval its slot begins. Intervals count from the epoch. */
  readonly offsetMs: number;
  /** How long after its beginning a slot is taken. */
  readonly delayMs?: number;
  /** Called for each slot with its number, which is the same for all replicas. */
  readonly take: (slot: number) => void;
  /** The clock that slots are numbered by, in milliseconds since the epoch. Defaults to this machine's. */
  readonly clock?: () => number;
}

/** A timer may fire a millisecond early, in the slot before. */
const LATE_ENOUGH_MS = 5;

/** Takes each slot once it has begun. A slot missed because the process was busy or asleep is skipped. */
export function startSlots({ everyMs, offsetMs, delayMs = 0, take, clock = Date.now }: SlotsOptions): Slots {
  const shiftMs = offsetMs + delayMs;
  let timer: NodeJS.Timeout;

  function schedule(): void {
    const sinceSlotMs = (((clock() - shiftMs) % everyMs) + everyMs) % everyMs;
    timer = setTimeout(
      () => {
        take(Math.floor((clock() - shiftMs) / everyMs));
        schedule();
      },
      everyMs - sinceSlotMs + LATE_ENOUGH_MS,
    );
  }

  schedule();
  return { stop: () => clearTimeout(timer) };
}

/** Returns a fixed place for a name within a time, so that jobs of many environments don't run at the same moment. */
export function offsetOf(name: string, withinMs: number): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % Math.max(1, Math.floor(withinMs));
}

/** The time between the first runs of two jobs. */
const BETWEEN_FIRST_RUNS_MS = 20;

/** Begins the first runs, one after the other. */
export function inTurn<Item>(items: readonly Item[], begin: (item: Item) => void): Slots {
  const timers = items.map((item, index) => setTimeout(() => begin(item), index * BETWEEN_FIRST_RUNS_MS));
  return { stop: () => timers.forEach(clearTimeout) };
}
