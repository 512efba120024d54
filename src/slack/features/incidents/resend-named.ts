import { InputError } from '../../../lib/errors.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { IncidentRef } from '../../../lib/input/typed-values.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { failedNamed } from '../../../sendings/sending.ts';
import type { Db } from '../../../store/db.ts';
import { MOST_PICKED } from './resend-choices.ts';

interface NamedEvents {
  ref: IncidentRef;
  eventKeys: readonly string[];
}

/** The incident that all of the typed events and transactions are part of. */
export async function brokenNamed(db: Db, environment: string, typed: readonly string[]): Promise<NamedEvents> {
  const ids = [...new Set(typed)];
  if (ids.length > MOST_PICKED) throw tooMany(`${ids.length} IDs`, '#17');
  const named = await failedNamed(db, environment, ids);
  const unknown = ids.filter((id) => !named.some((event) => event.id === id));
  if (unknown.length > 0) {
    const what = `No failure of ${unknown.map(maskedId).join(', ')} is kept in ${environment}.`;
    const next = 'Look it up: /notif event <ID>. Its card sends again what is no failure.';
    throw new InputError('event', what, null, next);
  }
  const incidents = groupBy(named, ({ incidentId }) => incidentId);
  const common = [...incidents].find(([, events]) => new Set(events.map(({ id }) => id)).size === ids.length);
  if (common === undefined) {
    const numbers = [...incidents.keys()].map((id) => `#${id}`).join(', ');
    throw new InputError(
      'event',
      `They are of several incidents: ${numbers}.`,
      null,
      'Send each incident’s by itself.',
    );
  }
  const [incidentId, events] = common;
  const eventKeys = [...new Set(events.map(({ eventKey }) => eventKey))];
  if (eventKeys.length > MOST_PICKED) throw tooMany(`${eventKeys.length} notifications`, `#${incidentId}`);
  return { ref: { incidentId, code: null }, eventKeys };
}

const tooMany = (named: string, incident: string): InputError =>
  new InputError('event', `${named}, but at most ${MOST_PICKED} at once.`, `/notif resend ${incident}`);
