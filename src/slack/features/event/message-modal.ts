import type { JudgedEvent } from '../../../judging/judge.ts';
import { shortened } from '../../../lib/text/scrub.ts';
import type { SentContent } from '../../../service/contents.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, preformatted, section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/buttons.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { channelVia } from '../../kit/names.ts';
import { bold, code, joined, mrkdwn, timeNear } from '../../kit/text.ts';

import { LONGEST_PREFORMATTED, showAudited } from './audited-modal.ts';

const TITLE = 'Message text';
const MOST_MESSAGES = 10;

export function showMessageText(ctx: SlackCtx, interaction: Interaction, request: LookupRequest): Promise<void> {
  const read = async (judged: JudgedEvent, environment: string) => {
    const { id, transactionId, subscriber } = judged.event;
    const query = { transactionIds: [transactionId], subscriberId: subscriber?.subscriberId };
    const page = await ctx.serviceOf(environment).messageContents(query, PERSON);
    const sent = (page?.items ?? []).filter(({ eventId }) => eventId === id).slice(0, MOST_MESSAGES);
    return [
      sent.length === 0 && section(mrkdwn`The service has no message of ${code(transactionId)}.`),
      ...sent.flatMap((content) => contentBlocks(content, judged)),
      context('Contacts, secrets and codes are masked (•••). Opening this is in the audit trail.'),
    ];
  };
  return showAudited(ctx, interaction, request, { title: TITLE, action: 'message-read', read });
}

function contentBlocks(
  { channel, provider, createdAt, status, lines }: SentContent,
  { event, judgment: { failures } }: JudgedEvent,
) {
  const failure = failures.find((failed) => failed.channel === channel && (failed.provider ?? provider) === provider);
  const isLost = status === 'error' || failure?.verdict === 'bounced';
  const lost = isLost && joined(['🔴 not delivered', failure?.cause.text ?? null], ': ');
  const at = timeNear(createdAt, event.createdAt, 'seconds');
  const title = joined([bold(channelVia(channel, provider)), at, lost]);
  if (lines.length === 0) return [section([title, 'The service keeps no text of it.'])];
  return [section(title), preformatted(shortened(lines.join('\n'), LONGEST_PREFORMATTED))];
}
