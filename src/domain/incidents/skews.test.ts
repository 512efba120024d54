import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_EVENT, LABEL_KINDS, type Label, type LabelKind, labelNumber } from '../failures/labels.ts';
import { type HourEvent, hourOf, outageOf, PLANTED } from './outages.testing.ts';
import {
  chanceOf,
  type FailedEvent,
  FEWEST_EVENTS,
  type Skew,
  skewsOf,
  suspectedLabels,
  type WorkflowEvents,
} from './skews.ts';

const ACME: Label = { kind: 'context', value: 'tenant:acme' };
const GLOBEX: Label = { kind: 'context', value: 'tenant:globex' };

function failed(count: number, changes: Partial<FailedEvent> = {}): FailedEvent[] {
  return Array.from({ length: count }, (_, n) => ({
    workflow: 'order-shipped',
    subscriberId: `subscriber-${n}`,
    labels: [ACME],
    ...changes,
  }));
}

/** Returns how many of a thousand events of each workflow have each label. */
const usually = (labeled: number) => (): WorkflowEvents => ({ events: 1_000, labeled });

const found = (events: readonly FailedEvent[], usual: Parameters<typeof skewsOf>[1]): string[] =>
  skewsOf(events, usual).map(wordOf);

function wordOf(skew: Skew): string {
  return skew.is === 'label'
    ? `${skew.events} of ${skew.of} ${skew.label.value}`
    : `${skew.subscribers} of ${skew.of} subscribers`;
}

describe('a label that the failed events share', () => {
  test('is a skew if few other events have it', () => {
    expect(found(failed(48), usually(120))).toEqual(['48 of 48 tenant:acme']);
    expect(skewsOf(failed(48), usually(120))).toEqual([
      { is: 'label', label: ACME, events: 48, of: 48, usually: 0.12 },
    ]);
  });

  test('is no skew if all events, or more than half of them, have it anyway', () => {
    expect(found(failed(48), usually(1_000))).toEqual([]);
    expect(found(failed(48), usually(501))).toEqual([]);
    expect(found(failed(48), usually(500))).toEqual(['48 of 48 tenant:acme']);
  });

  test('is no skew of few events', () => {
    expect(found(failed(FEWEST_EVENTS - 1), usually(10))).toEqual([]);
    expect(found(failed(FEWEST_EVENTS), usually(10))).toEqual(['10 of 10 tenant:acme']);
  });

  test('is no skew if fewer than four in five have it', () => {
    expect(found([...failed(79), ...failed(21, { labels: [GLOBEX] })], usually(100))).toEqual([]);
    expect(found([...failed(80), ...failed(20, { labels: [GLOBEX] })], usually(100))).toEqual([
      '80 of 100 tenant:acme',
    ]);
  });

  test('is compared with the events of the same workflows', () => {
    const usual = (_: Label, workflow: string) => ({ events: 1_000, labeled: workflow === 'invoice' ? 1_000 : 60 });
    expect(found(failed(48, { workflow: 'invoice' }), usual)).toEqual([]);
    expect(found([...failed(40, { workflow: 'invoice' }), ...failed(8)], usual)).toEqual([]);
    expect(found([...failed(8, { workflow: 'invoice' }), ...failed(40)], usual)).toEqual(['48 of 48 tenant:acme']);
  });

  test("is no skew if the counts don't include what failed", () => {
    expect(found(failed(48), () => null)).toEqual([]);
    expect(found(failed(48), () => ({ events: 47, labeled: 5 }))).toEqual([]);
    expect(found(failed(48), usually(47))).toEqual([]);
    expect(found(failed(48), usually(48))).toEqual(['48 of 48 tenant:acme']);
    const another = failed(5, { workflow: 'invoice', labels: [] });
    const usual = (_: Label, workflow: string) => ({ events: workflow === 'invoice' ? 4 : 1_000, labeled: 48 });
    expect(found([...failed(48), ...another], usual)).toEqual([]);
  });

  test('is one of its kind: a topic is no tag of the same name', () => {
    const named = (kind: LabelKind) => [{ kind, value: 'launch' }];
    const events = [...failed(48, { labels: named('tag') }), ...failed(5, { labels: named('topic') })];
    expect(found(events, usually(120))).toEqual(['48 of 53 launch']);
  });

  test('is also a skew if all events of another workflow failed, without it', () => {
    const events = [...failed(48), ...failed(5, { workflow: 'invoice', labels: [] })];
    const usual = (_: Label, workflow: string) =>
      workflow === 'invoice' ? { events: 5, labeled: 0 } : { events: 1_000, labeled: 120 };
    expect(found(events, usual)).toEqual(['48 of 53 tenant:acme']);
  });

  test('is looked for among the three of its kind that most of them have', () => {
    const tags = (...values: string[]) => values.map((value): Label => ({ kind: 'tag', value }));
    const events = [...failed(48, { labels: tags('e', 'c', 'd', 'b') }), ...failed(4, { labels: tags('e', 'a') })];
    expect(suspectedLabels(events)).toEqual(tags('e', 'b', 'c'));
  });

  test("is no skew if it's masked, since all events are counted by their own labels", () => {
    expect(found(failed(48, { labels: [{ kind: 'context', value: 'user:a•••@acme.example' }] }), usually(120))).toEqual(
      [],
    );
  });

  test('needs more events the more labels were examined', () => {
    const many = (count: number) =>
      failed(10).map((event) => ({
        ...event,
        labels: [...event.labels, ...Array.from({ length: count }, (_, n): Label => ({ kind: 'tag', value: `${n}` }))],
      }));
    const usual = ({ kind }: Label) => ({ events: 1_000, labeled: kind === 'context' ? 400 : 1_000 });
    expect(found(many(1), usual)).toEqual(['10 of 10 tenant:acme']);
    expect(found(many(100), usual)).toEqual([]);
  });

  test('is the rarest of its kind, and at most two are shown', () => {
    const region: Label = { kind: 'context', value: 'region:eu' };
    const labels: Label[] = [region, ACME, { kind: 'topic', value: 'launch' }, { kind: 'tag', value: 'beta' }];
    const shares: Readonly<Record<string, number>> = { 'region:eu': 400, 'tenant:acme': 60, launch: 70, beta: 50 };
    const usual = ({ value }: Label) => ({ events: 1_000, labeled: shares[value] ?? 0 });
    expect(found(failed(48, { labels }), usual)).toEqual(['48 of 48 beta', '48 of 48 tenant:acme']);
  });
});

