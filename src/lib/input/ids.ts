import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import { visible } from '../fold.ts';
import { firstOfEach } from '../group-by.ts';
import { FILTER_KEYS } from './filters.ts';
import { INTERNATIONAL_PHONE, isPhone } from './phone.ts';
import { unescaped } from './slack-text.ts';

/** 24 hex digits are an event's, though some callers use them for transactions. */
export interface NotificationId {
  kind: 'event' | 'transaction';
  id: string;
}

export type LookupTarget = NotificationId | { kind: 'subscriber' | 'email' | 'phone'; id: string };

export const EVENT_ID = /^[0-9a-f]{24}$/i;
const TRANSACTION_ID = /^(?=.*\d)[A-Za-z0-9][\w.:-]{5,199}$/;
const NOTIFICATION_ID = new RegExp(`${EVENT_ID.source}|${TRANSACTION_ID.source}`, 'i');

export function isNotificationId(target: LookupTarget): target is NotificationId {
  return target.kind === 'event' || target.kind === 'transaction';
}

export function notificationId(id: string): NotificationId {
  return { kind: EVENT_ID.test(id) ? 'event' : 'transaction', id };
}

/** What a text names, with what a link says of its environment: the name, the service's ID. */
export interface Recognized {
  target: LookupTarget;
  environment: string | null;
  serviceEnvironmentId?: string | null;
}

export const MOST_RECOGNIZED = 10;
/** In characters: what is longer is no ID, and the rest of a longer text isn't read. */
const MAX_ID_LENGTH = 200;
const MAX_TEXT_LENGTH = 20_000;

