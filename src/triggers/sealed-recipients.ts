import type { Seal } from '../lib/seal.ts';
import { MASK } from '../lib/text/mask.ts';
import { isContact } from '../lib/text/shown-id.ts';
import type { Store } from '../store/store.ts';
import type { TriggerIntent } from './follow.ts';

/** Wraps a store so that it has the recipients of triggers encrypted if their IDs are contacts: they are needed until all are sent. */
export function withSealedRecipients(store: Store, seal: Seal): Store {
  const { triggers } = store;
  const opened = <Row extends { readonly intent: TriggerIntent }>(row: Row): Row => ({
    ...row,
    intent: withIds(row.intent, (id) => openedId(id, seal)),
  });
  return {
    ...store,
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

const SEALED = 'sealed:';

function withIds(intent: TriggerIntent, change: (id: string) => string): TriggerIntent {
  const recipients = intent.recipients.map((one) => ({ ...one, subscriberId: change(one.subscriberId) }));
  return { ...intent, recipients };
}

/** An ID sealed under another bot token stays masked. */
function openedId(id: string, seal: Seal): string {
  return id.startsWith(SEALED) ? (seal.open(id.slice(SEALED.length)) ?? MASK) : id;
}