describe('subscribers with most of the failures', () => {
  const hits = (counts: readonly number[]) =>
    counts.flatMap((count, n) => failed(count, { subscriberId: `s${n}`, labels: [] }));
  const once = (count: number) => Array.from({ length: count }, () => 1);

  test('are a skew if three of many have four in five', () => {
    expect(found(hits([80, 50, 30, ...once(38)]), usually(0))).toEqual(['3 of 41 subscribers']);
    expect(found(hits([80, ...once(15)]), usually(0))).toEqual(['1 of 16 subscribers']);
  });

  test('are a skew from exactly a tenth of those affected, and exactly four in five of the events', () => {
    expect(found(hits([36, ...once(9)]), usually(0))).toEqual(['1 of 10 subscribers']);
    expect(found(hits([35, ...once(9)]), usually(0))).toEqual([]);
    expect(found(hits([36, ...once(8)]), usually(0))).toEqual([]);
  });

  test('are no skew if it takes four of them', () => {
    expect(found(hits([50, 50, 50, 50, ...once(36)]), usually(0))).toEqual([]);
  });

  test('are a skew with the numbers of their events', () => {
    expect(skewsOf(hits([...once(20), 30, 50]), usually(0))).toEqual([
      { is: 'subscribers', subscribers: 2, of: 22, events: 80, ofEvents: 100 },
    ]);
  });

  test('are no skew if few were affected, or have less', () => {
    expect(found(hits([80, 50, 30, ...once(5)]), usually(0))).toEqual([]);
    expect(found(hits([30, 20, 10, ...once(38)]), usually(0))).toEqual([]);
    expect(found(hits([8, ...once(9)]), usually(0))).toEqual([]);
  });

  test('are no skew if nobody is named', () => {
    const unnamed = failed(48, { subscriberId: null, labels: [] });
    expect(found(unnamed, usually(0))).toEqual([]);
    expect(found([...unnamed, ...hits(once(11))], usually(0))).toEqual([]);
  });
});

