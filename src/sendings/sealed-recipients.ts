import { eq, sql } from 'drizzle-orm';
import type { Seal } from '../lib/seal.ts';
import { MASK } from '../lib/text/mask.ts';
import { boundedId, isContact, maskedId, type Storable } from '../lib/text/shown-id.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { erasedAmong } from '../store/erased.ts';
import type { Sending } from './sending-rows.ts';
import { type Recipient, triggers } from './tables.ts';

const SEALED = 'sealed:';
/** Older recipients don't say how a sealed one is shown. */
const SEALED_UNSHOWN = `$[*] ? (!exists(@.shownId) && @.subscriberId starts with "${SEALED}")`;

export function recipientOf(id: string, row: number, seal: Seal): Recipient {
  return { subscriberId: (isContact(id) ? `${SEALED}${seal.close(id)}` : id) as Storable, shownId: maskedId(id), row };
}

export function unsealed({ subscriberId: id }: Recipient, seal: Seal): string {
  return id.startsWith(SEALED) ? (seal.open(id.slice(SEALED.length)) ?? MASK) : id;
}

/** Returns those who were erased while it ran, as they are shown. */
export async function erasedRecipients(tx: Db, { id }: Pick<Sending, 'id'>, now: Date): Promise<readonly string[]> {
  const rows = await tx.select().from(triggers).where(eq(triggers.sending, id));
  const shown = rows.flatMap(({ recipients }) => recipients.map(({ shownId }) => shownId));
  const erased = await erasedAmong(tx, shown.map(boundedId), now);
  return shown.filter((shownId) => erased.has(boundedId(shownId)));
}

/**
 * Erases a person from finished sendings, which no longer need their recipients. A contact is found as it is shown, since it's
 * sealed. Returns how many rows had them.
 */
export function eraseRecipients(tx: Db, shownId: string): Promise<number> {
  return tx.write(sql`
    UPDATE triggers
    SET recipients = '[]', why = NULL
    WHERE closed_at IS NOT NULL
      AND (
        recipients @> ${jsonOf([{ shownId }])}::jsonb
        OR recipients @> ${jsonOf([{ subscriberId: shownId }])}::jsonb
        OR recipients @? ${SEALED_UNSHOWN}::jsonpath
      )`);
}
