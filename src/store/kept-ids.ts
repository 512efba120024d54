import type { Seal } from '../domain/access/seal.ts';
import { asKept, keptContexts, keptTags } from '../domain/failures/failure-filter.ts';
import type { KeepId } from '../domain/text/kept-id.ts';
import { MASK } from '../domain/text/mask.ts';
import { isContact } from '../domain/text/shown-id.ts';
import type { Reading } from '../use-cases/polling/record-events.ts';
import type { TriggerIntent } from '../use-cases/triggers/trigger-events.ts';
import type { Store } from './store.ts';

export interface IdSecrets {
  readonly keepId: KeepId;
  /** Encrypts the recipients of triggers, whose IDs are needed until the triggers are done. */
  readonly seal: Seal;
}

/**
 * Wraps a store so that no subscriber ID that is contact data reaches it, and no contact or secret in a context or tag: those of failures are
 * stored masked but still found by the whole; recipients of triggers are encrypted. Those of watches are masked as soon as they are parsed
 * (`parseWatchSettings`).
 */
export function withKeptIds(store: Store, { keepId, seal }: IdSecrets): Store {
  const { polling, incidents, triggers } = store;
  const opened = <Row extends { readonly intent: TriggerIntent }>(row: Row): Row => ({
    ...row,
    intent: withIds(row.intent, (id) => openedId(id, seal)),
  });
  return {
    ...store,
    polling: {
      ...polling,
      record: (cursor, reading, now) => polling.record(cursor, keptReading(reading, keepId), now),
      failuresIn: (environment, range, coverage, filter) =>
        polling.failuresIn(environment, range, coverage, asKept(filter, keepId)),
      countedIn: (environment, buckets, subject) =>
        polling.countedIn(
          environment,
          buckets,
          subject.is === 'filter' ? { ...subject, filter: asKept(subject.filter, keepId) } : subject,
        ),
    },
    incidents: {
      ...incidents,
      history: (query, now) => incidents.history({ ...query, filter: asKept(query.filter, keepId) }, now),
    },
    triggers: {
      ...triggers,
      claimIntent: (intent, entry) =>
        triggers.claimIntent(
          withIds(intent, (id) => (isContact(id) ? `${SEALED}${seal.close(id)}` : id)),
          entry,
        ),
      keptTrigger: async (intentId) => {
        const kept = await triggers.keptTrigger(intentId);
        return kept && opened(kept);
      },
      unfinishedIntents: async (newerThan) => (await triggers.unfinishedIntents(newerThan)).map(opened),
    },
  };
}

function keptReading(reading: Reading, keepId: KeepId): Reading {
  // The failures of an event share their lists of labels.
  const kept = new Map<readonly string[], readonly string[]>();
  const once = (labels: readonly string[], keep: typeof keptTags): readonly string[] => {
    const known = kept.get(labels) ?? keep(labels, keepId);
    kept.set(labels, known);
    return known;
  };
  const failures = reading.failures.map((failure) => ({
    ...failure,
    subscriberId: failure.subscriberId === null ? null : keepId(failure.subscriberId),
    contexts: once(failure.contexts, keptContexts),
    tags: once(failure.tags, keptTags),
  }));
  return { ...reading, failures };
}

const SEALED = 'sealed:';

function withIds(intent: TriggerIntent, change: (id: string) => string): TriggerIntent {
  const recipients = intent.recipients.map((one) => ({ ...one, subscriberId: change(one.subscriberId) }));
  return { ...intent, recipients };
}

/** An ID sealed under another bot token stays masked. */
function openedId(id: string, seal: Seal): string {
  return id.startsWith(SEALED) ? (seal.open(id.slice(SEALED.length)) ?? MASK) : id;
}
