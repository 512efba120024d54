import type { KnownBlock } from '@slack/types';
import { isDelivery, isFinal } from '../../domain/event.ts';
import { targetOf } from '../../domain/looked-up.ts';
import type { Recipient, RecipientState } from '../../domain/trigger.ts';
import { VERDICT_WORDS } from '../../domain/verdict.ts';
import { section } from '../blocks/blocks.ts';
import { channelName, channelVia } from '../blocks/channel-name.ts';
import { lookUpButton } from '../blocks/lookup-button.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { VERDICT_EMOJI } from '../blocks/verdict-word.ts';

/** So many recipients get a row with a button of their own, those with trouble first. */
const MOST_WITH_BUTTON = 10;
const LINES_A_BLOCK = 10;

/** The recipients as rows: refused ones first, then those in trouble, then the others several to a block. */
export function recipientRows(recipients: readonly Recipient[], environment: string): KnownBlock[][] {
  const sorted = [...recipients].sort((a, b) => rank(a) - rank(b));
  const single = sorted.slice(0, MOST_WITH_BUTTON).map((recipient) => [rowOf(recipient, environment)]);
  const others = sorted.slice(MOST_WITH_BUTTON);
  const blocks = Array.from({ length: Math.ceil(others.length / LINES_A_BLOCK) }, (_, block) =>
    others.slice(block * LINES_A_BLOCK, (block + 1) * LINES_A_BLOCK),
  );
  return [...single, ...blocks.map((some) => [section(joined(some.map(lineOf), '\n'))])];
}

function rank({ state }: Recipient): number {
  if (state.is === 'refused') return 0;
  if (state.is === 'awaited') return 2;
  return state.judgement.failures.length > 0 || state.judgement.verdict === 'stuck' ? 1 : 3;
}

function rowOf(recipient: Recipient, environment: string): KnownBlock {
  const { state } = recipient;
  if (state.is !== 'seen') return section(lineOf(recipient));
  return section(lineOf(recipient), lookUpButton({ environment, target: targetOf(state.event) }));
}

function lineOf(recipient: Recipient): Markup {
  const { emoji, words } = told(recipient.state);
  return mrkdwn`${emoji} ${code(recipient.subscriberId)} ${words}`;
}

function told(state: RecipientState): { emoji: string; words: Markup } {
  switch (state.is) {
    case 'refused':
      return { emoji: '🔴', words: refused(state) };
    case 'awaited':
      return { emoji: '⏳', words: mrkdwn`not in the service's list yet` };
    case 'seen':
      return { emoji: VERDICT_EMOJI[state.judgement.verdict], words: seen(state) };
  }
}

/** The service's words for what it did not take (contract, operation 6). */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['trigger_not_active', 'the workflow is not active'],
  ['no_workflow_active_steps_defined', 'no step of the workflow is active'],
  ['no_workflow_steps_defined', 'the workflow has no steps'],
  ['no_tenant_found', 'the service does not know the tenant'],
  ['invalid_recipients', 'the service does not take this subscriber id'],
  ['error', 'the service reports an error'],
]);

function refused({ status, errors }: Extract<RecipientState, { is: 'refused' }>): Markup {
  const [why] = errors;
  return mrkdwn`not sent: ${REFUSALS.get(status) ?? status}${why === undefined ? '' : `: ${why}`}`;
}

function seen({ judgement }: Extract<RecipientState, { is: 'seen' }>): Markup {
  const failure = judgement.failures.find((one) => one.verdict === judgement.verdict);
  if (failure !== undefined)
    return mrkdwn`${VERDICT_WORDS[judgement.verdict]}: ${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined)
    return mrkdwn`${VERDICT_WORDS[judgement.verdict]}: ${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  const channels =
    delivered.length === 0 ? '' : `: ${[...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ')}`;
  return mrkdwn`${VERDICT_WORDS[judgement.verdict]}${channels}`;
}
