import type { JudgedEvent } from '../../../judging/judge.ts';
import { orServiceError, ServiceError } from '../../../lib/errors.ts';
import { type FreeText, shortened } from '../../../lib/text/scrub.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, preformatted, section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/buttons.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { channelVia } from '../../kit/names.ts';
import { bold, code, joined, mrkdwn, timeNear } from '../../kit/text.ts';
import { LONGEST_PREFORMATTED, showAudited } from './audited-modal.ts';

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

/** The words are read from the service, and never stored. */
export function showProviderWords(ctx: SlackCtx, interaction: Interaction, request: LookupRequest): Promise<void> {
  const read = async ({ event }: JudgedEvent, environment: string) => {
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
  return [section(title), preformatted(shortened(said.forOperators(), LONGEST_PREFORMATTED))];
}
