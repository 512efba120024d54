import { namesakesOf } from '../coverage/environment-names.ts';
import { environmentOf } from '../coverage/environments.ts';
import type { Environment } from '../lib/environment.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import { inTime } from '../lib/time/waiting.ts';
import { type IntegrationsFound, isSending, listIntegrations } from '../lookups/integrations.ts';
import { channelName } from '../service/channels.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Integration } from '../service/lists.ts';
import { failedRequest } from '../service/problem-words.ts';
import { PAGE_SIZE, PERSON } from '../service/query.ts';
import { orServiceError, ServiceError } from '../service/service-error.ts';
import type { DoctorCtx } from './doctor.ts';
import { advice, type Finding, problem, unknown } from './finding.ts';
import type { EnvironmentStatus } from './status.ts';
import { clockFindings } from './token-findings.ts';

/** Less than a check may take: what polls found is known in any case. */
const SERVICE_ANSWERS_MS = 8_000;

export async function serviceFindings(
  environment: Environment,
  statuses: readonly EnvironmentStatus[],
  ctx: DoctorCtx,
): Promise<readonly Finding[]> {
  const service = ctx.serviceOf(environment.name);
  const events = orServiceError(service.listEvents({ limit: PAGE_SIZE }, PERSON));
  const listed = orServiceError(listIntegrations(service, { channels: [], providers: [] }));
  const [answer, integrations] = await Promise.all([
    inTime(events, SERVICE_ANSWERS_MS, null, ctx.sleep),
    inTime(listed, SERVICE_ANSWERS_MS, null, ctx.sleep),
  ]);
  if (answer instanceof ServiceError) {
    const { what, next } = failedRequest(answer, environment);
    return [problem(what, next)];
  }
  const late = unknown("The service didn't answer within 8 s.", 'Try again in a minute.');
  const howToSet =
    "If Slack's clock differs, too, set the machine's by a time server (NTP); else contact the service's owners.";
  return [
    ...(await namesakeFindings(environment, ctx)),
    ...(answer === null ? [late] : []),
    ...pollingFindings(statuses.filter((status) => status.environment === environment)),
    ...clockFindings({ ours: "Notif's clock", theirs: "the service's" }, service.clockAheadMs(), howToSet),
    ...integrationProblems(environment, answer?.items ?? [], integrations),
  ];
}

/** Other names of this environment: both may have been read before Notif knew environments by their IDs. */
async function namesakeFindings(
  { name, apiKeyVariable }: Environment,
  { db, environments }: DoctorCtx,
): Promise<readonly Finding[]> {
  const known = await environmentOf(db, name);
  if (known?.serviceEnvironmentId == null || known.lastSuccessAt === null) return [];
  const namesakes = await namesakesOf(db, name, known.serviceEnvironmentId);
  const listed = environments.filter((each) => namesakes.includes(each.name));
  const next = `Check ${apiKeyVariable}, or remove one of them from NOTIF_ENVIRONMENTS.`;
  return listed.map(({ label }) => problem(`Its API key is that of ${label}, too: its events are read twice.`, next));
}

/** Channels that workflows use and nothing sends by, and bounces of which nobody will hear. */
export function integrationFindings(
  events: readonly TriggeredEvent[],
  { items, inactiveChannels }: IntegrationsFound,
): readonly Finding[] {
  const used = new Set(events.flatMap(({ jobs }) => jobs.map(({ type }) => type)));
  const add = "Add or activate one in the service's dashboard.";
  const missing = inactiveChannels
    .filter((channel) => used.has(channel))
    .map((channel) => {
      const what = `Workflows send by ${channelName(channel)}, but no integration for it is active:`;
      return problem(what, add, namesOf(items.filter((integration) => integration.channel === channel)));
    });
  const deaf = items.filter((item) => isSending(item) && item.channel === 'email' && item.inboundWebhook === false);
  const webhook = "Turn its inbound webhook on in the service's dashboard, and enter it at the provider.";
  const unheard = advice('Bounces are never reported for email sent with:', webhook, namesOf(deaf));
  return deaf.length === 0 ? missing : [...missing, unheard];
}

const namesOf = (integrations: readonly Integration[]) =>
  integrations.map(({ name }) => ({ kind: 'word' as const, id: maskedId(name) }));

function integrationProblems(
  environment: Environment,
  events: readonly TriggeredEvent[],
  found: IntegrationsFound | ServiceError | null,
): readonly Finding[] {
  if (found instanceof ServiceError) {
    const { what, next } = failedRequest(found, environment);
    return [unknown(`Its integrations are unknown. ${what}`, next)];
  }
  return found === null ? [] : integrationFindings(events, found);
}

export function pollingFindings(statuses: readonly Pick<EnvironmentStatus, 'condition'>[]): Finding[] {
  return statuses.flatMap(({ condition: { is, words, what, next } }) => {
    if (is === 'fine') return [];
    const todo = next || 'Nothing to do; /notif status shows progress.';
    return [{ is, what: what || words, next: todo, about: [] }];
  });
}
