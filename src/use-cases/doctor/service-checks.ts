import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import { explainServiceProblem } from '../../domain/health/explain.ts';
import { isSending } from '../../domain/lookups/integrations-found.ts';
import { isChannel, type TriggeredEvent } from '../../domain/service/event.ts';
import { type Integration, ownEnvironmentId } from '../../domain/service/integration.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import { advice, type Check, type Finding, problem, words } from './check.ts';
import { CLOCK_OFF_MS } from './slack-checks.ts';

export interface ServiceChecksParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => {
    listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
    listIntegrations(call: Call): Promise<Page<Integration>>;
    clockAheadMs(): number | null;
  };
}

const EVENTS_READ = 50;

export function serviceChecks({ environments, serviceOf }: ServiceChecksParts): Check[] {
  return environments.map((environment) => ({
    subject: `${environment.label}: Service`,
    look: async (signal) => {
      const service = serviceOf(environment.name);
      const call: Call = { who: 'person', signal };
      try {
        const events = await service.listEvents({ limit: EVENTS_READ }, call);
        const { items } = await service.listIntegrations(call);
        return [
          ...unreadable(events.unreadable.length),
          ...clock(service.clockAheadMs() ?? 0),
          ...integrations(events.items, items),
        ];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const { what, next } = explainServiceProblem(error, environment);
        return [problem(what, next)];
      }
    },
  }));
}

function unreadable(count: number): Finding[] {
  if (count === 0) return [];
  const next = "The log says which fields aren't what the contract says: contact the service's owners.";
  return [advice(`${count} of the newest ${EVENTS_READ} events couldn't be read.`, next)];
}

function clock(aheadMs: number): Finding[] {
  if (Math.abs(aheadMs) < CLOCK_OFF_MS) return [];
  const off = `${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  const next = "If Slack's clock agrees with Notif's, contact the service's owners; otherwise set the machine's clock.";
  return [problem(`The service's clock is ${off} Notif's.`, next)];
}

/** Each channel in the newest events needs an active integration, and bounces of emails come only by an inbound webhook. */
function integrations(events: readonly TriggeredEvent[], listed: readonly Integration[]): Finding[] {
  const named = events.find(({ serviceEnvironmentId }) => serviceEnvironmentId !== null)?.serviceEnvironmentId ?? null;
  const home = ownEnvironmentId(listed, named);
  if (home === null) return [];
  const known = listed.filter((one) => one.serviceEnvironmentId === home && !one.deleted);
  const used = new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)).filter(isChannel));
  const unserved = [...used].filter((channel) => !known.some((one) => one.channel === channel && isSending(one)));
  // A service that doesn't mention the webhook may well have one.
  const deaf = known.filter((one) => one.channel === 'email' && isSending(one) && one.inboundWebhook === false);
  return [
    ...unserved.map((channel) =>
      problem(
        `Workflows send by ${channel}, but no integration for it is active.`,
        "Add or activate one in the service's dashboard.",
        words(known.filter((one) => one.channel === channel).map(({ name }) => name)),
      ),
    ),
    ...(deaf.length === 0
      ? []
      : [
          advice(
            'Bounces are never reported for email sent with',
            "Turn its inbound webhook on in the service's dashboard, and enter the address at the provider.",
            words(deaf.map(({ name }) => name)),
          ),
        ]),
  ];
}
