import { max, min } from 'date-fns';
import { type Candidate, canBeSingle, decide, messageOf, reasonsFor } from '../../src/digests/decide.ts';
import { isReached } from '../../src/digests/threshold.ts';
import { TRACKED } from '../../src/failures/judge.ts';
import { isAmong } from '../../src/lib/fold.ts';
import { minuteOf } from '../../src/lib/time/durations.ts';
import { SILENCED } from '../../src/outbox/claims.ts';
import { isSilenced } from '../../src/watches/mutes.ts';
import { mayCover, notifiesFor, type Watch } from '../../src/watches/settings.ts';
import type { Stretch } from './facts.ts';
import type { Sample } from './samples.ts';

type Incident = Sample['incidents'][number];
type Failure = Sample['failures'][number];
type Alert = Sample['alerts'][number];

/** An incident that a watch had to alert to, by the product's own rules, from one time on to another. */
export interface Owed extends Stretch {
  watch: string;
  words: string;
}

/** Which events the service had created until a sample, by the minute and workflow; null where Notif can't count them all. */
export type CountEvents = ((at: number, workflows: ReadonlySet<string>) => Map<number, number>) | null;

/** The failures that a watch is for: the settings of when one was recorded decide, and incidents that wait when they change are `held`. */
interface Wanting {
  seqs: Set<number>;
  notifiesAfter: number;
  held: ReadonlySet<number>;
}

/** Follows what each watch owes from sample to sample. Something is alerted once no more is recorded than its newest alert says. */
export function owedIn(samples: readonly Sample[], countEvents: CountEvents): { owed: Owed[]; wanted: WantedSeqs } {
  const wanting = new Map<string, Wanting>();
  const open = new Map<string, Owed>();
  const owed: Owed[] = [];
  let before: Sample | null = null;
  let waiting = new Map<string, number>();
  for (const sample of samples) {
    const due = new Map<string, Pick<Owed, 'watch' | 'words'>>();
    const waits = new Map<string, number>();
    for (const watch of sample.watches) {
      const wanted = follow(wanting.get(watch.id), watch, sample, before, countEvents);
      wanting.set(watch.id, wanted);
      const { posts, lines, now, notifiedAt } = decidedOf(watch, wanted, sample, countEvents);
      for (const candidate of [...lines, ...posts]) {
        const { incident, reason, as } = candidate;
        const key = `${watch.id} ${incident.id}`;
        const since = waiting.get(key) ?? sample.at;
        waits.set(key, since);
        // What waits joins a message that is posted for something else.
        const isDue = as === 'line' || now.includes(candidate) || notifiedAt > since;
        const words = `#${incident.id} (${incident.channel} · ${incident.causeText}, ${reason} as a ${as})`;
        if (isDue) due.set(key, { watch: watch.channel, words });
      }
    }
    waiting = waits;
    for (const [key, stretch] of open) if (!due.has(key)) open.delete(key) && owed.push(stretch);
    for (const [key, words] of due) open.set(key, { from: sample.at, ...open.get(key), ...words, to: sample.at });
    before = sample;
  }
  return { owed: [...owed, ...open.values()], wanted: (watchId) => wanting.get(watchId)?.seqs ?? new Set() };
}

export type WantedSeqs = (watchId: string) => ReadonlySet<number>;

function follow(known: Wanting | undefined, watch: Watch, sample: Sample, before: Sample | null, events: CountEvents) {
  const old = before?.watches.find(({ id }) => id === watch.id) ?? watch;
  const seqs = new Set(known?.seqs);
  const seen = new Set(before?.failures.map(({ seq }) => seq));
  for (const failure of sample.failures) {
    const incident = sample.incidents.find(({ id }) => id === failure.incidentId);
    const isCovered = incident && [old, watch].every((each) => covers(each, failure, incident));
    if (!seen.has(failure.seq) && isCovered) seqs.add(failure.seq);
  }
  const { notifiesAfter = 0, held = new Set<number>() } = known ?? {};
  if (before === null || known === undefined) return { seqs, notifiesAfter, held };
  const isNotifying = (watches: readonly Watch[], id: string) =>
    watches.some((other) => other.id === id && notifiesFor(other, watch));
  // Another watch's edit counts, too, if that had notified the channel of the same.
  const isLeft = before.watches.some(({ id }) => isNotifying(before.watches, id) && !isNotifying(sample.watches, id));
  if (!isLeft && JSON.stringify(old.settings) === JSON.stringify(watch.settings)) return { seqs, notifiesAfter, held };
  const waiting = candidatesOf(old, known, before, events).filter((due) => reasonsFor(due, before.now).length > 0);
  const newest = Math.max(notifiesAfter, ...sample.failures.map(({ seq }) => seq));
  return { seqs, notifiesAfter: newest, held: new Set(waiting.map(({ incident }) => incident.id)) };
}

function covers({ settings: { filter } }: Watch, failure: Failure, incident: Incident): boolean {
  return mayCover(filter, incident) && isAmong([failure.workflow, failure.workflowName], filter.workflows);
}

type PendingIncident = Candidate & { incident: Incident };

