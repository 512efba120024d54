import type { Button } from '@slack/types';
import type { Seal } from '../../domain/access/seal.ts';
import { maskEmail } from '../../domain/text/mask.ts';
import { isContact } from '../../domain/text/shown-id.ts';
import { targetOf } from '../../lookups/event.ts';
import type { EventList, EventListRequest, EventOwner } from '../../lookups/event-list.ts';
import { outcomeOf } from '../../lookups/outcome.ts';
import { button, type MessageContent, option, whatNext } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { LOOK_UP, loadMoreButton, writeLookup } from '../blocks/buttons.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { outcomeWord } from '../blocks/incident/verdict-word.ts';
import { countWords, type ListRow, listMessage as listMessageOf } from '../blocks/list.ts';
import { badge, code, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

export const LIST = 'lookup.list';

/** `seal`: for an email address, or an ID that is a contact: Slack stores it in a button. */
export function listMessage(list: EventList, seal: Seal): MessageContent {
  const { environment, request, events, unreadable, next } = list;
  const { owner, before, from } = request;
  const title = mrkdwn`${badge(environment)} · ${ownerName(owner)}`;
  if (events.length + unreadable + from === 0 && next === null) {
    return whatNext(
      mrkdwn`${title} has no events that the service still keeps.`,
      mrkdwn`Upper and lower case matter, and so does ${code('env:')}.`,
    );
  }
  const isAll = (shown: number) => shown === events.length && next === null;
  return listMessageOf({
    caption: (shown) => {
      const total = isAll(shown) ? from + shown : 'more';
      return mrkdwn`${title} · ${countWords('event', { before: from, shown, total })}`;
    },
    columns: ['Transaction', 'Outcome', 'Workflow', ...(owner.kind === 'email' ? ['Subscriber'] : []), 'When', 'Cause'],
    rows: events.map((event) => rowOf(event, request)),
    notes: [
      mrkdwn`As of ${time(before, 'day')}${orderWords(events.map(({ event }) => event))}`,
      ...(unreadable === 0 ? [] : [mrkdwn`${unreadable} unreadable`]),
    ],
    lookUp: LOOK_UP,
    buttons: (shown) => {
      const after = shown < events.length ? from + shown : next;
      return loadMoreButton(LIST, after === null ? null : writeList({ ...request, from: after }, seal));
    },
  });
}

export function ownerName({ kind, id }: EventOwner): Markup {
  return kind === 'email' ? mrkdwn`Email ${maskEmail(id)}` : mrkdwn`Subscriber ${code(id)}`;
}

export function listButton(label: string, request: EventListRequest, seal: Seal): Button {
  return button(label, LIST, writeList(request, seal));
}

/** Marks a subscriber whose ID is encrypted like an email address. */
const SEALED = 'sealed-subscriber';

function writeList({ environment, owner: { kind, id }, before, end, from }: EventListRequest, seal: Seal): string {
  const [written, kept] = keptOwner(kind, id, seal);
  return writeValue([
    environment,
    written,
    kept,
    String(before.getTime()),
    String(from),
    ...(end === null ? [] : [String(end.getTime())]),
  ]);
}

function keptOwner(kind: EventOwner['kind'], id: string, seal: Seal): readonly [string, string] {
  if (kind === 'email') return [kind, seal.close(id)];
  return isContact(id) ? [SEALED, seal.close(id)] : [kind, id];
}

export function parseList(value: string, seal: Seal): EventListRequest | null {
  const [environment, kind, id, before = '', from = '', end, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  if (!/^\d{1,15}$/.test(before) || !/^\d{1,6}$/.test(from)) return null;
  if (end !== undefined && !/^\d{1,15}$/.test(end)) return null;
  const owner = ownerOf(kind, id, seal);
  const times = { before: new Date(Number(before)), end: end === undefined ? null : new Date(Number(end)) };
  return owner && { environment, owner, ...times, from: Number(from) };
}

function ownerOf(kind: string | undefined, kept: string, seal: Seal): EventOwner | null {
  if (kind === 'subscriber') return { kind, id: kept };
  const id = seal.open(kept);
  if (id === null) return null;
  if (kind === SEALED) return { kind: 'subscriber', id };
  return kind === 'email' ? { kind, id } : null;
}

type Found = EventList['events'][number];

/** Several subscribers can have the same address. */
function rowOf({ event, judgement }: Found, { environment, owner }: EventListRequest): ListRow {
  const request = { environment, target: targetOf(event) };
  const outcome = outcomeWord(outcomeOf(event, judgement));
  const whom = event.subscriber === null ? '' : event.subscriber.subscriberId;
  return {
    cells: [
      event.transactionId,
      outcome,
      event.workflow?.identifier ?? 'deleted workflow',
      ...(owner.kind === 'email' ? [whom] : []),
      time(event.createdAt, 'day'),
      causeWords(judgement),
    ],
    choice: option(`${outcome} · ${event.transactionId}`, writeLookup(request)),
  };
}

function causeWords({ verdict, failures }: Found['judgement']): string {
  const failure = failures.find((failure) => failure.verdict === verdict);
  return failure === undefined ? '' : `${channelVia(failure.channel, failure.provider)}: ${failure.cause.text}`;
}

/** As the rows' times show it: the service doesn't promise an order of its lists. */
function orderWords(rows: readonly { readonly createdAt: Date | null }[]): Markup {
  const times = rows.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  if (first === last) return mrkdwn``;
  return first > last ? mrkdwn`, the newest first` : mrkdwn`, the oldest first`;
}
