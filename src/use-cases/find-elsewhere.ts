import type { Environment } from '../domain/environment.ts';
import type { LookupTarget } from '../domain/ids.ts';
import type { Call } from '../domain/query.ts';
import { type AskElsewhereParts, askElsewhere } from './ask-elsewhere.ts';
import type { EventLookup } from './look-up-event.ts';

export interface ElsewhereParts extends AskElsewhereParts {
  readonly serviceOf: (environment: string) => Pick<EventLookup, 'retrieveEvent' | 'eventPages'>;
  readonly now: () => Date;
}

/** The environments but `not` that know an id. One that can't be asked or is slow does not count, and is logged. */
export function findElsewhere(target: LookupTarget, not: Environment, parts: ElsewhereParts): Promise<Environment[]> {
  return askElsewhere((environment, call) => knows(target, environment, call, parts), not, parts);
}

async function knows({ kind, id }: LookupTarget, environment: string, call: Call, parts: ElsewhereParts) {
  const service = parts.serviceOf(environment);
  if (kind === 'event' && (await service.retrieveEvent(id, call)) !== null) return true;
  const query = { transactionId: id, before: parts.now(), limit: 1 };
  for await (const page of service.eventPages(query, call)) return page.items.length + page.unreadable.length > 0;
  return false;
}
