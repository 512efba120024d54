import type { Environment } from '../domain/environment.ts';
import { ServiceError } from '../domain/errors.ts';
import type { LookupTarget } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { Call } from '../domain/query.ts';
import type { EventLookup } from './look-up-event.ts';

export interface ElsewhereParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => Pick<EventLookup, 'retrieveEvent' | 'eventPages'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Somebody waits for an answer that is complete without this. */
const LONGEST_WAIT_MS = 2_000;

/** The environments but `not` that know an id. One that can't be asked or is slow does not count, and is logged. */
export async function findElsewhere(
  target: LookupTarget,
  not: Environment,
  parts: ElsewhereParts,
): Promise<Environment[]> {
  const others = parts.environments.filter((environment) => environment.name !== not.name);
  const known = await Promise.all(others.map((environment) => knows(target, environment, parts)));
  return others.filter((_, index) => known[index]);
}

async function knows(target: LookupTarget, { name }: Environment, parts: ElsewhereParts): Promise<boolean> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const call: Call = { who: 'person', signal };
  const service = parts.serviceOf(name);
  try {
    if (target.kind === 'event' && (await service.retrieveEvent(target.id, call)) !== null) return true;
    const query = { transactionId: target.id, before: parts.now(), limit: 1 };
    for await (const page of service.eventPages(query, call)) return page.items.length + page.unreadable.length > 0;
    return false;
  } catch (error) {
    if (!(error instanceof ServiceError) && error !== signal.reason) throw error;
    parts.logger.warn({ environment: name, err: error }, 'another environment could not be asked for an id');
    return false;
  }
}
