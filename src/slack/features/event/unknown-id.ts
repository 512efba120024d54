import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import type { NotificationId } from '../../../lib/input/ids.ts';
import { isPhone } from '../../../lib/input/phone.ts';
import { inTime } from '../../../lib/time/waiting.ts';
import { hasEvent } from '../../../lookups/event.ts';
import { similarTransactions } from '../../../lookups/similar-transactions.ts';
import type { Misfit } from '../../../service/query.ts';
import { orServiceError } from '../../../service/service-error.ts';
import { section } from '../../kit/blocks.ts';
import { lookUpButton } from '../../kit/buttons.ts';
import { CASE_MATTERS, ignoredFilters } from '../../kit/filter-words.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { badge, code, joined, mrkdwn, present } from '../../kit/text.ts';
import type { LookupCtx } from './lookup-ctx.ts';
import { subscriberAnswer } from './subscriber.ts';

/** How long another environment's service is asked whether it has the ID. */
const ELSEWHERE_MS = 2_000;

/** The card of a subscriber who has the ID, else what was looked for and where it may be. */
export async function answerUnknownId(
  ctx: LookupCtx,
  target: NotificationId,
  misfits: readonly Misfit[],
): Promise<MessageContent> {
  const { environment } = ctx;
  const { id } = target;
  const subscriber = await subscriberAnswer(ctx, id);
  if (subscriber.isFound || isPhone(id)) return subscriber.answer;
  const what = mrkdwn`No event found for ${code(id)} in ${badge(environment)} as event, transaction or subscriber. For a topic: ${code(`/notif topic ${id}`)}.`;
  const isAlmostEventId = /^[0-9a-f]{20,28}$/i.test(id) && id.length !== 24;
  const length = isAlmostEventId && mrkdwn`It has ${id.length} characters, an event's ID has 24.`;
  const why = mrkdwn`It may be past retention, or too new to be listed. ${CASE_MATTERS}`;
  const names = ctx.environments.map(({ name }) => name);
  const [similar, elsewhere] = await Promise.all([
    similarTransactions(ctx.db, names, id),
    environmentsWith(ctx, target),
  ]);
  const others = elsewhere.map((other) =>
    section(mrkdwn`${badge(other)} has one.`, lookUpButton({ environment: other.name, target }, 'Look up there')),
  );
  const alike = similar.flatMap(({ environment, transactionId }) => {
    if (elsewhere.some(({ name }) => name === environment)) return [];
    const where = badge(environmentNamed(environment, ctx.environments));
    const meant = { kind: 'transaction', id: transactionId } as const;
    return section(
      mrkdwn`Did you mean ${code(transactionId)} in ${where}?`,
      lookUpButton({ environment, target: meant }),
    );
  });
  return asMessage([what, joined([length, why, ignoredFilters(misfits)], ' ')], [...others, ...alike]);
}

async function environmentsWith(ctx: LookupCtx, target: NotificationId): Promise<Environment[]> {
  const answers = ctx.environments.map(async (other) => {
    if (other.name === ctx.environment.name) return null;
    const has = orServiceError(hasEvent(ctx.serviceOf(other.name), target, ctx.now()));
    return (await inTime(has, ELSEWHERE_MS, false, ctx.sleep)) === true && other;
  });
  return present(await Promise.all(answers));
}