/** <mailto:anna@example.com|anna@example.com> */
const MAILTO = /<(?:mailto|tel):([^<>|\s]+)(?:\|[^<>]*)?>/gi;
/** <@U0ANN>, :tada: */
const SLACK_REFERENCES = /<[@#!][^<>]*>|(?<!\S):[\w+'-]+:(?!\S)/g;
/** subscriber:user-1, subscriberId="user-1" */
const SUBSCRIBER = /\bsubscriber(?:[ _-]?id)?["“”]?[:=]\s?["“”]?([^\s"“”<>,;]{1,200})/gi;
const EMAIL =
  /(?<![\p{L}\p{N}._%+@-]'?)[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}@-])/gu;
const OTHER_FILTERS = new RegExp(`(?<!\\S)(?:${FILTER_KEYS.filter((key) => key !== 'tx').join('|')}):\\S+`, 'gi');
/** Shorter words are no IDs. */
const WORDS = /[^\s<>|"'`“”„‘’«»(){}[\],;*~=–—。、，；：！？（）「」『』【】《》]{6,}/g;
/** transactionId=txn_1, event:65f2… */
const LABEL = /^(?:transaction(?:[ _-]?id)?|tx|event(?:[ _-]?id)?|notification(?:[ _-]?id)?|id)[:=](?=.)/i;
/** Dates, times; versions, IP addresses, amounts; hosts, files; Alertmanager's FIRING:1. */
const NOT_AN_ID = new RegExp(
  [
    /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)?$|^\d{8}T\d{4,6}Z?$|^\d{1,2}:\d{2}/,
    /^v?\d+(?:\.\d+)+(?:-[a-z]+[.\d-]*)?(?::\d+)?$|^[\d.-]+(?:[mun]?s|secs?|min|[kMG]B|bytes|px)?$/,
    /\.(?:[a-z]{2,}|mp[34])(?::\d+)*$|^(?:firing|resolved):\d+$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

const LINK = /\bhttps?:\/\/[^\s<>|"'`]+/gi;

/** Of a link: /events/65f2…, ?transaction_id=…, ?q=… */
const EVENT_FIELD =
  /^(?:activityitemid|(?:notification|event|transaction|activit|message|workflow-?run)(?:s|ies|y)?(?:_?ids?)?|txn?|id|q)$/i;
const SUBSCRIBER_FIELD = /^subscribers?(?:_?ids?)?$/i;
const ENVIRONMENT_FIELD = /^env(?:ironments?)?(?:_?id)?$/i;
const MARKED_TRANSACTION = /(?<![\w-])txn[_-][\w-]{4,190}/i;

/** Finds the IDs in a text: those of links first, then those of words. */
export function recognize(text: string, environments: readonly Environment[]): Recognized[] {
  const readable = unescaped(visible(text.slice(0, MAX_TEXT_LENGTH)));
  const withoutMailto = readable.replace(MAILTO, (_, address: string) => address);
  const whole = withoutMailto.trim();
  if (isPhone(whole) && /\D/.test(whole)) return [{ target: { kind: 'phone', id: whole }, environment: null }];
  const links = readable.match(LINK) ?? [];
  const inLinks = links.flatMap((link) => recognizedInLink(link, environmentOf(link, environments)) ?? []);
  const plain = withoutMailto.replace(LINK, ' ').replace(SLACK_REFERENCES, ' ');
  const inWords = targetsIn(plain, !/\s/.test(readable.trim())).map((target) => ({ target, environment: null }));
  return distinctTargets([...inLinks, ...inWords]);
}

/** Returns one more than is offered, if there are more. */
export function distinctTargets(recognized: readonly Recognized[]): Recognized[] {
  return firstOfEach(recognized, ({ target }) => `${target.kind} ${target.id}`).slice(0, MOST_RECOGNIZED + 1);
}

/** `isOneWord`: all that was typed is one word, so that it's an ID even if it looks like a date or a host. */
function targetsIn(text: string, isOneWord: boolean): LookupTarget[] {
  const phones = text.match(INTERNATIONAL_PHONE) ?? [];
  const subscribers = [...text.matchAll(SUBSCRIBER)].map(([, id = '']) => id.replace(/[.!?}\])]+$/, ''));
  const rest = text.replace(SUBSCRIBER, ' ').replace(INTERNATIONAL_PHONE, ' ');
  const emails = rest.match(EMAIL) ?? [];
  const words = rest.replace(EMAIL, ' ').replace(OTHER_FILTERS, ' ').trim();
  const ids = (words.match(WORDS) ?? []).flatMap((word) => {
    const id = word.replace(LABEL, '').replace(/^[_.:-]+|[_.:?!-]+$/g, '');
    const isOther = !isOneWord && NOT_AN_ID.test(id);
    const isId = EVENT_ID.test(id) || (TRANSACTION_ID.test(id) && !isOther);
    return isId ? [notificationId(id)] : [];
  });
  const targets = (kind: LookupTarget['kind'], values: readonly string[]) => values.map((id) => ({ kind, id }));
  return [...ids, ...targets('subscriber', subscribers), ...targets('email', emails), ...targets('phone', phones)];
}

/** Quotes, brackets and punctuation around a word. */
const AROUND_WORD = /^[\s<"'`*“”„‘’[]+|(?<![\s>"'`*“”„‘’\],;.?!])[\s>"'`*“”„‘’\],;.?!]+$/g;

/** Takes any single word for an ID; of several words, the only ID in them. */
export function eventIdOrTransaction(text: string, environments: readonly Environment[]): Recognized {
  const id = visible(text).replace(AROUND_WORD, '');
  const isWord = !/^https?:|[\s{}()]/i.test(id) && id !== '' && id.length <= MAX_ID_LENGTH;
  if (isWord) return { target: notificationId(id.replace(LABEL, '')), environment: null };
  const recognized = recognize(text, environments).filter(({ target }) => isNotificationId(target));
  const [first, ...others] = recognized;
  if (first === undefined) {
    const what = `Give an event ID, a transaction ID of at most ${MAX_ID_LENGTH} characters without spaces, or an event's link.`;
    throw new InputError('event', what, '/notif event txn_8f2c91');
  }
  if (others.length === 0) return first;
  throw new InputError(
    'event',
    `These words have ${recognized.length} IDs. Give one.`,
    `/notif event ${first.target.id}`,
  );
}

export function lookupTargetsIn(text: string, environments: readonly Environment[]): Recognized[] {
  const recognized = recognize(text, environments);
  return recognized.length > 0 ? recognized : [eventIdOrTransaction(text, environments)];
}

/** The environment whose dashboard has the longest address that the link begins with; null: none, or two with the same address. */
function environmentOf(link: string, environments: readonly Environment[]): string | null {
  const [nearest, next] = environments
    .map(({ name, dashboardUrl }) => ({ name, base: `${dashboardUrl ?? 'none'}/`.toLowerCase() }))
    .filter(({ base }) => `${link}/`.toLowerCase().startsWith(base))
    .sort((a, b) => b.base.length - a.base.length);
  return nearest === undefined || nearest.base === next?.base ? null : nearest.name;
}

function recognizedInLink(link: string, environment: string | null): Recognized | null {
  if (!URL.canParse(link)) return null;
  const fields = fieldsIn(link);
  const valueBy = (name: RegExp, shape = /./) =>
    fields.find(([key, value]) => name.test(key) && shape.test(value))?.[1] ?? null;
  const id = valueBy(/^activityItemId$/i) ?? valueBy(/^transactionId$/i) ?? valueBy(EVENT_FIELD, NOTIFICATION_ID);
  const subscriber = id === null ? valueBy(SUBSCRIBER_FIELD) : null;
  const serviceEnvironmentId = valueBy(ENVIRONMENT_FIELD, EVENT_ID);
  const place = { environment, serviceEnvironmentId };
  if (subscriber !== null) return { target: { kind: 'subscriber', id: subscriber }, ...place };
  const notification = id ?? MARKED_TRANSACTION.exec(fields.flat().join(' '))?.[0];
  return notification === undefined ? null : { target: notificationId(notification), ...place };
}

/** A link's fields are query parameters, and path segments, each named by the one before. */
function fieldsIn(link: string): [string, string][] {
  const { pathname, searchParams, hash } = new URL(link);
  const fragment = new URL(hash.replace(/^#!?\/?/, '/'), 'https://fragment.example');
  const pieces = [pathname, fragment.pathname].map((path) => path.split('/').filter((piece) => piece !== ''));
  const inPaths = pieces.flatMap((path) => path.map((piece, at) => [path[at - 1] ?? '', decoded(piece)] as const));
  const fields = [...searchParams, ...fragment.searchParams, ...inPaths];
  // A sentence's punctuation may follow a link.
  return fields.map(([name, value]) => [name, value.replace(/[^\p{L}\p{N}_/+=]+$/u, '')]);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
