import { InputError } from '../errors.ts';
import { visible } from '../fold.ts';

/** What an ID may refer to, as written. 24 hex digits are an event's, though some callers use them for transactions, whose case matters. */
export type NotificationId =
  | { readonly kind: 'event'; readonly id: string }
  | { readonly kind: 'transaction'; readonly id: string };

const MAX_ID_LENGTH = 200;
/** Five times what Slack recommends for a message. */
export const MAX_TEXT_LENGTH = 20_000;

const EVENT_ID = /^[0-9a-f]{24}$/i;
/** A dashboard link has the event (field notes, "Dashboards") or, in older ones, the transaction. */
const ID_IN_URL = /(activityItemId|transactionId)=((?:[\w.:-]|%[\da-f]{2}){1,600})/gi;
/** People, channels, groups, dates and emoji in Slack's markup. */
const SLACK_REFERENCES =
  /<(?:[@#][A-Z0-9]{3,}|!(?:here|channel|everyone|subteam\^\w+|date\^[^<>|]*))(?:\|[^<>]*)?>|(?<!\S):[\w+'-]+:(?!\S)/g;
/** Links, and words of six characters or more: anything shorter is no ID. */
const PARTS =
  /\bhttps?:\/\/[^\s<>|"'`]+|(?:(?!\bhttps?:\/\/)[^\s<>|"'`“”„‘’«»(){}[\],;*~=–—。、，；：！？（）「」『』【】《》]){6,}/gi;
const LABEL = /^(?:transaction(?:[ _-]?id)?|tx|event(?:[ _-]?id)?|notification(?:[ _-]?id)?|id):(?=.)/i;
const WORD = /^[A-Za-z0-9][\w.:-]{5,199}$/;

const NOT_AN_ID = new RegExp(
  [
    /** 2024-01-15, 2024-01-15T12:00:00Z, 20240115T120000Z, 15.01.2024, 2024-2025, 12:30:05.123, 10:30am */
    /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)?$|^\d{8}T\d{4,6}Z?$|^\d{1,2}[.-]\d{1,2}[.-]\d{2,4}$/,
    /^(?:19|20)\d\d-(?:19|20)\d\d$|^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:am|pm|h|Z)?$/,
    /** v1.2.3-rc.1, 192.168.0.1:80, 1234.56, 12000ms, 4096KB */
    /^v?\d+(?:\.\d+)+(?:-(?:alpha|beta|rc)[.\d-]*)?(?::\d+)?$|^\d+(?:\.\d+)?(?:[mun]?s|secs?|min|kB|[MG]B|bytes|px)$/,
    /** 555-123-4567, tel:4917012345678 */
    /^\d{3}[.-]\d{3}[.-]\d{4}$|^tel:\d+$/,
    /** app-1.example.com, report-2024.pdf, app.ts:12:5, IMG_0042.mp4 */
    /\.(?:[a-z]{2,}|mp[34]|m4[av]|3gp|7z|bz2)(?::\d+)*$/,
    /** IPv6 and MAC addresses */
    /^(?=.*::)[\da-f:]+$|^[\da-f]{1,4}(?::[\da-f]{1,4}){7}$|^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/,
    /** us-east-1a, europe-west3-b; FIRING:1 of Alertmanager; names of formats and protocols */
    /^[a-z]{2,12}(?:-gov)?-(?:north|south|east|west|central)[a-z]*-?\d{1,2}-?[a-z]?$|^(?:firing|resolved):\d+$/,
    /^(?:base(?:32|64)|oauth2|sha-?\d{1,3}|tlsv?1|utf-?\d{1,2}|http[123])(?:\.\d)?$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Slack's own: a user, a channel, a team, an app, a bot, an organization, a file. Longer ones, such as 24 hex digits, are the service's. */
const SLACK_ID = /^(?:[UWCDGST][A-Z0-9]|[ABEF]0)[A-Z0-9]{7,13}$/;

/**
 * Returns the IDs in any text, e.g. a Slack message with its markup: dashboard links, 24 hex digits, UUIDs and words that look like a
 * transaction's ID (at least six characters, with a digit and a letter or separator). Without duplicates, in order of appearance, at most
 * `limit`. Ignores characters that nobody sees.
 */
export function recogniseIds(text: string, { limit = 10 }: { readonly limit?: number } = {}): NotificationId[] {
  const found = new Map<string, NotificationId>();
  const plain = visible(text.slice(0, MAX_TEXT_LENGTH)).replace(SLACK_REFERENCES, ' ');
  for (const [part] of plain.matchAll(PARTS)) {
    if (found.size >= limit) break;
    const target = /^https?:\/\//i.test(part) ? targetInUrl(part) : targetInWord(part);
    if (target !== null && !found.has(target.id)) found.set(target.id, target);
  }
  return [...found.values()];
}

function targetInWord(word: string): NotificationId | null {
  const target = looksLikeId(word);
  if (target === null || !/[A-Za-z_.:-]/.test(target.id)) return null;
  return SLACK_ID.test(target.id) || NOT_AN_ID.test(target.id) ? null : target;
}

/** Returns what a single word of a command refers to if it may be an ID: a link, or at least six characters with a digit. */
export function looksLikeId(word: string): NotificationId | null {
  const inUrl = targetInUrl(word);
  if (inUrl !== null || word.length > 2 * MAX_ID_LENGTH) return inUrl;
  const bare = word
    .replace(/^[<"'`“”„‘’([{]+|[>"'`“”„‘’)\]},;]+$/g, '')
    .replace(LABEL, '')
    .replace(/^[_.:-]+|[_.:?!-]+$/g, '');
  return WORD.test(bare) && /\d/.test(bare) ? targetOf(bare) : null;
}

/** 24 hex digits with what code, logs and messages have around them: `ObjectId("65f2…")`, `eventId:65f2…`, `(65f2…)`, `*65f2…*`. */
const WRAPPED_EVENT_ID =
  /^(?:ObjectId|(?:(?:event|notification|transaction)[_-]?)?id[:=]|(?:event|notification)[:=])?[^\p{L}\p{N}]*([0-9a-f]{24})[^\p{L}\p{N}]*$/iu;
const TRANSACTION_LABEL = /^(?:transaction|txn?)[_-]?id[:=](?=.)/i;

/**
 * Returns what was explicitly requested as an event: a link's ID, 24 hex digits, or else a transaction's ID, whatever it looks like, without
 * the label, quotes, code marks and punctuation around it. Of several words or JSON, it is the only ID in it. Throws an `InputError` for
 * anything else, for a link without an ID, and for more than 200 characters.
 */
export function eventIdOrTransaction(text: string): NotificationId {
  const inUrl = targetInUrl(text);
  if (inUrl !== null) return inUrl;
  refuseLink(text.trim());
  const id = visible(text).replace(/^[\s<"'`“”„‘’]+|(?<![\s>"'`“”„‘’,;.])[\s>"'`“”„‘’,;.]+$/g, '');
  refusePhoneNumber(id);
  const [found, ...others] = /[\s{}]/.test(id) ? recogniseIds(text) : [];
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined)
    throw new InputError('event', `These words have ${1 + others.length} IDs. Give one.`, `/notif event ${found.id}`);
  const example = '/notif event txn_8f2c91';
  if (id === '')
    throw new InputError('event', 'Which event? Give its ID, its transaction ID or a link to it.', example);
  if (id.length > MAX_ID_LENGTH || /\s/.test(id))
    throw new InputError('event', `An ID is one word of at most ${MAX_ID_LENGTH} characters.`, example);
  const bare = id.match(WRAPPED_EVENT_ID)?.[1] ?? id.replace(/(?<=[^?!:])[?!:]+$/, '').replace(TRANSACTION_LABEL, '');
  return targetOf(bare.replace(/^(?:\((.+)\)|\[(.+)\]|\*(.+)\*)$/s, '$1$2$3'));
}

/** Throws an `InputError` for a phone number of several parts (`+49 170 1234567`, `(030) 901-820`), by which the service can't be asked. */
export function refusePhoneNumber(text: string): void {
  if (!/^\+?[\d\s()./-]{7,30}$/.test(text) || !/^\+.*[./-]|[\s()]/.test(text)) return;
  const what = "Notif can't look up by phone number. Give the subscriber's ID or email address instead.";
  throw new InputError('event', what, '/notif user-0042');
}

export function refuseLink(text: string): void {
  if (!/^https?:\/\//i.test(text) || targetInUrl(text) !== null) return;
  const what = 'This link names no event or transaction. Give an ID, or the link of an event in the dashboard.';
  throw new InputError('event', what, '/notif event txn_8f2c91');
}

function targetOf(id: string): NotificationId {
  return EVENT_ID.test(id) ? { kind: 'event', id } : { kind: 'transaction', id };
}

/** Returns the IDs under which the service may have the event: as written and, if that has capitals, without them. */
export function eventIdsMeant(written: string): readonly string[] {
  return [...new Set([written, written.toLowerCase()])];
}

/** In a link, the event takes precedence over its transaction. A link can also be a parameter of another. */
function targetInUrl(text: string): NotificationId | null {
  const direct = [...text.matchAll(ID_IN_URL)];
  const matches = direct.length > 0 ? direct : [...decoded(text).matchAll(ID_IN_URL)];
  const found = matches.flatMap(([, name = '', written = '']) => {
    const id = decoded(written).replace(/[.:-]+$/, '');
    return /^[^\s\p{C}<>|]{1,200}$/u.test(id) ? [{ isEvent: /^activity/i.test(name), id }] : [];
  });
  const best = found.find(({ isEvent }) => isEvent) ?? found[0];
  return best === undefined ? null : targetOf(best.id);
}

/** Empty for what isn't UTF-8. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return '';
  }
}
