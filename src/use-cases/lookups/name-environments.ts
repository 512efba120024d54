import type { Environment } from '../../domain/environment.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import { type AskElsewhereParts, askInTime } from './ask-elsewhere.ts';

export interface NewestEventReader {
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
}

export interface NameEnvironmentsParts extends AskElsewhereParts {
  readonly serviceOf: (environment: string) => NewestEventReader;
}

/** Leaves out an environment that has no events, is slow or can't be asked; the last two are logged. */
export async function nameEnvironments(parts: NameEnvironmentsParts): Promise<ReadonlyMap<string, Environment>> {
  const ids = await Promise.all(parts.environments.map(({ name }) => serviceIdOf(name, parts)));
  const named = parts.environments.map((environment, index) => [ids[index] ?? null, environment] as const);
  return new Map(named.flatMap(([id, environment]) => (id === null ? [] : [[id, environment]])));
}

async function serviceIdOf(environment: string, { serviceOf, logger }: NameEnvironmentsParts): Promise<string | null> {
  const page = await askInTime((call) => serviceOf(environment).listEvents({ limit: 1 }, call), environment, logger);
  return page?.items[0]?.serviceEnvironmentId ?? null;
}
