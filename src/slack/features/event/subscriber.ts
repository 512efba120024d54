import type { JudgedEvent } from '../../../judging/judge.ts';
import type { Environment } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { commandText, type FilterMap, onlyValue } from '../../../lib/input/filters.ts';
import { recognize } from '../../../lib/input/ids.ts';
import { isPhone, Phone } from '../../../lib/input/phone.ts';
import { parseTimeRange } from '../../../lib/input/time-range.ts';
import { refuseMasked } from '../../../lib/input/typed-targets.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import { workflowIdsOf } from '../../../lookups/event-list.ts';
import { type ChosenEvents, type FoundSubscriber, lookUpSubscriber, type Reach } from '../../../lookups/subscriber.ts';
import { type Repeat, repeatsAmong } from '../../../sendings/sent-again.ts';
import { addressField, channelName } from '../../../service/channels.ts';
import { eventKey } from '../../../service/event.ts';
import { subscribersByEmail, subscribersByPhone } from '../../../service/subscribers-by-contact.ts';
import type { SlackCtx } from '../../ctx.ts';
import { section } from '../../kit/blocks.ts';
import { runButton, shareButton } from '../../kit/buttons.ts';
import { nextLine } from '../../kit/explanation.ts';
import { typedFilterWords } from '../../kit/filter-words.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { capitalized, channelVia, providerName } from '../../kit/names.ts';
import { OUTCOME_EMOJI } from '../../kit/outcomes.ts';
import { forOperators } from '../../kit/published.ts';
import { badge, bold, code, joined, type Line, listed, type Markup, mrkdwn, plural } from '../../kit/text.ts';
import { aheadNote, time, timeNear } from '../../kit/times.ts';
import type { Command, CommandLine } from '../../router/command.ts';
import { eventTable, outcomeCounts } from './event-table.ts';
import { subscriberButton } from './events.ts';
import { type LookupCtx, lookupCtx } from './lookup-ctx.ts';
import { noSubscriber } from './messages.ts';
import { sentAgainWords } from './repeat-words.ts';

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

/** What was typed to choose some of a subscriber's events. */
interface Chosen {
  filters: FilterMap;
  events: ChosenEvents;
}

