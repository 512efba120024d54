import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GROWTH, SAME_INCIDENT_MS } from '../../domain/alerting/alert-decision.ts';
import { groupOf } from '../../domain/failures/failure.ts';
import { UNFILTERED, type Watch, type WatchFilter } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, failureOf, openedEnvironment, reading, record, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';
import type { Store } from '../store.ts';

const GROUPS = { a: 'one', b: 'one', c: 'two' } as const;
type GroupName = keyof typeof GROUPS;
type EnvironmentName = (typeof GROUPS)[GroupName];
const GROUP_NAMES = ['a', 'b', 'c'] as const;

const group = fc.constantFrom(...GROUP_NAMES);
/** Null: the whole watch. */
const target = fc.oneof(group, fc.constant(null));

const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ does: fc.constant('fail' as const), group, times: fc.nat(8), late: fc.nat(5) },
      isCovered: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('mute' as const), target, minutes: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('unmute' as const), target }) },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('announce' as const), environment: fc.constantFrom('one', 'two') }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;
type Failing = Extract<Happening, { readonly does: 'fail' }>;

/** What a watch may be limited to. Failures beyond that have another workflow and another tag. */
const filter = fc.constantFrom<Partial<WatchFilter>>({}, { workflows: ['covered'] }, { tags: ['covered'] });

/** Less than an hour in total, so that each group has one episode. */
const happenings = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), happening), { minLength: 4, maxLength: 18 });

/** Times at which all mutes have ended, and a group announced at the last minute may be announced again. */
const ENDS = [110, 150];

describeStore('overlapping mutes', (store) => {
  test('withhold their own failures, report each once after the end, and leave fresh failures alone', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(filter, happenings, async (limits, steps) => {
        runs += 1;
        const settings = { ...UNFILTERED, filter: { ...UNFILTERED.filter, ...limits } };
        const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(-1));
        const story = new Story(store(), watch, `run-${runs}`);
        await story.begin();
        let minute = 0;
        try {
          for (const [minutes, step] of steps) {
            minute += minutes;
            await story.go(step, at(minute));
          }
          for (const end of ENDS) {
            for (const environment of ['one', 'two'] as const)
              await story.go({ does: 'announce', environment }, at(end));
          }
          expect(await story.unsettled()).toBe(0);
        } finally {
          await store().watches.endWatch(watch.id, 'U1', at(200));
        }
      }),
      { numRuns: 10 },
    );
  });
});

interface Alert {
  readonly group: GroupName;
  readonly reason: string;
  readonly missed: number;
}

interface Interval {
  readonly target: GroupName | null;
  readonly from: Date;
  until: Date;
}

interface ModelledGroup {
  readonly failures: { readonly occurred: Date; readonly recorded: Date; isReported: boolean }[];
  alerted: { readonly at: Date; readonly failures: number } | null;
  isPending: boolean;
}

class Model {
  readonly #mutes: Interval[] = [];
  readonly #groups: { readonly [Name in GroupName]: ModelledGroup } = { a: fresh(), b: fresh(), c: fresh() };

  mute(target: GroupName | null, now: Date, until: Date): void {
    const running = this.#running(target, now);
    if (running === undefined) this.#mutes.push({ target, from: now, until });
    else running.until = until;
  }

  unmute(target: GroupName | null, now: Date): void {
    const running = this.#running(target, now);
    if (running !== undefined) running.until = now;
  }

  fail(name: GroupName, occurred: Date, recorded: Date): void {
    this.#groups[name].failures.push({ occurred, recorded, isReported: false });
    this.#groups[name].isPending = true;
  }

  announce(environment: EnvironmentName, now: Date): Alert[] {
    return GROUP_NAMES.filter((name) => GROUPS[name] === environment).flatMap((name) => this.#alertOf(name, now));
  }

  #alertOf(name: GroupName, now: Date): Alert[] {
    const known = this.#groups[name];
    if (!known.isPending || this.#of(name).some(({ from, until }) => from <= now && now < until)) return [];
    const missed = known.failures.filter((failure) => !failure.isReported && this.#isMissed(name, failure)).length;
    const reason = reasonOf(known, missed);
    known.isPending = reason !== null && isTooSoon(known, now);
    if (reason === null || known.isPending) return [];
    known.alerted = { at: now, failures: known.failures.length };
    for (const failure of known.failures) failure.isReported = true;
    return [{ group: name, reason, missed }];
  }

  #isMissed(name: GroupName, { occurred, recorded }: { readonly occurred: Date; readonly recorded: Date }): boolean {
    return this.#of(name).some(({ from, until }) => from <= occurred && from <= recorded && recorded < until);
  }

  #of(name: GroupName): Interval[] {
    return this.#mutes.filter(({ target }) => target === null || target === name);
  }

