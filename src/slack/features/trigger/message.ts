import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Delivered } from '../../../failures/judge.ts';
import { explainServiceProblem } from '../../../health/explain.ts';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Logger } from '../../../lib/logger.ts';
import { targetOf } from '../../../lookups/event.ts';
import { outcomeOf } from '../../../lookups/steps.ts';
import { isDelivery, isFinal } from '../../../service/event.ts';
import type { TriggerPlan } from '../../../triggers/plan.ts';
import {
  isDone,
  type Recipient,
  type RecipientState,
  type TriggerCtx,
  type TriggerProgress,
} from '../../../triggers/send.ts';
import {
  context,
  type MessageBlock,
  type MessageContent,
  message,
  noted,
  option,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { LOOK_UP, type LookupRequest, lookUpButton, writeLookup } from '../../kit/buttons.ts';
import { channelName, channelVia, notShownReason, OUTCOME_EMOJI, OUTCOME_WORDS } from '../../kit/incident/names.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { badge, code, cut, joined, type Line, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { PASSING_ERRORS } from '../../router/calls.ts';

const LONGEST_ID = 255;

export function progressMessage(progress: TriggerProgress, environment: Environment): MessageContent {
  const { recipients, phase, sentAt } = progress;
  const { workflow, actor } = progress.intent;
  const total = recipients.length;
  const done = recipients.filter(isDone).length;
  const sorted = inTroubleFirst(recipients);
  const [worst] = sorted;
  const emoji =
    phase === 'following' ? '⏳' : phase === 'out-of-time' || worst === undefined ? '🟡' : wordsOf(worst).emoji;
  const count = total > 1 ? mrkdwn`${done} of ${total} done` : done === 1 ? 'done' : 'in progress';
  const headline = mrkdwn`${mrkdwn`${emoji}`} Test of *${workflow}* in ${badge(environment)} · ${count}`;
  const sent = mrkdwn`by ${person(actor)}, ${time(sentAt, 'day')}`;
  const notes = notesOf(progress, environment);
  if (worst !== undefined && total === 1) {
    const line = mrkdwn`${stateLine(worst, mrkdwn`${code(worst.subscriberId)} `)} · ${code(worst.transactionId, LONGEST_ID)}`;
    const request = requestFor(worst, environment);
    const row = section(line, request === null ? undefined : lookUpButton(request));
    return message(headline, [section(headline), row, context(sent, ...notes)]);
  }
  return listMessage({
    caption: (shown) =>
      shown === total ? headline : mrkdwn`${headline} · ${countWords('row', { before: 0, shown, total })}`,
    columns: ['Subscriber', 'Outcome', 'Row'],
    rows: sorted.map((recipient) => {
      const { subscriberId, row } = recipient;
      const request = requestFor(recipient, environment);
      const choice = request && option(subscriberId, writeLookup(request));
      return { cells: [subscriberId, stateLine(recipient), row], choice };
    }),
    notes: [countsLine(sorted), sent, ...notes],
    lookUp: LOOK_UP,
  });
}

function requestFor({ state }: Recipient, { name: environment }: Environment): LookupRequest | null {
  return state.is === 'seen' ? { environment, target: targetOf(state.event) } : null;
}

function notesOf(progress: TriggerProgress, environment: Environment): Line[] {
  const { recipients, isAnswerLost, phase, trouble } = progress;
  const isAllSeen = phase !== 'following' && recipients.every(({ state }) => state.is === 'seen');
  const lost = isAllSeen
    ? ', but everything went through.'
    : ': this may have gone through. Notif looks, and resends nothing.';
  const { what = '', next = '' } = trouble === null ? {} : explainServiceProblem(trouble, environment);
  return [
    isAnswerLost && mrkdwn`No clear answer from the service${lost}`,
    trouble !== null && mrkdwn`⚠️ ${what} ${phase === 'following' ? 'Asking again.' : next}`,
    phase === 'out-of-time' && mrkdwn`Not everything is final after 2 minutes. Later: ${lookUp(progress, environment)}`,
  ];
}

function lookUp({ recipients }: TriggerProgress, environment: Environment): Markup {
  const sent = recipients.filter(({ state }) => state.is !== 'refused');
  const { transactionId = '' } = sent.find((recipient) => !isDone(recipient)) ?? sent[0] ?? {};
  return code(`/notif event ${transactionId} env:${environment.name}`, 300);
}

export const FOLLOW_IN_DMS = mrkdwn`Follow it in your DMs with Notif.`;

export function notPosted(progress: TriggerProgress, environment: Environment, reference: string): MessageContent {
  const known = progressMessage(progress, environment);
  const isSent = progress.recipients.some(({ state }) => state.is !== 'refused');
  const next = isSent ? mrkdwn` Look it up: ${lookUp(progress, environment)}` : mrkdwn``;
  return noted(known, mrkdwn`⚠️ Its progress can't be shown in your DMs.${next} Reference ${code(reference)}`);
}

export const SENT_BEFORE = sentence(mrkdwn`This form was submitted already: it's sent only once.`);

export function sendingLine({ events, workflow }: TriggerPlan, environment: Environment): Markup {
  return mrkdwn`⏳ Sending ${plural(events.length, 'event')} of *${workflow}* in ${badge(environment)} …`;
}

export function whyNothingWasSent(error: unknown, { events }: TriggerPlan): Markup {
  const fields = error instanceof ServiceError && error.problem.kind === 'refused' ? error.problem.fields : [];
  const indexes = fields.flatMap((field) => /^events\.(\d+)(?:\.|$)/.exec(field)?.[1] ?? []);
  const rows = [...new Set(indexes.map(Number))];
  if (rows.length === 0) return mrkdwn`Nothing was sent.`;
  const objects = rows.map((index) => mrkdwn`row ${index + 1} (${code(events[index]?.subscriberId ?? '')})`);
  return mrkdwn`Nothing was sent. It objects to ${joined(objects, ', ')}.`;
}

export function againBlocks(
  { workflow, subscriberId, environment }: { workflow: string; subscriberId: string; environment: Environment },
  delivered: readonly Pick<Delivered, 'channel' | 'provider'>[],
): MessageBlock[] {
  const channels = [...new Set(delivered.map(({ channel, provider }) => channelVia(channel, provider)))];
  const names = channels.map((channel) => mrkdwn`*${named(channel)}*`);
  const warning = mrkdwn`⚠️ Already delivered, and delivered once more by this: ${joined(names, ', ')}.`;
  return [
    section(mrkdwn`Send *${workflow}* to ${code(subscriberId)} again in ${badge(environment)}`),
    ...(names.length === 0 ? [] : [section(warning)]),
    context(mrkdwn`Not carried over: actor, tenant and attachments.`),
  ];
}

const BY_TROUBLE = ['⏭️', '⏳', '❔', '⚠️', '🟠', '🔴'];

function inTroubleFirst(recipients: readonly Recipient[]): Recipient[] {
  const trouble = (recipient: Recipient) => BY_TROUBLE.indexOf(wordsOf(recipient).emoji);
  return recipients.toSorted((a, b) => trouble(b) - trouble(a) || a.row - b.row);
}

function countsLine(sorted: readonly Recipient[]): Markup {
  const all = sorted.map(wordsOf);
  const kinds = new Map(all.map(({ emoji, word }) => [word, emoji]));
  const count = (word: string) => all.filter((other) => other.word === word).length;
  const counts = [...kinds].map(([word, emoji]) => mrkdwn`${emoji} ${count(word)} ${word}`);
  return joined(counts, ' · ');
}

function stateLine(recipient: Recipient, who = mrkdwn``): Markup {
  const { emoji, word } = wordsOf(recipient);
  const details = detailsOf(recipient.state);
  return mrkdwn`${emoji} ${who}${word}${details === '' ? '' : mrkdwn`: ${details}`}`;
}

const UNSEEN_WORDS = {
  refused: { emoji: '🔴', word: 'not sent' },
  awaited: { emoji: '⏳', word: 'waiting to be listed' },
};

function wordsOf({ state }: Recipient): { emoji: string; word: string } {
  if (state.is !== 'seen') return UNSEEN_WORDS[state.is];
  const outcome = outcomeOf(state.event, state.judgement);
  return { emoji: OUTCOME_EMOJI[outcome], word: OUTCOME_WORDS[outcome] };
}

const LONGEST_ANSWER = 1_000;

function detailsOf(state: RecipientState): Markup | string {
  if (state.is === 'awaited') return '';
  if (state.is === 'refused')
    return cut([state.why, state.errors.join('; ')].filter(Boolean).join(': '), LONGEST_ANSWER);
  const { event, judgement } = state;
  if (outcomeOf(event, judgement) === 'not-shown') return notShownReason(event);
  const failure = judgement.failures.find(({ verdict }) => verdict === judgement.verdict);
  if (failure !== undefined) return mrkdwn`${channelVia(failure.channel, failure.provider)}, ${failure.cause.text}`;
  const open = judgement.steps.find(({ job }) => !isFinal(job));
  if (open !== undefined) return `${channelName(open.job.type)} ${open.job.status}`;
  const delivered = judgement.steps.filter(({ verdict, job }) => verdict === 'delivered' && isDelivery(job));
  return [...new Set(delivered.map(({ job }) => channelName(job.type)))].join(', ');
}

/** Edits are safe to repeat; a post is tried once. */
export function createProgressReporter(
  client: WebClient,
  deliveryClient: WebClient,
  environments: readonly Environment[],
  logger: Logger,
): TriggerCtx['reporter'] {
  const contentOf = (progress: TriggerProgress) => {
    const environment = environmentNamed(progress.intent.environment, environments);
    const { text, blocks } = progressMessage(progress, environment);
    return { text, blocks: [...blocks] };
  };
  const isRefused = (err: unknown, { intent }: TriggerProgress) => {
    logger.warn({ err, environment: intent.environment }, 'the progress of a trigger could not be shown');
    return err instanceof WebAPIPlatformError && !PASSING_ERRORS.has(err.data.error);
  };
  return {
    open: async (progress) => {
      const post = { channel: progress.intent.actor, ...contentOf(progress), unfurl_links: false, unfurl_media: false };
      try {
        const { channel, ts } = await deliveryClient.chat.postMessage(post);
        return channel === undefined || ts === undefined ? null : { channel, ts };
      } catch (error) {
        if (isRefused(error, progress)) return null;
        throw error;
      }
    },
    update: async (message, progress) => {
      try {
        await client.chat.update({ ...message, ...contentOf(progress) });
        return 'done';
      } catch (error) {
        return isRefused(error, progress) ? 'done' : 'later';
      }
    },
  };
}
