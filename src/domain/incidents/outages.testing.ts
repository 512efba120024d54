import type { Label } from '../failures/labels.ts';

/** An event of an outage's hour. */
export interface HourEvent {
  readonly key: string;
  readonly workflow: string;
  readonly subscriberId: string;
  readonly labels: readonly Label[];
  readonly createdAt: Date;
  readonly hasFailed: boolean;
}

/** An hour of traffic with an outage in its middle, which hits all that has `planted`; null: everybody alike. */
export interface Outage {
  readonly planted: Label | null;
  readonly events: readonly HourEvent[];
}

export type Planting = 'context' | 'topic' | 'tag' | null;

const START = Date.UTC(2026, 4, 4, 12);

/**
 * An outage by its seed. Traffic is as uneven as it is in life: some tenants have most of it and send in bursts, topics go to many at once, each
 * workflow has its own severity and tags, some subscribers get ten times as much as others. What is planted is a fifth of the events or less.
 */
export function outageOf(seed: number, planting: Planting): Outage {
  const random = randomOf(seed);
  const below = (most: number) => Math.floor(random() * most);
  const tenants = Array.from({ length: 2 + below(60) }, (_, n) => `tenant:t${n}`);
  const workflows = Array.from({ length: 1 + below(6) }, (_, n) => `workflow-${n}`);
  const planted = planting === null ? null : { kind: planting, value: PLANTED[planting] };
  const share = 0.05 + 0.15 * random();
  const begins = 20 + 10 * random();
  const ends = begins + (planted === null ? 2 : 10) + 20 * random();
  const failing = planted === null ? 0.1 + 0.9 * random() : 0.7 + 0.3 * random();
  // What also fails of the others: a cause is rarely all there is.
  const others = planted === null ? 0 : 0.005 * random();

  const events: HourEvent[] = [];
  const count = 1_500 + below(2_000);
  while (events.length < count) {
    const minute = 60 * random();
    const tenant = tenants[Math.floor(tenants.length * random() ** 3)] ?? '';
    const workflow = workflows[Math.floor(workflows.length * random() ** 2)] ?? '';
    const topic = random() < 0.2 ? [`topic-${below(5)}`] : [];
    const burst = random() < 0.05 ? 5 + below(25) : 1;
    for (let n = 0; n < burst; n += 1) {
      const isPlanted = planted !== null && random() < share;
      const labels: Label[] = [
        { kind: 'context', value: isPlanted && planting === 'context' ? PLANTED.context : tenant },
        { kind: 'tag', value: `tag of ${workflow}` },
        { kind: 'severity', value: workflow === 'workflow-0' ? 'high' : 'low' },
        ...topic.map((value): Label => ({ kind: 'topic', value })),
        ...(isPlanted && planting !== 'context' && planted !== null ? [planted] : []),
      ];
      const isMeanwhile = minute >= begins && minute < ends;
      events.push({
        key: `${seed} ${events.length}`,
        workflow,
        subscriberId: `${tenant} ${Math.floor(50 * random() ** 2)}`,
        labels,
        createdAt: new Date(START + minute * 60_000),
        hasFailed: isMeanwhile && random() < (planted === null || isPlanted ? failing : others),
      });
    }
  }
  return { planted, events: events.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()) };
}

const PLANTED = { context: 'tenant:acme', topic: 'launch', tag: 'beta' };

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
