import { keptSubscribers } from '../failures/filter.ts';
import type { Db } from '../store/db.ts';
import { record } from './audit.ts';

/** A failure's row stays, since its event may be read again, and says nothing of the subscriber. */
export function eraseSubscriber(db: Db, subscriberId: string, now: Date): Promise<number> {
  const ids = [subscriberId, ...keptSubscribers([subscriberId])];
  const literal = ids.map((id) => id.replace(/[^\p{L}\p{N}_]/gu, '\\$&')).join('|');
  const pattern = `(?<![\\w-])(${literal})(?![\\w-])`;
  return db.transaction(async (tx) => {
    let rows = 0;
    for (const id of new Set(ids)) {
      rows += await tx.write(FAILURES, [id]);
      rows += await tx.write(WATCHES, [id]);
    }
    for (const statement of [NOTES, THREADS]) rows += await tx.write(statement, [pattern]);
    await tx.write(TRIGGERS);
    await record(tx, { by: 'npm run erase', now }, { channel: null, environment: null, change: { action: 'erased' } });
    return rows;
  });
}

const FAILURES = `
  UPDATE failures SET subscriber_id = NULL, transaction_id = coalesce(event_id, 'erased'), topics = '{}', contexts = '{}', tags = '{}'
  WHERE subscriber_id = $1`;

/** A filter that names nobody would match everybody. */
const WATCHES = `
  UPDATE watches SET settings = jsonb_set(settings, '{filter,subscribers}', (settings #> '{filter,subscribers}') - $1::text || '"erased"')
  WHERE settings #> '{filter,subscribers}' ? $1`;

const NOTES = `
  UPDATE audit SET change = change || (
    SELECT jsonb_object_agg(key, regexp_replace(value, $1, 'erased', 'g')) FROM jsonb_each_text(change) WHERE ${isTyped('key')})
  WHERE EXISTS (SELECT FROM jsonb_each_text(change) WHERE ${isTyped('key')} AND value ~ $1)`;

const THREADS = `
  UPDATE messages SET content = jsonb_set(content, '{event,text}', to_jsonb(regexp_replace(content #>> '{event,text}', $1, 'erased', 'g')))
  WHERE content #>> '{event,text}' ~ $1`;

/** Nothing reads the recipients of those that are closed; some are sealed, so everybody's go. */
const TRIGGERS = `UPDATE triggers SET recipients = '[]', results = NULL WHERE closed_at IS NOT NULL AND recipients <> '[]'`;

function isTyped(key: string): string {
  return `${key} IN ('subscriberId', 'watch', 'text')`;
}
