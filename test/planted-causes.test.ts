import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../sandbox/notification-service/random.ts';
import { type IntegrationState, stateOf } from '../src/domain/changes/integration-readings.ts';
import type { Failure } from '../src/domain/failures/failure.ts';
import { LABEL_KINDS, type Label, type LabelKind, labelNumbersOf } from '../src/domain/failures/labels.ts';
import { type HourEvent, hourOf, outageOf, PLANTED } from '../src/domain/incidents/outages.testing.ts';
import { aWorkflow } from '../src/domain/service/event.testing.ts';
import { anIntegration } from '../src/domain/service/integration.testing.ts';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import { incidentText } from '../src/slack/blocks/incident/incident-row.ts';
import { at, failureOf, reading, trackedEvent } from '../src/store/examples.testing.ts';
import { keptStore } from '../src/store/store.testing.ts';

/** Hours of traffic, each in an environment of its own, with `OF_A_KIND` outages of each kind. */
const HOURS = 5;
const OF_A_KIND = 20;

/** What is planted before or in an outage: a label that all its events have, a change of its integration, or nothing. */
type Planting = 'label' | 'change' | null;

interface Planned {
  readonly planting: Planting;
  readonly label: Label | null;
  readonly provider: string;
  readonly failed: readonly HourEvent[];
}

/** The lines in an outage's row about whom it hits and what was changed before it. */
interface Drawn extends Omit<Planned, 'failed'> {
  readonly title: string | undefined;
  readonly hits: string | null;
  readonly changed: string | null;
}

const drawn: Drawn[] = [];
const store = keptStore();

beforeAll(async () => {
  for (let hour = 1; hour <= HOURS; hour += 1) drawn.push(...(await play(`environment-${hour}`, hour)));
});

const of = (planting: Planting) => drawn.filter((one) => one.planting === planting);

test('each row of 100 outages that hit only one tenant, topic, tag or severity names it', () => {
  expect(of('label')).toHaveLength(100);
  expect(of('label').filter(({ label, hits }) => !hits?.includes(`${label?.kind} \`${label?.value}\``))).toEqual([]);
});

test('each row of 100 outages after a change of their integration names it', () => {
  expect(of('change')).toHaveLength(100);
  expect(of('change').filter(({ provider, changed }) => !changed?.includes(provider))).toEqual([]);
});

test('at most two rows of 100 outages with neither name anything', () => {
  expect(of(null).filter(({ title }) => title !== undefined)).toHaveLength(100);
  expect(of(null).filter(({ hits, changed }) => hits !== null || changed !== null).length).toBeLessThanOrEqual(2);
  expect(drawn.filter(({ planting, changed }) => planting !== 'change' && changed !== null)).toEqual([]);
});

/** Records an hour of traffic with outages, and returns the rows of those that are open at its end. */
async function play(environment: string, hour: number): Promise<readonly Drawn[]> {
  const events = hourOf(hour);
  const outages = PLANTINGS.flatMap((planting, kind) =>
    Array.from({ length: OF_A_KIND }, (_, n): Planned => {
      const seed = 1_000 * hour + OF_A_KIND * kind + n;
      const label = planting === 'label' ? PLANTED[LABEL_KINDS[n % LABEL_KINDS.length] ?? 'context'] : null;
      // A provider has an eighth of the traffic. An outage of a label hits a part of all traffic.
      const own = label === null ? events.filter((_, index) => index % 8 === n % 8) : events;
      return { planting, label, provider: `provider-${seed}`, failed: outageOf(seed, own, label) };
    }),
  );
  await noteChanges(environment, outages, hour);
  await record(environment, events, outages);
  const page = { offset: 0, limit: outages.length };
  const { incidents } = await store().incidents.openIncidents([environment], page, at(60));

  return outages.map((outage) => {
    const now = incidents.find(({ tally }) => tally.group.provider === outage.provider);
    const lines = now === undefined ? [] : `${incidentText(now, ROW)}`.split('\n');
    const line = (emoji: string) => lines.find((one) => one.startsWith(emoji)) ?? null;
    const { planting, label, provider } = outage;
    return { planting, label, provider, title: lines[0], hits: line('🏷️'), changed: line('⚙️') };
  });
}

const PLANTINGS: readonly Planting[] = ['label', 'change', null];
const ROW = { beside: null, namesPeople: true, cause: null, isTerse: false };

