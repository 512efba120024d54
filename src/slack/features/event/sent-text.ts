import type { ModalView } from '@slack/types';
import { record } from '../../../audit/audit.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { shortened } from '../../../lib/text/scrub.ts';
import { readEvent } from '../../../lookups/event.ts';
import type { Content } from '../../../service/contents.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, preformatted, section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/buttons.ts';
import { bold, code, joined, mrkdwn, present } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { resultView } from '../../kit/view.ts';
import { channelVia } from '../../kit/words/names.ts';
import type { Requester } from '../../router/interaction.ts';

export const TEXT_TITLE = 'Message text';

/** Only operators can read it, and the audit trail records it first. */
export async function sentText(
  ctx: SlackCtx,
  { userId, channelId: channel }: Pick<Requester, 'userId' | 'channelId'>,
  request: LookupRequest,
): Promise<ModalView> {
  await ctx.accessControl.authorize(userId, 'operators');
  const environment = environmentNamed(request.environment, ctx.environments);
  const { event } = await readEvent(ctx, request);
  const query = { transactionIds: [event.transactionId], subscriberId: event.subscriber?.subscriberId };
  const page = await ctx.serviceOf(environment.name).messageContents(query, PERSON);
  const sent = (page?.items ?? []).filter(({ eventId }) => eventId === event.id).slice(0, MOST_MESSAGES);
  const change = { action: 'message-read', event: event.id ?? event.transactionId } as const;
  await record(ctx.db, { by: userId, now: ctx.now() }, { channel, environment: environment.name, change });
  const none = sent.length === 0 && section(mrkdwn`The service has no message of ${code(event.transactionId)}.`);
  const note = mrkdwn`Contacts, secrets and codes are masked (•••). Opening this is in the audit trail.`;
  return resultView({ blocks: [...present([none]), ...sent.flatMap(contentBlocks), context(note)] }, TEXT_TITLE);
}

const MOST_MESSAGES = 10;
/** Slack takes 3,000 characters of preformatted text. */
const LONGEST_TEXT = 2_800;

function contentBlocks({ channel, provider, createdAt, lines }: Content) {
  const title = joined([bold(channelVia(channel, provider)), time(createdAt, 'day')], ' · ');
  if (lines.length === 0) return [section(joined([title, mrkdwn`The service keeps no text of it.`], '\n'))];
  return [section(title), preformatted(shortened(lines.join('\n'), LONGEST_TEXT))];
}
