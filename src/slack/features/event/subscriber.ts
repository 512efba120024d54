import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { onlyValue } from '../../../lib/input/filters.ts';
import { recognize } from '../../../lib/input/ids.ts';
import { isPhone, Phone } from '../../../lib/input/phone.ts';
import { parseTimeRange } from '../../../lib/input/time-range.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { workflowIdsOf } from '../../../lookups/event-list.ts';
import { lookUpSubscriber } from '../../../lookups/subscriber.ts';
import { repeatsAmong } from '../../../sendings/sent-again.ts';
import { eventKey } from '../../../service/event.ts';
import { subscribersByEmail, subscribersByPhone } from '../../../service/subscribers-by-contact.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { badge, code, joined, type Line, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { timeNear } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { DAYS_BACK, subscriberButton } from './events.ts';
import { type LookupCtx, lookupCtx } from './lookup-ctx.ts';
import { noSubscriber } from './messages.ts';
import { type Chosen, subscriberCard } from './subscriber-card.ts';

export function subscriberCommand(ctx: SlackCtx): Command {
  return {
    word: 'subscriber',
    purpose: 'lookup',
    usage: '<ID, email or phone number>',
    about: 'which channels reach a subscriber, and what the newest events came to',
    examples: ['user-0042', 'anna@example.com workflow:order-shipped since:7d', '+49 151 2345678'],
    for: 'everyone',
    filters: ['workflow', 'topic', 'tag', 'since', 'env'],
    follows: 'ids',
    answer: async (line, { reply }) => {
      const typed = line.words.join(' ');
      refuseMasked(typed);
      if (typed === '') throw new InputError('subscriber', 'Which subscriber?', '/notif subscriber user-0042');
      const lookup = lookupCtx(ctx, line.environment, reply);
      const { answer } = await subscriberAnswer(lookup, typed, await chosenIn(ctx, line));
      return answer;
    },
  };
}

async function chosenIn(ctx: SlackCtx, line: CommandLine): Promise<Chosen | null> {
  const { filters, environment, timeZone } = line;
  if (Object.keys(filters).length === 0) return null;
  const range = parseTimeRange(filters, ctx.now(), { durationMs: DAY_MS, maxDays: DAYS_BACK, timeZone });
  return {
    filters,
    events: {
      workflowIds: await workflowIdsOf(ctx.db, environment, filters.workflow ?? []),
      topicKey: onlyValue('topic', filters),
      after: filters.since && range.from,
      tags: filters.tag ?? [],
    },
  };
}

interface SubscriberAnswer {
  isFound: boolean;
  answer: MessageContent;
}

/** The card of whom an ID, an email address or a phone number names. */
export async function subscriberAnswer(
  ctx: LookupCtx,
  typed: string,
  chosen: Chosen | null = null,
): Promise<SubscriberAnswer> {
  const { environment } = ctx;
  const { ids, what, search } = await subscribersNamed(ctx, typed);
  const [id, ...others] = ids;
  if (others.length > 0) return { isFound: true, answer: choiceOf(environment, ids, chosen) };
  const subscriber = id === undefined ? null : await lookUpSubscriber(ctx, id, chosen?.events);
  if (subscriber === null) return { isFound: false, answer: noSubscriber(environment, what, search) };
  const { events } = subscriber;
  const eventKeys = events.map(({ event }) => eventKey(event));
  const transactionIds = events.map(({ event }) => event.transactionId);
  const repeats = await repeatsAmong(ctx.db, environment.name, { eventKeys, transactionIds });
  return { isFound: true, answer: subscriberCard(ctx, subscriber, { repeats, chosen, search }) };
}

interface Named {
  ids: readonly string[];
  what: Markup;
  /** What was looked through for a phone number. */
  search: Line;
}

async function subscribersNamed(ctx: LookupCtx, typed: string): Promise<Named> {
  const { kind, id } = recognize(typed, [])[0]?.target ?? { kind: null, id: '' };
  if (kind === 'email') {
    const [holders] = await subscribersByEmail([id], [ctx.service], ctx.now());
    return { ids: holders?.subscriberIds ?? [], what: mrkdwn`events of ${code(maskEmail(id))}`, search: null };
  }
  const idOrPhone = kind === 'subscriber' || kind === 'phone' ? id : typed;
  // A number without its + is a phone number only if no subscriber has it as an ID.
  const isNumber = kind === 'phone' || (isPhone(idOrPhone) && (await lookUpSubscriber(ctx, idOrPhone)) === null);
  if (!isNumber) return { ids: [idOrPhone], what: mrkdwn`events or messages of ${code(idOrPhone)}`, search: null };
  const { subscriberIds, masked, search } = await searchByPhone(ctx, idOrPhone);
  return { ids: subscriberIds, what: mrkdwn`events of ${masked}`, search };
}

interface PhoneSearch {
  subscriberIds: readonly string[];
  masked: string;
  /** How many events were looked through, and back to when. */
  search: Markup;
}

/** Looks through events, as the service can't search by phone number. */
async function searchByPhone(ctx: LookupCtx, phone: string): Promise<PhoneSearch> {
  const { subscriberIds, searched, backTo } = await subscribersByPhone(phone, ctx, ctx.progress);
  const end = backTo && mrkdwn`back to ${timeNear(backTo, ctx.now())}`;
  const search = joined([mrkdwn`Looked through ${plural(searched, 'event')}`, end], ', ');
  return { subscriberIds, masked: new Phone(phone).toString(), search };
}

function choiceOf(environment: Environment, ids: readonly string[], chosen: Chosen | null): MessageContent {
  const rows = ids.slice(0, 10).map((id) => section(code(id), subscriberButton(environment, id, chosen?.filters)));
  return asMessage(mrkdwn`${plural(ids.length, 'subscriber')} in ${badge(environment)}. Which one?`, rows);
}
