import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainCause } from '../src/domain/causes/explain-cause.ts';
import { EVERYTHING, UNFILTERED, type Watch } from '../src/domain/watches/watch.ts';
import type { MessageContent } from '../src/slack/blocks/blocks.ts';
import { digestMessage } from '../src/slack/digest/message.ts';
import { PRODUCTION, wordsOf } from '../src/slack/slack.testing.ts';
import { digestNow } from '../src/store/deliveries/deliveries.testing.ts';
import { at, failureOf, reading, trackedEvent } from '../src/store/examples.testing.ts';
import { describeStore, silent } from '../src/store/store.testing.ts';
import { announceFailures } from '../src/use-cases/alerting/announce-failures.ts';

/** Failures of one cause in one workflow that either trigger alerts or are only counted. */
interface Planted {
  readonly cause: string;
  readonly workflow: string;
  readonly times: number;
  readonly isUndeliverable: boolean;
}

interface Step {
  readonly minutes: number;
  readonly planted: readonly Planted[];
}

const CAUSES = ['a', 'b', 'c', 'd'];
const planted: fc.Arbitrary<Planted> = fc.record({
  cause: fc.constantFrom(...CAUSES),
  workflow: fc.constantFrom('order-shipped', 'password-reset'),
  times: fc.integer({ min: 1, max: 25 }),
  isUndeliverable: fc.nat(4).map((die) => die === 0),
});
/** Short enough that no cause begins a second incident. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ minutes: fc.integer({ min: 1, max: 8 }), planted: fc.array(planted, { maxLength: 4 }) }),
  { minLength: 2, maxLength: 6 },
);
const workflows = fc.constantFrom<readonly string[]>([], ['order-shipped']);

interface Recorded {
  readonly cause: string;
  readonly minute: number;
}

/** A planned digest: its time, and the causes in its rows. */
interface Written {
  readonly id: string;
  readonly minute: number;
  readonly causes: readonly string[];
}

describeStore('the header of a digest', (store) => {
  test('adds up its rows and the other incidents that it names, whenever it is drawn', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, workflows, async (steps, workflows) => {
        runs += 1;
        const settings = { ...UNFILTERED, filter: { ...EVERYTHING, workflows } };
        await store().polling.takeCursor(`environment-${runs}`, at(-60));
        const watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U1', settings }, at(-1));
        await play(steps, watch, `environment-${runs}`);
        await store().watches.endWatch(watch.id, 'U1', at(100));
      }),
      { numRuns: 12 },
    );
  });

  async function play(steps: readonly Step[], watch: Watch, environment: string): Promise<void> {
    const recorded: Recorded[] = [];
    const written: Written[] = [];
    let minute = 0;
    for (const [index, step] of steps.entries()) {
      minute += step.minutes;
      await record(environment, step, `${index}`, minute);
      recorded.push(...seenBy(watch, step, minute));
      const ids = await announceFailures(environment, {
        store: store().alerting,
        logger: silent,
        now: () => at(minute),
      });
      for (const id of ids) {
        const { rows } = await digestNow(store(), id, at(minute));
        written.push({ id, minute, causes: rows.map(({ tally }) => tally.group.cause.text) });
      }
      for (
        let one = await store().deliveries.claimMessage(at(minute));
        one;
        one = await store().deliveries.claimMessage(at(minute))
      ) {
        await store().deliveries.notePosted(one.id, { ts: one.id, fingerprint: '', failures: 0 }, at(minute));
      }
      for (const digest of written) await check(digest, written, recorded, minute);
    }
  }

  async function record(environment: string, { planted }: Step, step: string, minute: number): Promise<void> {
    const failures = planted.flatMap(({ cause, workflow, times, isUndeliverable }, index) =>
      Array.from({ length: times }, (_, time) =>
        failureOf(cause, {
          eventKey: `${step} ${index} ${time}`,
          workflow,
          occurredAt: at(minute),
          ...(isUndeliverable ? { verdict: 'undeliverable' } : {}),
        }),
      ),
    );
    const trackedEvents = failures.map(({ eventKey }) => trackedEvent({ eventKey, createdAt: at(minute) }));
    const cursor = await store().polling.takeCursor(environment, at(minute));
    await store().polling.record(cursor, reading({ failures, trackedEvents }), at(minute));
    await store().polling.finishPresent(
      cursor,
      { to: at(minute), setAside: [], clockAheadMs: null, newestEventAt: null },
      at(minute),
    );
  }

  async function check(
    digest: Written,
    written: readonly Written[],
    recorded: readonly Recorded[],
    minute: number,
  ): Promise<void> {
    const content = await digestNow(store(), digest.id, at(minute));
    const message = digestMessage(content, {
      environment: PRODUCTION,
      possibleRepeat: false,
      isNew: false,
      explainCause,
    });
    const { own, rows, elsewhere } = numbersIn(message);
    const counted = digest.causes.map((cause) => recorded.filter((one) => one.cause === cause).length);
    expect(rows.toSorted()).toEqual(counted.toSorted());
    expect(own).toEqual(rows.length < 2 ? null : { failures: sum(rows), incidents: rows.length });
    expect(elsewhere).toEqual(expectedElsewhere(digest, written, recorded));
  }
});

/** Returns what a watch covers and is alerted to. */
function seenBy({ settings }: Watch, { planted }: Step, minute: number): Recorded[] {
  const { workflows } = settings.filter;
  return planted
    .filter(
      ({ workflow, isUndeliverable }) => !isUndeliverable && (workflows.length === 0 || workflows.includes(workflow)),
    )
    .flatMap(({ cause, times }) => Array.from({ length: times }, () => ({ cause, minute })));
}

/** Returns what was recorded since the previous digest for causes that an earlier digest announced and this one doesn't. */
function expectedElsewhere(digest: Written, written: readonly Written[], recorded: readonly Recorded[]) {
  const before = written.filter(({ minute }) => minute < digest.minute);
  const since = Math.max(0, ...before.map(({ minute }) => minute));
  const told = new Set(before.flatMap(({ causes }) => causes).filter((cause) => !digest.causes.includes(cause)));
  const those = recorded.filter(({ cause, minute }) => told.has(cause) && minute > since && minute <= digest.minute);
  if (those.length === 0) return null;
  return { failures: those.length, incidents: new Set(those.map(({ cause }) => cause)).size };
}

/** Returns the counts that a reader sees in a message: in its header, in each row, and of other messages' incidents. */
function numbersIn(message: MessageContent) {
  const lines = wordsOf(message).split('\n');
  const own = first(lines, /^(\d+) failures in these (\d+) incidents$/);
  const elsewhere = first(lines, /^\+(\d+) failures? in (\d+) incidents? announced at/);
  const rows = lines.flatMap((line) => line.match(/^Since .*?: (\d+) failures?/)?.[1] ?? []).map(Number);
  return { own, rows, elsewhere };
}

function first(lines: readonly string[], pattern: RegExp): { failures: number; incidents: number } | null {
  const [found] = lines.map((line) => line.match(pattern)).filter((match) => match !== null);
  return found === undefined ? null : { failures: Number(found[1]), incidents: Number(found[2]) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
