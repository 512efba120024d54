import { type ExplainCause, type FailureCauses, failureCauses } from '../causes/explain-cause.ts';
import type { Failure } from '../failures/failure.ts';
import type { JudgedEvent } from '../failures/judge.ts';
import { CHANNELS } from '../service/channels.ts';
import { PUSH_PROVIDERS } from '../service/credentials.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import { listEvents } from './lists.ts';
import { needsEyes, type Outcome, outcomeOf } from './outcome.ts';

export interface FoundSubscriber {
  subscriberId: string;
  contact: TriggeredEvent['subscriber'];
  /** From the newest message, since no operation reads a subscriber. */
  profile: Message['subscriber'];
  profileAt: Date | null;
  reach: readonly Reach[];
  events: readonly JudgedEvent[];
}

export interface Reach {
  channel: string;
  providers: readonly { id: string; devices: number | null }[];
  newest: { outcome: Outcome; failure: Failure | null; causes: FailureCauses } | null;
}

export async function lookUpSubscriber(
  ctx: { service: NotificationService; explainCause: ExplainCause; now: () => Date },
  subscriberId: string,
): Promise<FoundSubscriber | null> {
  const [messages, { events }] = await Promise.all([
    ctx.service.listMessages({ subscriberId, limit: 1 }, PERSON),
    listEvents(ctx, { subscriberIds: [subscriberId] }, { from: 0, end: null }),
  ]);
  const [message] = messages?.items ?? [];
  if (events.length === 0 && message === undefined) return null;
  const contact = events.find(({ event }) => event.subscriber !== null)?.event.subscriber ?? null;
  const profile = message?.subscriber ?? null;
  const profileAt = profile === null ? null : (message?.createdAt ?? null);
  return { subscriberId, contact, profile, profileAt, reach: reachOf(profile, events, ctx.explainCause), events };
}

function reachOf(
  profile: Message['subscriber'],
  events: readonly JudgedEvent[],
  explain: ExplainCause,
): readonly Reach[] {
  return CHANNELS.map((channel) => {
    const providers = (profile?.settings ?? []).flatMap(({ providerId: id, credentials }): Reach['providers'] => {
      if (channel !== (PUSH_PROVIDERS.includes(id) ? 'push' : 'chat')) return [];
      const devices = credentials.find(({ field }) => field === 'deviceTokens')?.masked.length ?? 0;
      if (channel === 'push') return [{ id, devices }];
      return credentials.length === 0 ? [] : [{ id, devices: null }];
    });
    const [newest = null] = events.flatMap((event) => newestAt(channel, event, explain) ?? []);
    return { channel, providers, newest };
  });
}

function newestAt(channel: string, { event, judgement }: JudgedEvent, explain: ExplainCause): Reach['newest'] {
  const step = judgement.steps.findLast(({ job }) => job.type === channel);
  if (step === undefined || step.verdict === 'in-progress' || step.verdict === 'skipped-by-design') return null;
  const outcome = outcomeOf(event, step);
  const failure = needsEyes(outcome) ? (step.failures[0] ?? null) : null;
  return { outcome, failure, causes: failureCauses(judgement, explain) };
}