  #running(target: GroupName | null, now: Date): Interval | undefined {
    return this.#mutes.find((mute) => mute.target === target && mute.from <= now && now < mute.until);
  }
}

function fresh(): ModelledGroup {
  return { failures: [], alerted: null, isPending: false };
}

function reasonOf({ alerted, failures }: ModelledGroup, missed: number): string | null {
  if (missed > 0) return 'missed';
  if (alerted === null) return 'new';
  return failures.length >= GROWTH * alerted.failures ? 'grown' : null;
}

function isTooSoon({ alerted }: ModelledGroup, now: Date): boolean {
  return alerted !== null && now.getTime() - alerted.at.getTime() < SAME_INCIDENT_MS;
}

class Story {
  readonly #model = new Model();
  readonly #store: Store;
  readonly #watch: Watch;
  readonly #name: string;
  readonly #workflows = new Map<GroupName, string>();
  #events = 0;

  constructor(store: Store, watch: Watch, name: string) {
    this.#store = store;
    this.#watch = watch;
    this.#name = name;
  }

  async begin(): Promise<void> {
    for (const environment of new Set(Object.values(GROUPS)))
      await openedEnvironment(this.#store, this.#full(environment), at(-60));
  }

  async go(step: Happening, now: Date): Promise<void> {
    switch (step.does) {
      case 'fail':
        return this.#fail(step, new Date(now.getTime() - step.late * 60_000), now);
      case 'mute':
        return this.#mute(step.target, new Date(now.getTime() + step.minutes * 60_000), now);
      case 'unmute':
        this.#model.unmute(step.target, now);
        await this.#store.incidents.unmute(this.#watch.id, this.#keyOf(step.target), 'U1', now);
        return;
      case 'announce':
        expect(await this.#announce(step.environment, now)).toEqual(this.#model.announce(step.environment, now));
    }
  }

  async unsettled(): Promise<number> {
    const open = 'SELECT 1 FROM mutes WHERE watch_id = $1 AND settled_at IS NULL';
    return (await this.#store.executeSql(open, [this.#watch.id])).rows.length;
  }

  /** A watch without limits covers everything. */
  async #fail({ group: name, times, isCovered }: Failing, occurredAt: Date, now: Date): Promise<void> {
    const { workflows, tags } = this.#watch.settings.filter;
    const counts = isCovered || workflows.length + tags.length === 0;
    const of = isCovered ? 'covered' : 'other';
    if (counts && times > 0) this.#workflows.set(name, of);
    const failures = Array.from({ length: times }, () => {
      this.#events += 1;
      if (counts) this.#model.fail(name, occurredAt, now);
      return failureOf(name, { eventKey: `${this.#name} ${this.#events}`, occurredAt, workflow: of, tags: [of] });
    });
    const trackedEvents = failures.map(({ eventKey }) => trackedEvent({ eventKey, createdAt: occurredAt }));
    const cursor = await openedEnvironment(this.#store, this.#full(GROUPS[name]), at(-60));
    await record(this.#store, cursor, reading({ trackedEvents, failures }), now);
  }

  /** A group can only be muted in a message that shows it. */
  async #mute(target: GroupName | null, until: Date, now: Date): Promise<void> {
    if (target !== null && !this.#workflows.has(target)) return;
    this.#model.mute(target, now, until);
    await this.#store.incidents.mute(this.#watch.id, this.#keyOf(target), { by: 'U1', until }, now);
  }

  async #announce(environment: EnvironmentName, now: Date): Promise<Alert[]> {
    const parts = { store: this.#store.alerting, logger: silent, now: () => now };
    const alerts: Alert[] = [];
    for (const id of await announceFailures(this.#full(environment), parts)) {
      const content = await this.#store.deliveries.content(id, now);
      if (content.kind !== 'digest') continue;
      for (const { tally, reason, missed } of content.rows)
        alerts.push({ group: nameOf(tally.group.cause.text), reason, missed: missed ?? 0 });
    }
    for (
      let claimed = await this.#store.deliveries.claimMessage(now);
      claimed;
      claimed = await this.#store.deliveries.claimMessage(now)
    )
      await this.#store.deliveries.notePosted(claimed.id, { ts: claimed.id, fingerprint: '', failures: 0 }, now);
    return alerts.sort((a, b) => a.group.localeCompare(b.group));
  }

  #keyOf(target: GroupName | null): string | null {
    const workflow = target && (this.#workflows.get(target) ?? 'covered');
    return target && groupOf(this.#full(GROUPS[target]), failureOf(target, { workflow })).key;
  }

  #full(environment: EnvironmentName): string {
    return `${this.#name}-${environment}`;
  }
}

function nameOf(text: string): GroupName {
  const name = GROUP_NAMES.find((known) => known === text);
  if (name === undefined) throw new Error(`no group is named ${text}`);
  return name;
}
