import type { WatchSettings } from '../../src/watches/settings.ts';
import { UNREACHABLE } from './difficult-slack.ts';
import type { Stretch } from './facts.ts';
import type { Played } from './play.ts';
import { numbersIn, readingsIn } from './readings.ts';
import { MOST_AHEAD_MS } from './replicas.ts';
import type { Sample } from './samples.ts';
import { DELIVERED_FATES, type StoryEvent } from './story.ts';
import type { FailureThen, IncidentThen, Moment, Told, WatchThen } from './told-facts.ts';
import { HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { Switch } from './world.ts';

const DAY_MINUTES = 1440;

/** Nothing is certain so near to a border of quiet hours, of a mute or of a threshold's time. */
const MARGIN = 2 * MINUTE;

/** How the subjects of messages name an incident: 'incident 7'. */
const INCIDENT = 'incident ';

const CLOCKS_THAT_JUMP: readonly Switch[] = ['clock-steps', 'service-clock-steps', 'freezes'];
const UNCOUNTABLE: readonly Switch[] = [...CLOCKS_THAT_JUMP, 'no-date', 'no-times'];

type Row = Sample['failures'][number];
type Incident = Sample['incidents'][number];

const keyOf = ({ eventKey, jobId }: Pick<Row, 'eventKey' | 'jobId'>): string => `${eventKey} ${jobId}`;

/** Gathers what people could read, and the story that it has to fit. */
export function takeTold(played: Played, excuses: readonly Stretch[], withinMs: (from: number) => number): Told {
  const { slack, world, story, done } = played;
  const again = numbersAgain(played);
  const samples = played.samples.map((sample) => renumbered(sample, again));
  const last = samples.at(-1);
  const owners = new Map(
    samples.flatMap(({ messages }) => messages.map(({ id, owner, kind }) => [id, { owner, kind }] as const)),
  );
  const subjects = new Map<string, number[]>();
  for (const { messageId, subject } of samples.flatMap((sample) => sample.subjects)) {
    const numbers = subjects.get(messageId) ?? [];
    const number = Number(subject.slice(INCIDENT.length));
    if (!numbers.includes(number)) subjects.set(messageId, [...numbers, number]);
  }
  const aboutOf = new Map(
    slack.shown.map((shown) => {
      const { deliveryId, threadOf } = shown;
      const named = numbersIn(shown).map((number) => again.get(number) ?? number);
      const stored = subjects.get(deliveryId) ?? subjects.get(threadOf ?? '') ?? [];
      // A reply is about what it names, and else about what the message above it is.
      const isByWords = stored.length === 0 || (threadOf !== null && named.length > 0);
      return [deliveryId, isByWords ? named : stored];
    }),
  );
  const firstSeenAt = new Map<string, number>();
  const moments = samples.map((sample): Moment => momentOf(sample, played, firstSeenAt));
  const readings = slack.shown.flatMap(readingsIn);
  const rows = new Map(last?.incidents.map((incident) => [incident.id, incident]));
  const digests = [...owners].flatMap(([id, { owner, kind }]) =>
    kind === 'digest' && owner !== null ? [[id, owner] as const] : [],
  );
  return {
    shown: slack.shown,
    readings: readings.map((each) => ({ ...each, incident: again.get(each.incident) ?? each.incident })),
    watchOf: new Map(digests),
    aboutOf,
    moments,
    done,
    takesDirectMessages: (person) => person !== UNREACHABLE || !world.has('direct-messages-refused'),
    mayBeSingle: new Set(
      [...rows.values()].flatMap((row) => (row.isRecipientFault || row.isFaultUnknown ? [row.id] : [])),
    ),
    deletedAt: new Map(
      slack.messages.flatMap(({ deliveryId, deletedAt }) => (deletedAt === null ? [] : [[deliveryId, deletedAt]])),
    ),
    provenAt: (id, failures) => deliveredAgainAt(played, rows.get(id), failures),
    withinMs,
    excuses,
    lost: played.failover,
    end: story.end,
    isHistoryRead: !world.has('no-history'),
    blurMs: blurMsIn(world),
    replicasApartMs: replicasApartMsIn(world),
    isCountable: !UNCOUNTABLE.some((name) => world.has(name)),
    isEditable: !world.has('edits-refused') && played.clockStepAt === null,
  };
}

/** What the database lost is recorded again with other numbers: the new ones, by the lost. */
function numbersAgain({ samples, failover }: Played): ReadonlyMap<number, number> {
  if (failover === null) return new Map();
  const restored = samples.filter(({ at }) => at > failover.to).flatMap(({ incidents }) => incidents);
  const kept = new Set(restored.map(({ id }) => id));
  const lost = samples.flatMap(({ incidents }) => incidents.filter(({ id }) => !kept.has(id)));
  return new Map(
    lost.flatMap(({ id, key }) => {
      const again = restored.find((incident) => incident.key === key && incident.id > id);
      return again === undefined ? [] : [[id, again.id] as const];
    }),
  );
}

function renumbered(sample: Sample, again: ReadonlyMap<number, number>): Sample {
  const numberOf = (id: number) => again.get(id) ?? id;
  return {
    ...sample,
    incidents: sample.incidents.map((incident) => ({ ...incident, id: numberOf(incident.id) })),
    outbreaks: sample.outbreaks.map((each) => ({ ...each, incidentId: numberOf(each.incidentId) })),
    failures: sample.failures.map((each) => ({ ...each, incidentId: numberOf(each.incidentId) })),
    subjects: sample.subjects.map((each) => ({
      ...each,
      subject: `${INCIDENT}${numberOf(Number(each.subject.slice(INCIDENT.length)))}`,
    })),
  };
}

/** More than the longest jump of a clock, or the furthest that replicas' clocks are apart. */
function blurMsIn(world: Played['world']): number {
  if (CLOCKS_THAT_JUMP.some((name) => world.has(name))) return 2 * HOUR;
  return replicasApartMsIn(world);
}

/** Each is ahead or behind, and something takes its time. */
const replicasApartMsIn = (world: Played['world']): number =>
  world.has('replica-clocks') ? 2 * MOST_AHEAD_MS + 30 * SECOND : 0;

/** A sample in true time: its rows say what failed, when, and in which incident and outbreak; the story, from when on it is critical. */
function momentOf(sample: Sample, played: Played, firstSeenAt: Map<string, number>): Moment {
  const { at, failures, incidents } = sample;
  const lastSampleAt = played.samples.findLast((other) => other.at < at)?.at ?? 0;
  for (const row of failures) {
    const recordedAt = row.recordedAt.getTime() - played.ourAheadMs(at);
    // Whatever our clock said, it was recorded between the last sample and this one.
    if (!firstSeenAt.has(keyOf(row))) firstSeenAt.set(keyOf(row), Math.max(lastSampleAt, Math.min(at, recordedAt)));
  }
  const then = incidents
    .filter(({ verdictClass }) => verdictClass === 'announced')
    .map((incident): [number, IncidentThen] => [incident.id, incidentIn(sample, incident, played, firstSeenAt)]);
  const failureByKey = new Map(failures.map((row) => [keyOf(row), row]));
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  const watches = sample.watches
    .filter(({ endedAt }) => endedAt === null)
    .map(({ id, channel, settings }): [string, WatchThen] => {
      const covers = (incident: number, { id: key }: FailureThen) => {
        const [row, its] = [failureByKey.get(key), byId.get(incident)];
        return row !== undefined && its !== undefined && isCovered(settings, its, row);
      };
      const { escalateMs, everyMs, threshold } = settings;
      const held = [-MARGIN, -MINUTE, 0, MINUTE, MARGIN].map((ms) => isHeldAt(id, settings, played, at + ms));
      return [
        id,
        {
          channel,
          escalateMs,
          everyMs,
          covers,
          settings: JSON.stringify(settings),
          isThresholdReached: (some) => threshold === null || (threshold.rate === null && isDense(some, threshold)),
          isWhole: Object.values(settings.filter).every((wanted) => wanted.length === 0),
          mayBeHeld: held.includes(true),
          isSurelyHeld: !held.includes(false),
        },
      ];
    });
  return { at, incidents: new Map(then), watches: new Map(watches) };
}

/** What failed between two outbreaks belongs to the later one if that began within an hour after it, else to the earlier one. */
function incidentIn(
  sample: Sample,
  incident: Incident,
  played: Played,
  firstSeenAt: ReadonlyMap<string, number>,
): IncidentThen {
  const { id, outbreak, state } = incident;
  const its = sample.outbreaks.filter(({ incidentId }) => incidentId === id);
  const [newest, before] = [
    its.find(({ number }) => number === outbreak),
    its.find(({ number }) => number === outbreak - 1),
  ];
  const endedAt = before?.endedAtService?.getTime() ?? Number.NEGATIVE_INFINITY;
  const from = before === undefined ? endedAt : Math.max(endedAt + 1, (newest?.beganAt.getTime() ?? 0) - HOUR);
  const rows = sample.failures.filter(({ incidentId }) => incidentId === id);
  const failuresIn = (some: readonly Row[]) =>
    some.map((row) => failureOf(row, played, firstSeenAt.get(keyOf(row)) ?? sample.at));
  const failures = failuresIn(rows.filter(({ occurredAt }) => occurredAt.getTime() >= from));
  const earlier = failuresIn(rows.filter(({ occurredAt }) => occurredAt.getTime() < from));
  const ended = newest?.ending === 'recovered' ? newest.endedAt : null;
  return {
    state,
    outbreak,
    failures,
    earlier,
    endedAt: ended && ended.getTime() - played.ourAheadMs(sample.at),
  };
}

const failureOf = (
  { eventKey, jobId, occurredAt, subscriberId, workflow, critical }: Row,
  { service, story }: Played,
  at: number,
): FailureThen => ({
  id: keyOf({ eventKey, jobId }),
  at,
  failedAt: occurredAt.getTime() - service.skewAt(occurredAt.getTime()),
  person: subscriberId ?? '',
  workflow: workflow ?? '',
  critical,
  labeledAt: eventIn(story.events, jobId)?.labelsFrom ?? 0,
});

/** By what the filter names; a workflow has an identifier and a name. */
function isCovered({ filter }: WatchSettings, { channel, provider }: Incident, row: Row): boolean {
  const isAmong = (names: readonly (string | null)[], wanted: readonly string[]) =>
    wanted.length === 0 || names.some((name) => name !== null && wanted.includes(name));
  return (
    isAmong([channel], filter.channels) &&
    isAmong([provider], filter.providers) &&
    isAmong([row.workflow, row.workflowName], filter.workflows) &&
    isAmong(row.topics, filter.topics) &&
    isAmong(row.tags, filter.tags)
  );
}

function isDense(some: readonly FailureThen[], { failures: least, withinMs }: { failures: number; withinMs: number }) {
  const times = some.map(({ failedAt }) => failedAt).sort((a, b) => a - b);
  return times.some(
    (time, index) => (times[index + least - 1] ?? Number.POSITIVE_INFINITY) - time <= withinMs - MARGIN,
  );
}

function isHeldAt(watchId: string, { quiet }: WatchSettings, { done, ourAheadMs }: Played, at: number): boolean {
  const mute = done.findLast(
    (act) => act.what === 'muted' && act.watchId === watchId && act.incidentId === null && act.at <= at,
  );
  if ((mute?.until ?? 0) > at) return true;
  if (quiet === null) return false;
  const minute = Math.floor((at + ourAheadMs(at)) / MINUTE) % DAY_MINUTES;
  const { from, to } = quiet;
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** A step takes so long. */
const STEP_MS = 3 * SECOND;

function eventIn(events: readonly StoryEvent[], jobId: string): StoryEvent | undefined {
  const number = Number(/job-(\d+)/.exec(jobId)?.[1]);
  return events.find(({ index }) => index === number);
}

/** Bounces and stuck steps are over by time alone, as recipients' own trouble is; where details named another cause first, or none, the end isn't judged. */
const isEndFree = ({ fate, before }: StoryEvent) => fate === 'bounced' || fate === 'stuck' || before !== null;

/** When the last of the failed workflows delivered again; 0 if the end is free, or the story lacks one of the failures. */
function deliveredAgainAt({ story }: Played, incident: Incident | undefined, failures: readonly FailureThen[]): number {
  const events = failures.flatMap(({ id }) => eventIn(story.events, id) ?? []);
  if (incident === undefined || incident.isRecipientFault || events.some(isEndFree)) return 0;
  if (events.length < failures.length) return 0;
  const workflows = new Map<string, number>();
  for (const { workflow, failedAt } of failures)
    workflows.set(workflow, Math.max(failedAt, workflows.get(workflow) ?? 0));
  const againAt = [...workflows].map(([workflow, failedAt]) => {
    const sent = story.events.filter(
      (event) =>
        event.workflow.identifier === workflow &&
        event.workflow.channel === incident.channel &&
        DELIVERED_FATES.includes(event.fate) &&
        event.createdAt + STEP_MS >= failedAt - MINUTE,
    );
    return Math.min(...sent.map(({ createdAt, listedAt }) => Math.max(createdAt, listedAt)));
  });
  return Math.max(0, ...againAt);
}
