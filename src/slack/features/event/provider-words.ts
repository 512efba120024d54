import { record } from '../../../audit/audit.ts';
import type { JudgedEvent } from '../../../failures/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { orServiceError, ServiceError } from '../../../lib/errors.ts';
import { type FreeText, shortened } from '../../../lib/text/scrub.ts';
import { boundedId, stored } from '../../../lib/text/shown-id.ts';
import { readEvent } from '../../../lookups/event.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, type LookupRequest, preformatted, section } from '../../kit/blocks.ts';
import { inModal } from '../../kit/in-modal.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { resultView } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { bold, code, joined, mrkdwn, timeNear } from '../../kit/text.ts';

export const PROVIDER_WORDS = "Provider's words";

/** What a provider or the service said of a step, as it came. */
interface Answer {
  channel: string;
  provider: string | null;
  at: Date | null;
  said: FreeText;
}

const SAID = new Set(['Failed', 'Warning']);
const MOST_ANSWERS = 10;
/** Slack takes 3,000 characters of preformatted text. */
const LONGEST_ANSWER = 2_800;

export const hasAnswers = (event: TriggeredEvent): boolean => answersIn(event).length > 0;

function answersIn({ jobs }: TriggeredEvent): Answer[] {
  return jobs.flatMap(({ type: channel, provider: selected, details }) =>
    details
      .filter(({ status, source }) => SAID.has(status) || source === 'Webhook')
      .map(({ provider, createdAt: at, raw, detail }) => ({
        ...{ channel, provider: provider ?? selected, at },
        said: raw ?? detail,
      })),
  );
}

/** The audit trail records the reading before the words are shown. They are read from the service, and never stored. */
export function showProviderWords(ctx: SlackCtx, interaction: Interaction, request: LookupRequest): Promise<void> {
  return inModal(ctx, interaction, PROVIDER_WORDS, async () => {
    const { userId, channelId: channel } = interaction;
    await ctx.accessControl.authorize(userId, 'operators');
    const { name: environment } = environmentNamed(request.environment, ctx.environments);
    const { event } = await readEvent(ctx, request);
    const answers = [...answersIn(event), ...(await messageErrors(ctx, environment, event))].slice(-MOST_ANSWERS);
    const { id, transactionId } = event;
    const change = stored({ action: 'provider-words-read', event: boundedId(id ?? transactionId) });
    await record(ctx.db, { actor: userId, now: ctx.now() }, { channel, environment, change });
    const blocks = [
      answers.length === 0 && section(mrkdwn`The service has no answer of a provider for ${code(transactionId)}.`),
      ...answers.flatMap((answer) => answerBlocks(answer, event)),
      context('As it came, but secrets are masked (•••). Opening this is in the audit trail.'),
    ];
    return resultView({ blocks }, PROVIDER_WORDS);
  });
}

/** Some servers keep a step's reason with its message only (docs/service.md). */
async function messageErrors(
  { serviceOf }: SlackCtx,
  environment: string,
  { id, transactionId }: JudgedEvent['event'],
) {
  const list = serviceOf(environment).listMessages({ transactionIds: [transactionId] }, PERSON);
  const page = await orServiceError(list);
  if (page instanceof ServiceError) return [];
  return (page?.items ?? []).flatMap(({ eventId, channel, provider, createdAt: at, errorText: said }): Answer[] =>
    said === null || eventId !== id ? [] : [{ channel, provider, at, said }],
  );
}

function answerBlocks({ channel, provider, at, said }: Answer, { createdAt }: TriggeredEvent) {
  const title = joined([bold(channelVia(channel, provider)), at && timeNear(at, createdAt, 'seconds')]);
  return [section(title), preformatted(shortened(said.forOperators(), LONGEST_ANSWER))];
}