async function chosenIn(ctx: SlackCtx, line: CommandLine): Promise<Chosen | null> {
  const { filters, environment, timeZone } = line;
  if (Object.keys(filters).length === 0) return null;
  const range = parseTimeRange(filters, ctx.now(), { durationMs: DAY_MS, maxDays: 3_650, timeZone });
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
  // A number without its + may be a subscriber's ID.
  if (kind !== 'phone' && !(isPhone(idOrPhone) && (await lookUpSubscriber(ctx, idOrPhone)) === null))
    return { ids: [idOrPhone], what: mrkdwn`events or messages of ${code(idOrPhone)}`, search: null };
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

function choiceOf(environment: Environment, ids: readonly string[], chosen: Chosen | null) {
  const rows = ids.slice(0, 10).map((id) => section(code(id), subscriberButton(environment, id, chosen?.filters)));
  return asMessage(mrkdwn`${plural(ids.length, 'subscriber')} in ${badge(environment)}. Which one?`, rows);
}

const EVENTS_SUMMED = 20;

/** Both events of a resend are the same subscriber's. */
function repeatRemarks(events: readonly JudgedEvent[], repeats: readonly Repeat[]): ReadonlyMap<string, Markup> {
  const remarks = events.flatMap(({ event }): [string, Markup][] => {
    const key = eventKey(event);
    const again = repeats.find((repeat) => repeat.eventKey === key);
    const repeated = repeats.find((repeat) => repeat.transactionId === event.transactionId);
    const seen = events.find((other) => other.event.transactionId === again?.transactionId) ?? null;
    if (again !== undefined) return [[key, sentAgainWords(again, seen, event.createdAt)]];
    return repeated === undefined ? [] : [[key, mrkdwn`🔁 repeats ${repeated.eventKey}`]];
  });
  return new Map(remarks);
}

interface BesideSubscriber {
  repeats: readonly Repeat[];
  chosen: Chosen | null;
  search: Line;
}

function subscriberCard(
  { environment, now }: LookupCtx,
  subscriber: FoundSubscriber,
  { repeats, chosen, search }: BesideSubscriber,
): MessageContent {
  const { subscriberId, contact, profile, profileAt, reach, events, aheadMs } = subscriber;
  const summed = events.slice(0, EVENTS_SUMMED);
  const env = [environment.name];
  const filters = chosen?.filters ?? {};
  const { tag: _, ...eventFilters } = filters;
  const source = profileAt
    ? mrkdwn`Devices and settings as of the newest message, ${timeNear(profileAt, now())}`
    : 'No message shows devices or settings';
  const summary = [
    joined([code(subscriberId), profile?.initials ?? contact?.initials ?? null, badge(environment)]),
    joined([...reach.map((channel) => reachWords(channel, subscriber)), settingsWords(subscriber)]),
    summed.length > 0 && mrkdwn`Last ${plural(summed.length, 'event')}: ${outcomeCounts(summed)}`,
    ...reach.map(troubleLine),
  ];
  return listMessage({
    caption: (shown) =>
      joined([
        shown === 0 ? 'no events' : countWords(chosen ? 'event' : 'newest event', { shown, total: shown }),
        ...typedFilterWords(filters),
      ]),
    ...eventTable(environment.name, summed, {
      columns: ['Outcome', 'When', 'Workflow'],
      remarks: repeatRemarks(events, repeats),
    }),
    summary: [section(summary)],
    notes: [
      // A caption can't show times in the reader's time zone.
      chosen?.events.after ? mrkdwn`Since ${time(chosen.events.after)}` : null,
      search,
      source,
      aheadNote(aheadMs),
      profile?.isDeleted === true && '⚠️ This subscriber was deleted',
    ],
    buttons: () => [
      shareButton(commandText(['subscriber', subscriberId], { ...filters, env })),
      runButton('View events', commandText(['events'], { ...eventFilters, subscriber: [subscriberId], env })),
      forOperators(runButton('Send a test', commandText(['trigger'], { subscriber: [subscriberId], env }))),
      forOperators(runButton('Credentials', commandText(['credentials', subscriberId], { env }))),
    ],
  });
}

/** 'email j•••@acme.example ✅', 'push FCM 2 devices, APNs none ✅' */
function reachWords({ channel, providers, newest }: Reach, { contact, profile }: FoundSubscriber) {
  const field = addressField(channel);
  const address = field && `${profile?.[field] ?? contact?.[field] ?? 'no address'}`;
  const counts = providers.map(({ id, devices }) =>
    joined([providerName(id), devices === 0 ? 'none' : devices && plural(devices, 'device')], ' '),
  );
  const state = newest && OUTCOME_EMOJI[newest.outcome];
  if (newest === null && counts.length === 0 && address === null) return null;
  return joined([channelName(channel), address, counts.length > 0 && listed(counts), state], ' ');
}

function settingsWords({ profile }: FoundSubscriber) {
  if (profile === null) return null;
  const { locale, timeZone, isOnline, lastOnlineAt } = profile;
  const online = isOnline ? 'online now' : lastOnlineAt && mrkdwn`last online ${time(lastOnlineAt)}`;
  return joined([locale, timeZone, online]);
}

function troubleLine({ channel, newest }: Reach) {
  if (newest?.failure == null) return null;
  const { failure, outcome, cause } = newest;
  const meaning = cause?.entry?.meaning ?? failure.cause.text;
  const what = mrkdwn`${OUTCOME_EMOJI[outcome]} ${bold(channelVia(channel, failure.provider))}: ${capitalized(meaning)}`;
  return joined([what, cause && nextLine(cause)], ' ');
}
