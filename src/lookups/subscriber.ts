import { type ExplainCause, failureCauses } from '../causes/explain-cause.ts';
import type { JudgedEvent } from '../failures/judge.ts';
import { CHANNELS } from '../service/channels.ts';
import { PUSH_PROVIDERS } from '../service/credentials.ts';
import type { Message } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import { listEvents } from './lists.ts';
import { needsEyes, outcomeOf } from './outcome.ts';

export type FoundSubscriber = NonNullable<Awaited<ReturnType<typeof lookUpSubscriber>>>;
export type Reach = FoundSubscriber['reach'][number];

export async function lookUpSubscriber(
  ctx: { service: NotificationService; explainCause: ExplainCause; now: () => Date },
  subscriberId: string,
) {
  const [messages, { events }] = await Promise.all([
    ctx.service.listMessages({ subscriberId, limit: 1 }, PERSON),
    listEvents(ctx, { subscriberIds: [subscriberId] }, { from: 0, end: null }),
  ]);
  const [message] = messages?.items ?? [];
  if (events.length === 0 && message === undefined) return null;
  const contact = events.find(({ event }) => event.subscriber !== null)?.event.subscriber ?? null;
  // From the newest message, since no operation reads a subscriber.
  const profile = message?.subscriber ?? null;
  const profileAt = profile && (message?.createdAt ?? null);
  const reach = CHANNELS.map((channel) => {
    const [newest = null] = events.flatMap((event) => newestAt(channel, event, ctx.explainCause) ?? []);
    return { channel, providers: providersOf(channel, profile), newest };
  });
  return { subscriberId, contact, profile, profileAt, reach, events };
}

/** Only push providers have devices. */
function providersOf(channel: string, profile: Message['subscriber']) {
  return (profile?.settings ?? []).flatMap(({ providerId: id, credentials }) => {
    const isPush = PUSH_PROVIDERS.includes(id);
    if (channel !== (isPush ? 'push' : 'chat') || (!isPush && credentials.length === 0)) return [];
    const tokens = credentials.find(({ field }) => field === 'deviceTokens')?.masked ?? [];
    return [{ id, devices: isPush ? tokens.length : null }];
  });
}

function newestAt(channel: string, { event, judgement }: JudgedEvent, explain: ExplainCause) {
  const step = judgement.steps.findLast(({ job }) => job.type === channel);
  if (step === undefined || step.verdict === 'in-progress' || step.verdict === 'skipped-by-design') return null;
  const outcome = outcomeOf(event, step);
  const failure = needsEyes(outcome) ? (step.failures[0] ?? null) : null;
  return { outcome, failure, cause: failure && (failureCauses(judgement, explain).get(failure) ?? null) };
}
