import type { Button, KnownBlock } from '@slack/types';
import type { Seal } from '../../domain/access/seal.ts';
import { EVENTS_A_PAGE, type EventListRequest, type EventOwner } from '../../domain/lookups/event-list.ts';
import { targetOf } from '../../domain/lookups/looked-up.ts';
import { outcomeOf } from '../../domain/lookups/outcome.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { maskEmail } from '../../domain/text/mask.ts';
import { isContact, shownId } from '../../domain/text/shown-id.ts';
import type { EventList } from '../../use-cases/lookups/list-events.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { isForEveryone, lookUpButton } from '../blocks/buttons/lookup-button.ts';
import { fitRows } from '../blocks/fit.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { outcomeWord } from '../blocks/incident/verdict-word.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn, named, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { orderWords } from '../blocks/words/order-words.ts';
import { environmentNames, otherEnvironments } from '../blocks/words/other-environments.ts';
import { whatNext } from '../blocks/words/what-next.ts';

/** Answers with a new page, or replaces the page that is shown. */
export const LIST = 'lookup.list';
export const BACK = 'lookup.list-back';
export const NEXT = 'lookup.list-next';

export interface ListShown {
  /** Whether everybody in a conversation sees it. */
  readonly isForAll: boolean;
  /** Encrypts an email address, or an ID that is a contact, before Slack stores it in a button. */
  readonly seal: Seal;
}

/**
 * Builds a page of the events of a subscriber or an email address. If everybody sees it, other pages are only shown to the person who asks
 * for them.
 */
export function listMessage(list: EventList, { isForAll, seal }: ListShown): MessageContent {
  const { environment, request, events, unreadable } = list;
  const audience = isForAll ? 'everyone' : 'requester';
  const title = mrkdwn`${badge(environment)} · ${ownerName(request.owner, audience)}`;
  if (events.length + unreadable === 0 && !list.hasMore) return nothingMessage(title, list, seal);
  const rows = events.map((one) => [row(one, request, audience)]);
  const { blocks } = fitRows(
    [section(mrkdwn`${title}\n${range(list)}`)],
    rows,
    [...unreadableLine(unreadable), ...actions(turns(list, { isForAll, seal }))],
    (left) =>
      mrkdwn`${plural(left, "more event of this page doesn't fit", "more events of this page don't fit")} here. To see the rest, look up the transaction.`,
  );
  const first = events[0];
  const example = first === undefined ? mrkdwn`` : mrkdwn` The first: ${eventLine(first, request.owner, audience)}.`;
  return message(mrkdwn`${title}: ${range(list)}.${example}`, blocks);
}

export function ownerName({ kind, id }: EventOwner, audience: Audience): Markup {
  return kind === 'email' ? mrkdwn`Email ${maskEmail(id)}` : mrkdwn`Subscriber ${idCode(id, audience)}`;
}

export function listButton(label: string, request: EventListRequest, seal: Seal, actionId: string = LIST): Button {
  return button(label, actionId, writeList(request, seal));
}

/** Marks a subscriber whose ID is encrypted like an email address. */
const SEALED = 'sealed-subscriber';

function writeList({ environment, owner: { kind, id }, before, end, page }: EventListRequest, seal: Seal): string {
  const [written, kept] = keptOwner(kind, id, seal);
  return writeValue([
    environment,
    written,
    kept,
    String(before.getTime()),
    String(page),
    ...(end === null ? [] : [String(end.getTime())]),
  ]);
}

function keptOwner(kind: EventOwner['kind'], id: string, seal: Seal): readonly [string, string] {
  if (kind === 'email') return [kind, seal.close(id)];
  return isContact(id) ? [SEALED, seal.close(id)] : [kind, id];
}

