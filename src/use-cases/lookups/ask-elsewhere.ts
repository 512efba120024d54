import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Call } from '../../domain/service/query.ts';

export interface AskElsewhereParts {
  readonly environments: readonly Environment[];
  readonly logger: Logger;
}

/** The answer is complete without this, so the person who asked doesn't wait longer. */
const LONGEST_WAIT_MS = 2_000;

/** Returns the environments other than `not` for which `knows` returns true. One that is slow or fails doesn't count and is logged. */
export async function askElsewhere(
  knows: (environment: string, call: Call) => Promise<boolean>,
  not: Environment,
  parts: AskElsewhereParts,
): Promise<Environment[]> {
  const others = parts.environments.filter((environment) => environment.name !== not.name);
  const ask = (name: string) => askInTime((call) => knows(name, call), name, parts.logger);
  const known = await Promise.all(others.map(({ name }) => ask(name)));
  return others.filter((_, index) => known[index] === true);
}

/** Returns an environment's answer if it comes within two seconds; null, and logged, if it is slow or can't be asked. */
export async function askInTime<Answer>(
  ask: (call: Call) => Promise<Answer>,
  environment: string,
  logger: Logger,
): Promise<Answer | null> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  try {
    return await ask({ who: 'person', signal });
  } catch (error) {
    if (!(error instanceof ServiceError) && error !== signal.reason) throw error;
    logger.warn(
      { environment, err: error },
      'an environment could not be asked for something that an answer can do without',
    );
    return null;
  }
}