function decidedOf(watch: Watch, wanting: Wanting, sample: Sample, events: CountEvents) {
  const { now, alerts } = sample;
  const mutes = sample.mutes.filter(({ watchId }) => watchId === watch.id);
  const candidates = isSilenced(watch, mutes, now) ? [] : candidatesOf(watch, wanting, sample, events);
  const decided = candidates.flatMap((candidate) => {
    const decision = decide(candidate, now);
    return decision === null ? [] : [{ ...candidate, ...decision }];
  });
  const sent = alerts.filter(({ watchId }) => watchId === watch.id);
  // A line about what was posted takes nothing along.
  const newest = (some: typeof sent) =>
    some.length === 0 ? null : max(some.map(({ at, message }) => min([at, message.postedAt ?? at])));
  const pace = {
    everyMs: watch.settings.everyMs,
    lastNotifiedAt: newest(sent.filter(({ reason }) => reason !== 'single')),
    lastAlertAt: newest(sent),
  };
  const posts = decided.filter(({ as }) => as === 'post');
  const notifiedAt = sample.at + (pace.lastNotifiedAt ?? new Date(0)).getTime() - now.getTime();
  return { lines: decided.filter(({ as }) => as === 'line'), posts, now: messageOf(posts, pace, now), notifiedAt };
}

function candidatesOf(watch: Watch, wanting: Wanting, sample: Sample, events: CountEvents): PendingIncident[] {
  const { now, alerts } = sample;
  const notifiers = sample.watches
    .filter((other) => other.id === watch.id || notifiesFor(other, watch))
    .map(({ id }) => id);
  const isMutedNow = ({ until }: { until: Date }) => until > now;
  return sample.incidents.flatMap((incident): PendingIncident[] => {
    const { id, state, stateAt, relapses, startedSeq } = incident;
    if (!TRACKED.includes(incident.verdictClass) || incident.failures === 0) return [];
    const its = sample.failures.filter(
      (failure) => failure.incidentId === id && wanting.seqs.has(failure.seq) && covers(watch, failure, incident),
    );
    const known = alerts.filter(({ incidentId, watchId }) => incidentId === id && notifiers.includes(watchId ?? ''));
    // An alert of another watch reaches nobody while that watch is silenced.
    const hasReachedSomebody = ({ postedAt, state, lastRefusal }: Alert['message']) =>
      postedAt !== null || (state !== 'gone' && lastRefusal !== SILENCED);
    const last = known.findLast(({ watchId, message }) => watchId === watch.id || hasReachedSomebody(message)) ?? null;
    // A relapse by what the watch isn't about is nothing new to it.
    const knownTo = last === null ? 0 : Math.max(last.seq, startedSeq);
    const isPending = (seq: number) => seq > knownTo && (seq > wanting.notifiesAfter || wanting.held.has(id));
    const pending = its.filter(({ seq }) => isPending(seq));
    if (pending.length === 0 || (last === null && !wanting.held.has(id) && !isEnough(watch, its, sample, events)))
      return [];
    const mutes = sample.mutes.filter(({ watchId }) => notifiers.includes(watchId));
    const ofIncident = mutes.filter(({ incidentId }) => incidentId === id);
    const withheld = [
      ...mutes.filter(({ watchId, incidentId }) => incidentId === null && watchId === watch.id),
      ...(state === 'resolved' ? [] : ofIncident),
    ];
    const isWithheld = ({ recordedAt, seq }: Failure) =>
      seq > startedSeq && withheld.some(({ from, until }) => recordedAt >= from && recordedAt < until);
    const relapsed = its.filter(({ seq }) => seq > startedSeq);
    const notifier = sample.watches.find((other) => other.id === last?.watchId) ?? watch;
    const theirs = mutes.filter(({ watchId }) => watchId === notifier.id);
    const current = last === null && relapsed.length === 0 ? its : relapsed;
    return [
      {
        ...{ incident, state, stateAt, relapses, matched: current.length },
        critical: current.some(({ critical }) => critical),
        // Whether others are delivered meanwhile only decides what else is single.
        ...{ isSingle: canBeSingle(incident), isComplaint: false, isAcknowledged: incident.acknowledgedBy !== null },
        hasThread: notifier.settings.hasThread && !isSilenced(notifier, theirs, now),
        ...{ isMuted: ofIncident.some(isMutedNow), escalateMs: watch.settings.escalateMs },
        missed: pending.filter(isWithheld).length,
        lastAlert: last && {
          ...{ ...last, at: max([last.at, last.message.postedAt ?? last.at]), stateAt: last.stateAt ?? stateAt },
          messageState: last.message.state,
        },
      },
    ];
  });
}

/** Whether these failures reach the watch's threshold. */
function isEnough({ settings: { threshold } }: Watch, its: readonly Failure[], { at }: Sample, events: CountEvents) {
  if (threshold === null) return true;
  if (threshold.rate !== null && events === null) return false;
  const failed = its.map(({ occurredAt, eventCreatedAt }) => {
    return { minute: Number(minuteOf(occurredAt)), created: Number(minuteOf(eventCreatedAt)), failures: 1 };
  });
  const workflows = new Set(its.map(({ workflow }) => workflow ?? ''));
  const counted = [...(events?.(at, workflows) ?? [])].map(([minute, events]) => ({ minute, events }));
  const byMinute = (a: { minute: number }, b: { minute: number }) => a.minute - b.minute;
  return isReached(threshold, failed.sort(byMinute), counted.sort(byMinute));
}
