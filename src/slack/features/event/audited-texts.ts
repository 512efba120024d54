import { record } from '../../../audit/audit.ts';
import type { JudgedEvent } from '../../../judging/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { shortened } from '../../../lib/text/scrub.ts';
import { boundedId, stored } from '../../../lib/text/shown-id.ts';
import { readEvent } from '../../../lookups/event.ts';
import { type Answer, answersIn } from '../../../lookups/provider-answers.ts';
import type { SentContent } from '../../../service/contents.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import { PERSON } from '../../../service/query.ts';
import { orServiceError, ServiceError } from '../../../service/service-error.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type MessageBlock, preformatted, section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/button-values.ts';
import { inModal } from '../../kit/in-modal.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { channelVia } from '../../kit/names.ts';
import { bold, code, joined, mrkdwn } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';
import { type Form, resultView } from '../../kit/views.ts';

export const PROVIDER_WORDS = "Provider's words";

const MESSAGE_TEXT = 'Message text';
const MOST_MESSAGES = 10;
const MOST_ANSWERS = 10;
/** Slack takes 3,000 characters of preformatted text. */
const LONGEST_PREFORMATTED = 2_800;

interface AuditedModal {
  title: string;
  action: 'message-read' | 'provider-words-read';
  /** Reads what is shown, from the service. */
  read: (judged: JudgedEvent, environment: string) => Promise<Form['blocks']>;
}

export const hasAnswers = (event: TriggeredEvent): boolean => answersIn(event).length > 0;

/** What providers answered. It is read from the service, and never stored. */
export function showProviderWords(ctx: SlackCtx, interaction: Interaction, request: LookupRequest): Promise<void> {
  const read: AuditedModal['read'] = async ({ event }, environment) => {
    const answers = [...answersIn(event), ...(await messageErrors(ctx, environment, event))].slice(-MOST_ANSWERS);
    return [
      answers.length === 0 &&
        section(mrkdwn`The service has no answer of a provider for ${code(event.transactionId)}.`),
      ...answers.flatMap((answer) => answerBlocks(answer, event)),
      context('As it came, but secrets are masked (•••). Opening this is in the audit trail.'),
    ];
  };
  return showAudited(ctx, interaction, request, { title: PROVIDER_WORDS, action: 'provider-words-read', read });
}

/** Some servers keep a step's reason with its message only (docs/service.md). */
async function messageErrors(
  { serviceOf }: SlackCtx,
  environment: string,
  { id, transactionId }: JudgedEvent['event'],
): Promise<Answer[]> {
  const list = serviceOf(environment).listMessages({ transactionIds: [transactionId] }, PERSON);
  const page = await orServiceError(list);
  if (page instanceof ServiceError) return [];
  return (page?.items ?? []).flatMap(({ eventId, channel, provider, createdAt: at, errorText: said }): Answer[] =>
    said === null || eventId !== id ? [] : [{ channel, provider, at, said }],
  );
}

function answerBlocks({ channel, provider, at, said }: Answer, { createdAt }: TriggeredEvent): MessageBlock[] {
  const title = joined([bold(channelVia(channel, provider)), at && timeNear(at, createdAt, 'seconds')]);
  return [section(title), preformatted(shortened(said.forOperators(), LONGEST_PREFORMATTED))];
}

/** The texts of an event's messages. They are read from the service, and never stored. */
export function showMessageText(ctx: SlackCtx, interaction: Interaction, request: LookupRequest): Promise<void> {
  const read: AuditedModal['read'] = async (judged, environment) => {
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
  return showAudited(ctx, interaction, request, { title: MESSAGE_TEXT, action: 'message-read', read });
}

function contentBlocks(
  { channel, provider, createdAt, status, lines }: SentContent,
  { event, judgment: { failures } }: JudgedEvent,
): MessageBlock[] {
  const failure = failures.find((failed) => failed.channel === channel && (failed.provider ?? provider) === provider);
  const isUndelivered = status === 'error' || failure?.verdict === 'bounced';
  const undelivered = isUndelivered && joined(['🔴 not delivered', failure?.cause.text ?? null], ': ');
  const at = timeNear(createdAt, event.createdAt, 'seconds');
  const title = joined([bold(channelVia(channel, provider)), at, undelivered]);
  if (lines.length === 0) return [section([title, 'The service keeps no text of it.'])];
  return [section(title), preformatted(shortened(lines.join('\n'), LONGEST_PREFORMATTED))];
}

/** Shows texts to an operator, once the audit trail has recorded it. */
function showAudited(
  ctx: SlackCtx,
  interaction: Interaction,
  request: LookupRequest,
  { title, action, read }: AuditedModal,
): Promise<void> {
  return inModal(ctx, interaction, title, async () => {
    const { userId, channelId: channel } = interaction;
    await ctx.accessControl.authorize(userId, 'operators');
    const { name: environment } = environmentNamed(request.environment, ctx.environments);
    const judged = await readEvent(ctx, request);
    const blocks = await read(judged, environment);
    const { id, transactionId } = judged.event;
    const change = stored({ action, event: boundedId(id ?? transactionId) });
    await record(ctx.db, { actor: userId, now: ctx.now() }, { channel, environment, change });
    return resultView({ blocks }, title);
  });
}