test('overstates the probability of chance by no more than its bound', () => {
  expect(chanceOf(9, 10, 0.5)).toBeCloseTo(0.0252, 4);
  expect(chanceOf(10, 10, 0.5)).toBeCloseTo(1 / 1_024, 9);
});

test('never understates the probability of chance', () => {
  const binomialTail = (events: number, of: number, share: number): number => {
    let [term, sum] = [(1 - share) ** of, 0];
    for (let k = 0; k <= of; k += 1) {
      if (k >= events) sum += term;
      term *= ((of - k) / (k + 1)) * (share / (1 - share));
    }
    return sum;
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.integer({ min: 1, max: 99 }), (of, some, percent) => {
      const events = Math.min(of, some);
      expect(chanceOf(events, of, percent / 100)).toBeGreaterThanOrEqual(
        binomialTail(events, of, percent / 100) - 1e-9,
      );
    }),
  );
});

test('returns the same in any order of events, and never counts a duplicate label twice', () => {
  const label = fc.record({ kind: fc.constant('context' as const), value: fc.constantFrom('a', 'b', 'c') });
  const event = fc.record({
    workflow: fc.constantFrom('x', 'y'),
    subscriberId: fc.constantFrom('s1', 's2', null),
    labels: fc.array(label, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.nat(1_000), (events, labeled) => {
      const skews = skewsOf(events, usually(labeled));
      expect(skewsOf(events.toReversed(), usually(labeled))).toEqual(skews);
      for (const skew of skews) if (skew.is === 'label') expect(skew.events).toBeLessThanOrEqual(events.length);
    }),
  );
});

describe('over 100 seeded outages', () => {
  const SEEDS = Array.from({ length: 100 }, (_, n) => n + 1);

  test('names the planted label in each', () => {
    for (const seed of SEEDS) {
      const kind = LABEL_KINDS[seed % LABEL_KINDS.length] ?? 'context';
      const labels = skewsIn(seed, kind).map((skew) => (skew.is === 'label' ? skew.label : null));
      expect(labels, `seed ${seed}`).toContainEqual(PLANTED[kind]);
    }
  });

  test('names something in at most two if nothing was planted', () => {
    const named = SEEDS.filter((seed) => skewsIn(1_000 + seed, null).length > 0);
    expect(named.length, `seeds ${named.map((seed) => 1_000 + seed)}`).toBeLessThanOrEqual(2);
  });
});

/** Finds the skews of an outage with counts as stored: by number, in slots of ten minutes. */
function skewsIn(seed: number, kind: LabelKind | null): readonly Skew[] {
  const events = hourOf(seed, kind === null ? [] : [kind]);
  const failed = outageOf(seed, events, kind === null ? null : PLANTED[kind]).slice(-250);
  const slotOf = ({ createdAt }: HourEvent) => Math.floor(createdAt.getTime() / 600_000);
  const slots = failed.map(slotOf);
  const [from, to] = [Math.min(...slots), Math.max(...slots)];
  const counts = new Map<string, number>();
  for (const event of events.filter((one) => slotOf(one) >= from && slotOf(one) <= to)) {
    for (const number of new Set([ANY_EVENT, ...event.labels.map(labelNumber)])) {
      const key = `${event.workflow} ${number}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const count = (workflow: string, number: number) => counts.get(`${workflow} ${number}`) ?? 0;
  return skewsOf(failed, (label, workflow) => ({
    events: count(workflow, ANY_EVENT),
    labeled: count(workflow, labelNumber(label)),
  }));
}
