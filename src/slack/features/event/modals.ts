import { record } from '../../../audit/audit.ts';
import type { JudgedEvent } from '../../../failures/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { shortened } from '../../../lib/text/scrub.ts';
import { boundedId } from '../../../lib/text/shown-id.ts';
import { eventGone, readEvent } from '../../../lookups/event.ts';
import type { Content } from '../../../service/contents.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type LookupRequest, preformatted, section } from '../../kit/blocks.ts';
import { resultView } from '../../kit/message.ts';
import { bold, code, joined, mrkdwn, timeNear } from '../../kit/text.ts';
import { channelVia } from '../../kit/words.ts';
import { inModal } from '../../router/in-modal.ts';
import type { Interaction } from '../../router/route.ts';

const RAW_TITLE = 'Raw event';

export function showRawEvent(ctx: SlackCtx, interaction: Interaction, { environment, target }: LookupRequest) {
  return inModal(ctx, interaction, RAW_TITLE, async () => {
    const answer = await ctx.serviceOf(environment).eventAnswer(target.id, PERSON);
    if (answer === null) throw eventGone();
    return rawView(answer);
  });
}

/** Slack takes 250 kB a view; a character may have three bytes. */
const LONGEST_RAW = 65_000;
/** Whole lines, or whole characters of a longer one: Slack takes 3,000 of preformatted text. */
const CHUNKS = /[\s\S]{1,2800}(?:\n|$)|[\s\S]{1,2600}(?![\uDC00-\uDFFF])/g;

export function rawView(masked: JsonObject) {
  const chunks = shortened(withUnseenEscaped(JSON.stringify(masked, null, 2)), LONGEST_RAW).match(CHUNKS) ?? [];
  const what = section("The service's answer about this event, without secrets and contacts.");
  return resultView({ blocks: [what, ...chunks.map(preformatted)] }, RAW_TITLE);
}

/** Such characters hide, or change the text's direction. */
function withUnseenEscaped(json: string) {
  return json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

const TEXT_TITLE = 'Message text';
const MOST_MESSAGES = 10;

/** Only operators can read it, and the audit trail records it first. */
export function showMessageText(ctx: SlackCtx, interaction: Interaction, request: LookupRequest) {
  return inModal(ctx, interaction, TEXT_TITLE, async () => {
    const { userId, channelId: channel } = interaction;
    await ctx.accessControl.authorize(userId, 'operators');
    const { name: environment } = environmentNamed(request.environment, ctx.environments);
    const judged = await readEvent(ctx, request);
    const { id, transactionId, subscriber } = judged.event;
    const query = { transactionIds: [transactionId], subscriberId: subscriber?.subscriberId };
    const page = await ctx.serviceOf(environment).messageContents(query, PERSON);
    const sent = (page?.items ?? []).filter(({ eventId }) => eventId === id).slice(0, MOST_MESSAGES);
    const change = { action: 'message-read', event: boundedId(id ?? transactionId) } as const;
    await record(ctx.db, { actor: userId, now: ctx.now() }, { channel, environment, change });
    const blocks = [
      sent.length === 0 && section(mrkdwn`The service has no message of ${code(transactionId)}.`),
      ...sent.flatMap((content) => contentBlocks(content, judged)),
      context('Contacts, secrets and codes are masked (•••). Opening this is in the audit trail.'),
    ];
    return resultView({ blocks }, TEXT_TITLE);
  });
}

/** Slack takes 3,000 characters of preformatted text. */
const LONGEST_TEXT = 2_800;

function contentBlocks(
  { channel, provider, createdAt, status, lines }: Content,
  { event, judgement: { failures } }: JudgedEvent,
) {
  const failure = failures.find((failed) => failed.channel === channel && (failed.provider ?? provider) === provider);
  const isLost = status === 'error' || failure?.verdict === 'bounced';
  const lost = isLost && joined(['🔴 not delivered', failure?.cause.text ?? null], ': ');
  const at = timeNear(createdAt, event.createdAt, 'seconds');
  const title = joined([bold(channelVia(channel, provider)), at, lost]);
  if (lines.length === 0) return [section([title, 'The service keeps no text of it.'])];
  return [section(title), preformatted(shortened(lines.join('\n'), LONGEST_TEXT))];
}
