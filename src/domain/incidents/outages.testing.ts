import { LABEL_KINDS, type Label, type LabelKind } from '../failures/labels.ts';

/** An event in an hour of traffic. */
export interface HourEvent {
  readonly key: string;
  readonly workflow: string;
  readonly subscriberId: string;
  readonly labels: readonly Label[];
  readonly createdAt: Date;
}

/** The labels that an outage may affect exclusively, by kind: 7% to 20% of the events have it. */
export const PLANTED: Readonly<Record<LabelKind, Label>> = {
  context: { kind: 'context', value: 'tenant:acme' },
  topic: { kind: 'topic', value: 'launch' },
  tag: { kind: 'tag', value: 'beta' },
  severity: { kind: 'severity', value: 'critical' },
};

const START = Date.UTC(2026, 4, 4, 12);

/**
 * Generates an hour of traffic from a seed, in chronological order. It's as uneven as real traffic: some tenants have most of it and send
 * in bursts, topics go to many at once, each workflow has its own severity and tags, some subscribers get ten times as much as others.
 */
export function hourOf(seed: number, plantings: readonly LabelKind[] = LABEL_KINDS): readonly HourEvent[] {
  const random = randomOf(seed);
  const below = (most: number) => Math.floor(random() * most);
  const tenants = Array.from({ length: 2 + below(60) }, (_, n) => `tenant:t${n}`);
  const workflows = Array.from({ length: 1 + below(6) }, (_, n) => `workflow-${n}`);
  const shares = plantings.map((kind) => ({ kind, share: 0.07 + 0.13 * random() }));

  const events: HourEvent[] = [];
  const count = 1_500 + below(2_000);
  while (events.length < count) {
    const minute = 60 * random();
    const tenant = tenants[Math.floor(tenants.length * random() ** 3)] ?? '';
    const workflow = workflows[Math.floor(workflows.length * random() ** 2)] ?? '';
    const topic = random() < 0.2 ? [`topic-${below(5)}`] : [];
    const burst = random() < 0.05 ? 5 + below(25) : 1;
    for (let n = 0; n < burst; n += 1) {
      const planted = shares.filter(({ share }) => random() < share).map(({ kind }) => kind);
      const usual: Label[] = [
        { kind: 'context', value: tenant },
        { kind: 'tag', value: `tag of ${workflow}` },
        { kind: 'severity', value: workflow === 'workflow-0' ? 'high' : 'low' },
        ...topic.map((value): Label => ({ kind: 'topic', value })),
      ];
      // An event has one tenant and one severity, and any number of topics and tags.
      const kept = usual.filter(({ kind }) => kind === 'tag' || kind === 'topic' || !planted.includes(kind));
      events.push({
        key: `${seed} ${events.length}`,
        workflow,
        subscriberId: `${tenant} ${Math.floor(50 * random() ** 2)}`,
        labels: [...kept, ...planted.map((kind) => PLANTED[kind])],
        createdAt: new Date(START + minute * 60_000),
      });
    }
  }
  return events.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Returns the events that fail in an outage in the middle of the hour that affects only one label; null: everybody alike. */
export function outageOf(seed: number, events: readonly HourEvent[], planted: Label | null): readonly HourEvent[] {
  const random = randomOf(seed);
  const begins = START + (20 + 10 * random()) * 60_000;
  const ends = begins + ((planted === null ? 2 : 10) + 20 * random()) * 60_000;
  const failing = planted === null ? 0.1 + 0.9 * random() : 0.7 + 0.3 * random();
  // Some others also fail, because a cause is rarely the only one.
  const others = 0.003 * random();
  const isHit = ({ labels }: HourEvent) =>
    planted === null || labels.some(({ kind, value }) => kind === planted.kind && value === planted.value);
  return events.filter((event) => {
    const at = event.createdAt.getTime();
    return at >= begins && at < ends && random() < (isHit(event) ? failing : others);
  });
}

/** Mulberry32: returns the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
