import type { Environment } from '../../domain/environment.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type CheckResult, checkResult, counted, fine } from '../../domain/health/check-result.ts';
import { explainServiceProblem } from '../../domain/health/explain.ts';
import { judgeIntegrations } from '../../domain/health/judge-integrations.ts';
import type { RequestLoad } from '../../domain/health/request-load.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Integration } from '../../domain/service/integration.ts';
import type { Call, EventQuery, Page } from '../../domain/service/query.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { SetupCheck } from './examine.ts';

export interface ExaminedService {
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
  listIntegrations(call: Call): Promise<Page<Integration>>;
  clockAheadMs(): number | null;
}

export interface ExamineEnvironmentParts {
  readonly serviceOf: (environment: string) => ExaminedService;
  readonly loadOf: (environment: string) => RequestLoad;
}

/** The newest events show what is in use. */
const EVENTS_READ = 50;
const OFF_MS = 30_000;
/** With fewer left, people's lookups and the poller compete. */
const FEW_REQUESTS = 10;

/** Checks an environment's API in two requests: the key, its clock, its rate limit, and its integrations. */
export function environmentChecks(
  environment: Environment,
  { serviceOf, loadOf }: ExamineEnvironmentParts,
): SetupCheck[] {
  const service = serviceOf(environment.name);
  const subject = (matter: string) => `${environment.label}: ${matter}`;
  let asked: Promise<Page<TriggeredEvent>> | undefined;
  const events = (signal: AbortSignal) => {
    asked ??= service.listEvents({ limit: EVENTS_READ }, { who: 'person', signal });
    return asked;
  };
  return [
    {
      subject: subject('API key'),
      look: async (signal) => {
        const error = await errorOf(() => events(signal));
        if (error !== null) {
          const matter = error.problem.kind === 'key-refused' ? 'API key' : 'Service';
          return [checkResult('problem', subject(matter), explainServiceProblem(error, environment))];
        }
        const { unreadable: lost } = await events(signal);
        return [
          fine(subject('API key'), 'Accepted by the service.'),
          ...unreadableEvents(subject('Events'), lost.length),
          clockResult(subject('Clock'), service.clockAheadMs()),
          rateResult(subject('Rate limit'), loadOf(environment.name)),
        ];
      },
    },
    {
      subject: subject('Integrations'),
      look: async (signal) => {
        // The key's check already reports what keeps events from being read.
        if ((await errorOf(() => events(signal))) !== null) return [];
        const listed = service.listIntegrations({ who: 'person', signal });
        const error = await errorOf(() => listed);
        if (error !== null)
          return [checkResult('unknown', subject('Integrations'), explainServiceProblem(error, environment))];
        return judgeIntegrations(subject('Integrations'), (await events(signal)).items, await listed);
      },
    },
  ];
}

/** Returns the service's error; null if it answers. Rejects with any other error. */
async function errorOf(ask: () => Promise<unknown>): Promise<ServiceError | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function unreadableEvents(subject: string, count: number): CheckResult[] {
  if (count === 0) return [];
  const what = `${counted(count, 'event')} of the newest ${EVENTS_READ} couldn't be read.`;
  return [
    checkResult('advice', subject, {
      what,
      next: "The log says which fields are not as the contract has them: contact the service's owners.",
    }),
  ];
}

function clockResult(subject: string, aheadMs: number | null): CheckResult {
  if (aheadMs === null || Math.abs(aheadMs) < OFF_MS) {
    return fine(
      subject,
      aheadMs === null ? "The service's answers don't say what time it is." : "In step with Notif's clock.",
    );
  }
  const its = aheadMs > 0 ? 'ahead of' : 'behind';
  return checkResult('problem', subject, {
    what: `The service's clock is ${describeDuration(Math.abs(aheadMs))} ${its} Notif's.`,
    next: "If Slack's clock agrees with Notif's, contact the service's owners; otherwise set the clock of the machine that Notif runs on.",
  });
}

function rateResult(subject: string, { remaining, waitingPeople }: RequestLoad): CheckResult {
  if (remaining === null) return fine(subject, "The service's answers don't state one.");
  const left = `${counted(remaining, 'request')} left in the rate-limit window.`;
  if (remaining >= FEW_REQUESTS && waitingPeople === 0) return fine(subject, left);
  return checkResult('advice', subject, {
    what: `${left} ${counted(waitingPeople, 'request')} from people queued.`,
    next: 'If it persists, raise NOTIF_POLL_SECONDS, or get a larger rate limit from the service.',
  });
}
