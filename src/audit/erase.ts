import { keptId } from '../failures/filter.ts';
import type { Db } from '../store/db.ts';
import { record } from './audit.ts';

/** A failure's row stays, since its event may be read again. Returns how many rows named the subscriber. */
export function eraseSubscriber(db: Db, subscriberId: string, now: Date): Promise<number> {
  const id = keptId(subscriberId);
  const inText = `(?<![\\w-])${id.replace(/[^\p{L}\p{N}_]/gu, '\\$&')}(?![\\w-])`;
  return db.transaction(async (tx) => {
    let rows = (await tx.write(FAILURES, [id])) + (await tx.write(WATCHES, [id]));
    for (const statement of [...TEXTS, CAUSES]) rows += await tx.write(statement, [inText]);
    await tx.write(TRIGGERS);
    await record(tx, { by: 'npm run erase', now }, { channel: null, environment: null, change: { action: 'erased' } });
    return rows;
  });
}

const FAILURES = `
  UPDATE failures SET subscriber_id = NULL, transaction_id = coalesce(event_id, ''), topics = '{}', contexts = '{}', tags = '{}'
  WHERE subscriber_id = $1`;

/** A filter that names nobody would match everybody. */
const WATCHES = `
  UPDATE watches SET settings = jsonb_set(settings, '{filter,subscribers}', (settings #> '{filter,subscribers}') - $1::text || '"erased"')
  WHERE settings #> '{filter,subscribers}' ? $1`;

const TEXTS = [
  'audit.change.subscriberId',
  'audit.change.watch',
  'audit.change.text',
  'messages.content.event.text',
  'kv.value.lastRefusal',
].map((typed) => {
  const [table, column, ...path] = typed.split('.');
  const text = `${column} #>> '{${path}}'`;
  const erased = `regexp_replace(${text}, $1, 'erased', 'g')`;
  return `UPDATE ${table} SET ${column} = jsonb_set(${column}, '{${path}}', to_jsonb(${erased})) WHERE ${text} ~ $1`;
});

const CAUSES = `
  UPDATE incidents SET cause_text = regexp_replace(cause_text, $1, 'erased', 'g'), cause_key = regexp_replace(cause_key, $1, 'erased', 'gi')
  WHERE cause_text ~ $1 OR cause_key ~* $1`;

/** Those of finished tests, and of what was sent again, are read no more. Some are sealed, so everybody's go. */
const TRIGGERS = `UPDATE triggers SET recipients = '[]', why = NULL WHERE closed_at IS NOT NULL`;
