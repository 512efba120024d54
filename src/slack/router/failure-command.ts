import type { Button } from '@slack/types';
import { OF_FAILURES } from '../../incidents/names.ts';
import { allUnseenNames } from '../../incidents/unseen-names.ts';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, filterMapOf, typedFilter } from '../../judging/filter.ts';
import type { Environment } from '../../lib/environment.ts';
import { commandText, type FilterKey } from '../../lib/input/filters.ts';
import { parseTimeRange } from '../../lib/input/time-range.ts';
import { refuseMasked } from '../../lib/input/typed-targets.ts';
import { MASK, maskEmail } from '../../lib/text/mask.ts';
import { coverageOf } from '../../lookups/coverage.ts';
import { withSubscribers } from '../../service/subscribers-by-contact.ts';
import type { SlackCtx } from '../ctx.ts';
import { type ListPage, runButton, shareButton } from '../kit/buttons.ts';
import { didYouMean, ignoredFilters } from '../kit/filter-words.ts';
import { asMessage, type MessageContent, withNote } from '../kit/message.ts';
import { badge, code, listed, mrkdwn } from '../kit/text.ts';
import type { Command, CommandLine } from './command.ts';

export interface FailureRequest {
  environment: string;
  filter: FailureFilter;
  from: Date;
  to: Date;
  page?: ListPage | undefined;
}

interface FailureSpan {
  /** What `since:` is without being typed, back from now. */
  usualMs: number;
  /** The command has no `until:`. */
  isToNow?: boolean;
}

interface FailureCommand extends FailureSpan, Pick<Command, 'word' | 'purpose' | 'about' | 'examples'> {
  filters?: readonly FilterKey[];
  answer: (request: FailureRequest, line: CommandLine) => Promise<MessageContent>;
}

export const FAILURE_KEYS: readonly FilterKey[] = [...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key), 'email'];

const CHECK = mrkdwn`Check the spelling and the environment (${code('env:')}).`;

/** A command about stored failures, with the filters of failures. */
export function failureCommand(ctx: SlackCtx, command: FailureCommand): Command {
  const { word, purpose, about, examples, isToNow = false, filters: keys = FAILURE_KEYS } = command;
  return {
    word,
    purpose,
    about,
    examples,
    usage: '[filters]',
    for: 'everyone',
    follows: 'filters',
    filters: [...keys, 'since', ...(isToNow ? [] : (['until'] as const)), 'env'],
    answer: async (line) => {
      const { environment } = line;
      const { serviceOf, now } = ctx;
      line.filters.email?.forEach(refuseMasked);
      const { filters, missing, misfits } = await withSubscribers(line.filters, serviceOf(environment.name), now());
      const ignored = ignoredFilters(misfits);
      const noted = (content: MessageContent) => (ignored ? withNote(content, ignored) : content);
      if (missing.length > 0) return noted(noSubscriberMessage(missing, environment));
      // The answer comes first: it can check for new events, which may have a value that wasn't seen before.
      const content = await command.answer(parseFailureRequest({ ...line, filters }, command, ctx), line);
      // Only what was typed is checked: subscribers found by email were seen just now.
      return noted((await unseenAnswer(ctx, typedFilter(line.filters), environment)) ?? content);
    },
  };
}

/** The button of a page repeats the times of its message: that can be a day old, or of any age if the command runs to now. */
export function parseFailureRequest(
  { filters, environment, timeZone, page }: CommandLine,
  { usualMs, isToNow = false }: FailureSpan,
  { retentionDays, now }: Pick<SlackCtx, 'retentionDays' | 'now'>,
): FailureRequest {
  const moreDays = isToNow ? Infinity : 1;
  const maxDays = retentionDays + (page === undefined ? 0 : moreDays);
  const span = { durationMs: usualMs, maxDays, timeZone, ...(!isToNow && { older: '/notif events' }) };
  const range = parseTimeRange(filters, now(), span);
  return { environment: environment.name, filter: typedFilter(filters), ...range, page };
}

/** What replaces the answer if a value of the filter was never seen, as it may be mistyped; else null. */
async function unseenAnswer(
  { db }: SlackCtx,
  filter: FailureFilter,
  environment: Environment,
): Promise<MessageContent | null> {
  if ((await coverageOf(db, environment.name)) === null) return null;
  const unseen = await allUnseenNames(db, filter, [environment]);
  if (unseen.length === 0) return null;
  const lines = unseen.map(({ kind, name, similar }) => {
    if (name.includes(MASK)) return mrkdwn`⚠️ ${code(name)} is masked. Give the whole address with ${code('email:')}.`;
    const noun = `${kind in OF_FAILURES ? 'failure with ' : ''}${FAILURE_FILTERS[kind].noun}`;
    return mrkdwn`⚠️ No ${noun} ${code(name)} seen in ${badge(environment)}.${didYouMean(similar)}`;
  });
  const isGuessed = unseen.every(({ similar }) => similar !== null);
  return asMessage([...lines, !isGuessed && CHECK]);
}

function noSubscriberMessage(emails: readonly string[], environment: Environment): MessageContent {
  const masked = emails.map((email) => code(maskEmail(email)));
  return asMessage(mrkdwn`⚠️ No event for ${listed(masked)} seen in ${badge(environment)}. ${CHECK}`);
}

/** What a button asks for; without `to`, up to the click. */
type Shown = Pick<FailureRequest, 'environment' | 'filter' | 'from'> & { to: Date | null };

export function failureText(word: string, { environment, filter, from, to }: Shown): string {
  const times = { since: [from.toISOString()], until: to === null ? [] : [to.toISOString()] };
  return commandText([word], { ...filterMapOf(filter), ...times, env: [environment] });
}

const pageAt = (offset: number) => ({ offset, cursor: `${offset}` });

export function failureButton(label: string, word: string, request: Shown, offset = 0): Button {
  return runButton(label, failureText(word, request), pageAt(offset));
}

export function failureShareButton(word: string, request: Shown, offset = 0): Button {
  return shareButton(failureText(word, request), pageAt(offset));
}

export const failuresChartButton = (request: Shown): Button => failureButton('Chart', 'chart', request);