/** Parses a value of `listButton`. Null for anything else. */
export function parseList(value: string, seal: Seal): EventListRequest | null {
  const [environment, kind, id, before = '', page = '', end, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  if (!/^\d{1,15}$/.test(before) || !/^\d{1,5}$/.test(page)) return null;
  if (end !== undefined && !/^\d{1,15}$/.test(end)) return null;
  const owner = ownerOf(kind, id, seal);
  const times = { before: new Date(Number(before)), end: end === undefined ? null : new Date(Number(end)) };
  return owner && { environment, owner, ...times, page: Number(page) };
}

function ownerOf(kind: string | undefined, kept: string, seal: Seal): EventOwner | null {
  if (kind === 'subscriber') return { kind, id: kept };
  const id = seal.open(kept);
  if (id === null) return null;
  if (kind === SEALED) return { kind: 'subscriber', id };
  return kind === 'email' ? { kind, id } : null;
}

function range({ request: { page, before }, events, unreadable, hasMore }: EventList): Markup {
  const from = page * EVENTS_A_PAGE;
  const to = from + events.length + unreadable;
  const order = orderWords(events.map(({ event }) => event));
  const all = to === from ? mrkdwn`No events on this page` : mrkdwn`Events ${from + 1}–${to}${order}`;
  return mrkdwn`${all}${hasMore ? '; there are more' : ''} · as of ${time(before, 'day')}`;
}

type Row = EventList['events'][number];

function row(one: Row, { environment, owner }: EventListRequest, audience: Audience): KnownBlock {
  const request = { environment, target: targetOf(one.event) };
  const isShown = audience === 'requester' || isForEveryone(request);
  return section(
    joined([eventLine(one, owner, audience), ...causeLine(one)], '\n'),
    isShown ? lookUpButton(request) : undefined,
  );
}

/** Describes an event. Several subscribers can have the same address. */
function eventLine({ event, judgement }: Row, owner: EventOwner, audience: Audience): Markup {
  const workflow = mrkdwn`*${named(shownId(event.workflow?.identifier ?? 'deleted workflow', audience))}*`;
  const whom =
    owner.kind === 'email' && event.subscriber !== null ? [idCode(event.subscriber.subscriberId, audience)] : [];
  return joined([outcomeWord(outcomeOf(event, judgement)), workflow, ...whom, time(event.createdAt, 'day')], ' · ');
}

function causeLine({ judgement: { verdict, failures } }: Row): Markup[] {
  const failure = failures.find((one) => one.verdict === verdict);
  return failure === undefined ? [] : [mrkdwn`${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`];
}

function unreadableLine(unreadable: number): KnownBlock[] {
  return unreadable === 0 ? [] : [context(mrkdwn`${plural(unreadable, 'event')} couldn't be read`)];
}

function turns({ request, hasMore }: EventList, { isForAll, seal }: ListShown): Button[] {
  const older = { ...request, page: request.page + 1 };
  if (isForAll) return hasMore ? [listButton('Older, for me', older, seal)] : [];
  return [
    ...(request.page > 0 ? [listButton('Newer', { ...request, page: request.page - 1 }, seal, BACK)] : []),
    ...(hasMore ? [listButton('Older', older, seal, NEXT)] : []),
  ];
}

function nothingMessage(title: Markup, { request, elsewhere }: EventList, seal: Seal): MessageContent {
  if (request.page > 0) {
    const newer = listButton('Newer', { ...request, page: request.page - 1 }, seal, BACK);
    const what = mrkdwn`${title}: no more events.`;
    return message(what, [section(what), ...actions([newer])]);
  }
  const what = mrkdwn`${title} has no events that the service still keeps.`;
  const next =
    elsewhere.length === 0
      ? mrkdwn`Is it written as the service has it? Capitals count.`
      : mrkdwn`There are some in ${environmentNames(elsewhere)}.`;
  const viewIn = (environment: string) => listButton('View events', { ...request, environment, end: null }, seal);
  return whatNext(what, next, otherEnvironments(elsewhere, viewIn));
}
