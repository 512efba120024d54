import type { IncidentRef } from '../../../incidents/incident-ref.ts';
import { InputError } from '../../../lib/errors.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { failedNamed } from '../../../sendings/resend.ts';
import type { Db } from '../../../store/db.ts';
import { MOST_PICKED } from './resend-choices.ts';

interface NamedEvents {
  ref: IncidentRef;
  eventKeys: readonly string[];
}

const tooMany = (what: string, example: string): InputError =>
  new InputError('event', `${what}, but at most ${MOST_PICKED} at once.`, example);

/** The incident that all of the typed events and transactions are part of. */
export async function brokenNamed(db: Db, environment: string, typed: readonly string[]): Promise<NamedEvents> {
  const ids = [...new Set(typed)];
  if (ids.length > MOST_PICKED) throw tooMany(`${ids.length} IDs`, '/notif resend #17');
  const named = await failedNamed(db, environment, ids);
  const unknown = ids.filter((id) => !named.some((event) => event.id === id));
  if (unknown.length > 0) {
    throw new InputError(
      'event',
      `No failure of ${unknown.map(maskedId).join(', ')} is kept in ${environment}.`,
      null,
      'Look it up: /notif event <ID>. Its card sends again what is no failure.',
    );
  }
  const incidents = groupBy(named, ({ incidentId }) => incidentId);
  const shared = [...incidents].find(([, events]) => new Set(events.map(({ id }) => id)).size === ids.length);
  if (shared === undefined) {
    const numbers = [...incidents.keys()].map((id) => `#${id}`).join(', ');
    throw new InputError(
      'event',
      `They are of several incidents: ${numbers}.`,
      null,
      'Send each incident’s by itself.',
    );
  }
  const [incidentId, events] = shared;
  const eventKeys = [...new Set(events.map(({ eventKey }) => eventKey))];
  if (eventKeys.length > MOST_PICKED)
    throw tooMany(`${eventKeys.length} notifications`, `/notif resend #${incidentId}`);
  return { ref: { incidentId, code: null }, eventKeys };
}