/** An edit of an integration, at a minute of the hour or before it. */
interface Edit {
  readonly minute: number;
  readonly of: string;
  readonly make: (was: IntegrationState) => IntegrationState;
}

const EDITS: readonly [Edit['make'], ...Edit['make'][]] = [
  (was) => ({ ...was, active: !was.active }),
  (was) => ({ ...was, primary: !was.primary }),
  (was) => ({ ...was, inboundWebhook: !was.inboundWebhook }),
  (was) => ({ ...was, conditions: was.conditions === null ? ['payload.plan'] : null }),
];
const RENAMED: Edit['make'] = (was) => ({ ...was, name: `${was.name} EU` });

/**
 * Polls integrations every two minutes. In the meantime unrelated integrations are edited, others are edited long before their outage, and
 * some are renamed.
 */
async function noteChanges(environment: string, outages: readonly Planned[], hour: number): Promise<void> {
  const random = createRandom(hour);
  const unrelated = Array.from({ length: 20 }, (_, n): Edit => {
    return { minute: random.between(-40, 60), of: `unrelated-${n}`, make: random.pick(EDITS) };
  });
  const edits = outages.flatMap(({ provider, planting, failed: [first] }): Edit[] => {
    const began = ((first?.createdAt ?? at(0)).getTime() - at(0).getTime()) / MINUTE_MS;
    const longBefore = { minute: began - random.between(33, 60), of: provider, make: random.pick(EDITS) };
    const renamed = { minute: began - random.between(0, 30), of: provider, make: RENAMED };
    const planted = { minute: began - random.between(0, 27), of: provider, make: random.pick(EDITS) };
    return [longBefore, renamed, ...(planting === 'change' ? [planted] : [])];
  });
  let integrations = [...outages.map(({ provider }) => provider), ...unrelated.map((edit) => edit.of)].map((provider) =>
    stateOf(anIntegration({ id: provider, name: provider, provider, channel: 'email' })),
  );
  for (let minute = -42; minute <= 60; minute += 2) {
    const made = [...edits, ...unrelated].filter((edit) => edit.minute > minute - 2 && edit.minute <= minute);
    for (const edit of made)
      integrations = integrations.map((was) => (was.provider === edit.of ? edit.make(was) : was));
    const read = { serviceEnvironmentId: environment, integrations, isWhole: true };
    await store().changes.noteIntegrations(environment, read, { from: at(minute), to: at(minute) });
  }
}

/** Records an hour at its end, in pages of one transaction each. */
async function record(environment: string, events: readonly HourEvent[], outages: readonly Planned[]): Promise<void> {
  const cursor = await store().polling.takeCursor(environment, at(-60));
  const failuresOf = new Map<string, Failure[]>();
  for (const { provider, failed } of outages) {
    for (const event of failed) {
      const failures = failuresOf.get(event.key) ?? [];
      failuresOf.set(event.key, [...failures, failureAt(provider, event)]);
    }
  }
  for (let n = 0; n < events.length; n += 100) {
    const page = events.slice(n, n + 100);
    const trackedEvents = page.map((event) =>
      trackedEvent({
        ...{ eventKey: event.key, createdAt: event.createdAt, labels: labelNumbersOf(labelsOf(event)) },
        workflow: aWorkflow({ identifier: event.workflow, name: event.workflow }),
      }),
    );
    const failures = page.flatMap(({ key }) => failuresOf.get(key) ?? []);
    await store().polling.record(cursor, reading({ trackedEvents, failures }), at(60));
  }
  await store().polling.finishPresent(
    cursor,
    { to: at(60), setAside: [], clockAheadMs: null, newestEventAt: null },
    at(60),
  );
}

function failureAt(provider: string, event: HourEvent): Failure {
  const { contextKeys: contexts, topicKeys: topics, tags, severity } = labelsOf(event);
  return failureOf(`refused by ${provider}`, {
    ...{ eventKey: event.key, jobId: provider, provider, workflow: event.workflow, subscriberId: event.subscriberId },
    ...{ contexts, topics, tags, severity, occurredAt: event.createdAt, eventCreatedAt: event.createdAt },
  });
}

function labelsOf({ labels }: HourEvent) {
  const values = (kind: LabelKind) => labels.flatMap((label) => (label.kind === kind ? [label.value] : []));
  const [severity = null] = values('severity');
  return { contextKeys: values('context'), topicKeys: values('topic'), tags: values('tag'), severity };
}
