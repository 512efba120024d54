import type { AddedFailure } from '../failures/added-failures.ts';

/** The episode of an incident that counts currently; failures after `afterSeq` belong to it. */
export interface OpenEpisode {
  readonly id: number;
  /** The incident's groups that are being counted. */
  readonly groupKeys: ReadonlySet<string>;
  readonly afterSeq: number;
}

/** What new failures add to an episode, or to a group's part of it, named like its columns. */
export interface EpisodeSum {
  readonly episode_id: number;
  readonly failures: number;
  /** Events and subscribers not counted there before. */
  readonly events: number;
  readonly subscribers: number;
  readonly first_seen: Date;
  readonly last_seen: Date;
  /** When the first and the last failed event were created. */
  readonly first_event_at: Date;
  readonly last_event_at: Date;
  readonly verdicts: readonly string[];
  readonly severities: readonly string[];
  readonly topics: readonly string[];
  readonly critical: boolean;
  readonly newest_seq: number;
  /** Of the failure recorded last. */
  readonly event_id: string | null;
  readonly transaction_id: string;
  readonly subscriber_id: string | null;
}

export interface PartSum extends EpisodeSum {
  readonly group_key: string;
}

export function sumsOf(episodes: readonly OpenEpisode[], added: readonly AddedFailure[]): EpisodeSum[] {
  return episodes.flatMap((range) => {
    const own = added.filter(({ group }) => range.groupKeys.has(group.key));
    return own.length === 0 ? [] : [sumOf(range, own, IN_INCIDENT)];
  });
}

export function partSumsOf(episodes: readonly OpenEpisode[], added: readonly AddedFailure[]): PartSum[] {
  return episodes.flatMap((range) =>
    [...range.groupKeys].flatMap((group_key) => {
      const own = added.filter(({ group }) => group.key === group_key);
      return own.length === 0 ? [] : [{ group_key, ...sumOf(range, own, IN_GROUP) }];
    }),
  );
}

/** The newest earlier failure of the same event, or subscriber, counted in the same place. */
interface Before {
  event(one: AddedFailure): number;
  subscriber(one: AddedFailure): number;
}

const IN_INCIDENT: Before = {
  event: (one) => one.eventInIncidentBefore,
  subscriber: (one) => one.subscriberInIncidentBefore,
};
const IN_GROUP: Before = { event: (one) => one.eventInGroupBefore, subscriber: (one) => one.subscriberInGroupBefore };

/** `added` must not be empty. */
function sumOf({ id, afterSeq }: OpenEpisode, added: readonly AddedFailure[], before: Before): EpisodeSum {
  const failures = added.map(({ failure }) => failure);
  const times = added.map(({ occurredAt }) => occurredAt.getTime());
  const created = added.map(({ failure, occurredAt }) => (failure.eventCreatedAt ?? occurredAt).getTime());
  const newEvents = added.filter((one) => before.event(one) <= afterSeq);
  const newSubscribers = added.filter((one) => before.subscriber(one) <= afterSeq);
  const newest = added.reduce((one, other) => (other.seq > one.seq ? other : one));
  return {
    episode_id: id,
    failures: added.length,
    events: distinct(newEvents.map(({ failure }) => failure.eventKey)).length,
    subscribers: distinct(newSubscribers.map(({ failure }) => failure.subscriberId)).length,
    first_seen: new Date(Math.min(...times)),
    last_seen: new Date(Math.max(...times)),
    first_event_at: new Date(Math.min(...created)),
    last_event_at: new Date(Math.max(...created)),
    verdicts: distinct(failures.map(({ verdict }) => verdict)),
    severities: distinct(failures.map(({ severity }) => severity)),
    topics: distinct(failures.flatMap(({ topics }) => topics)),
    critical: failures.some(({ critical }) => critical),
    newest_seq: newest.seq,
    event_id: newest.failure.eventId,
    transaction_id: newest.failure.transactionId,
    subscriber_id: newest.failure.subscriberId,
  };
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== null);
}
