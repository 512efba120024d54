import { addMilliseconds } from 'date-fns';
import type { DigestContent } from '../../domain/alerting/delivery.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import type { PostedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { silent } from '../store.testing.ts';
import type { Store } from '../store.ts';

export function seconds(count: number): Date {
  return addMilliseconds(NOON, count * 1000);
}

export async function digestAt(store: Store, now: Date, ...causes: string[]): Promise<string> {
  await goOn(store, now, ...causes);
  const [digestId = ''] = await announceFailures('production', {
    store: store.alerting,
    logger: silent,
    now: () => now,
  });
  return digestId;
}

export async function goOn(store: Store, now: Date, ...causes: string[]): Promise<void> {
  const failures = causes.map((cause) => failureOf(cause, { eventKey: `${cause} at ${now.toISOString()}` }));
  await recordFailures(store, now, failures);
}

export async function postedAt(store: Store, now: Date, ...causes: string[]): Promise<string> {
  const id = await digestAt(store, now, ...causes);
  const postedAt = addMilliseconds(now, 1000);
  await store.deliveries.claimMessage(postedAt);
  await store.deliveries.notePosted(id, { ts: '1.1', fingerprint: 'drawn first', failures: causes.length }, postedAt);
  return id;
}

export async function claimEdits(store: Store, now: Date): Promise<PostedMessage[]> {
  const claimed = await store.deliveries.claimEdit(now);
  return claimed === null ? [] : [claimed, ...(await claimEdits(store, now))];
}

export async function digestNow(store: Store, digestId: string, now: Date = NOON): Promise<DigestContent> {
  const content = await store.deliveries.content(digestId, now);
  if (content.kind !== 'digest') throw new Error(`${digestId} is a ${content.kind}`);
  return content;
}

export async function editAt(store: Store, now: Date): Promise<string | null> {
  const claimed = await store.deliveries.claimEdit(now);
  if (claimed === null) return null;
  await store.deliveries.noteEdited(claimed, { fingerprint: `drawn at ${now.toISOString()}`, failures: 0 });
  return claimed.id;
}
