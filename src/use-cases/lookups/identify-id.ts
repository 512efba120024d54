import type { Environment } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { eventIdsMeant } from '../../domain/input/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import type { FoundNothing, Identification, IdKind } from '../../domain/lookups/looked-up.ts';
import { listEnd } from '../../domain/polling/clock.ts';
import type { Call, EventQuery } from '../../domain/service/query.ts';
import { askInTime } from './ask-elsewhere.ts';
import type { EventLister } from './list-events.ts';
import type { SubscriptionReader } from './list-subscriptions.ts';
import type { EventLookup } from './look-up-event.ts';

export interface IdentifyParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => Pick<EventLookup, 'retrieveEvent'> & EventLister & SubscriptionReader;
  readonly now: () => Date;
  readonly logger: Logger;
}

type Check = (id: string, environment: string, call: Call, parts: IdentifyParts) => Promise<boolean>;

const CHECKS: { readonly [Kind in IdKind]: Check } = {
  event: async (written, environment, call, { serviceOf }) => {
    const found = eventIdsMeant(written).map((id) => serviceOf(environment).retrieveEvent(id, call));
    return (await Promise.all(found)).some((event) => event !== null);
  },
  transaction: (transactionId, environment, call, parts) => hasEvents({ transactionId }, environment, call, parts),
  subscriber: (id, environment, call, parts) => hasEvents({ subscriberIds: [id] }, environment, call, parts),
  topic: hasSubscriptions,
};

/** At most five requests to an environment, all in parallel. What isn't answered within two seconds counts as not checked. */
export async function identifyId({ target, environment }: FoundNothing, parts: IdentifyParts): Promise<Identification> {
  const others = parts.environments.filter(({ name }) => name !== environment.name);
  const questions = [environment, ...others].flatMap((one) =>
    kindsFor(target.kind === 'event', one === environment).map((kind) => ({ environment: one, kind })),
  );
  const answers = await Promise.all(
    questions.map(({ environment: { name }, kind }) =>
      askInTime((call) => CHECKS[kind](target.id, name, call, parts), name, parts.logger),
    ),
  );
  const uncheckedNames = new Set(questions.filter((_, at) => answers[at] === null).map((one) => one.environment.name));
  return {
    target,
    environment,
    meanings: questions.filter((_, at) => answers[at] === true),
    unchecked: [environment, ...others].filter(({ name }) => uncheckedNames.has(name)),
  };
}

/** Only an ID of 24 hex digits can be an event's. */
function kindsFor(mayBeEvent: boolean, isOwn: boolean): readonly IdKind[] {
  if (isOwn) return ['subscriber', 'topic'];
  return [...(mayBeEvent ? (['event'] as const) : []), 'transaction', 'subscriber', 'topic'];
}

async function hasEvents(
  query: Pick<EventQuery, 'transactionId' | 'subscriberIds'>,
  environment: string,
  call: Call,
  { serviceOf, now }: IdentifyParts,
): Promise<boolean> {
  const service = serviceOf(environment);
  const before = listEnd(now(), service.clockAheadMs());
  const page = await service.listEvents({ ...query, before, limit: 1 }, call);
  return page.items.length + page.unreadable.length > 0;
}

/** A service may return an empty page for an unknown topic: one without subscriptions can't be told apart from it. */
async function hasSubscriptions(key: string, environment: string, call: Call, { serviceOf }: IdentifyParts) {
  try {
    const page = await serviceOf(environment).listTopicSubscriptions(key, { limit: 1 }, call);
    return page !== null && page.items.length + page.unreadable.length + (page.totalCount ?? 0) > 0;
  } catch (error) {
    // A key that can't be part of a URL belongs to no topic.
    if (error instanceof InputError) return false;
    throw error;
  }
}
