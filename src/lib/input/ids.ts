import { InputError } from '../errors.ts';
import { visible } from '../fold.ts';

/** What an ID may refer to, as written. 24 hex digits are an event's, though some callers use them for transactions, whose case matters. */
export type NotificationId =
  | { readonly kind: 'event'; readonly id: string }
  | { readonly kind: 'transaction'; readonly id: string };

interface Part {
  readonly text: string;
  readonly isUrl: boolean;
}

const DEFAULT_LIMIT = 10;
const MAX_ID_LENGTH = 200;
/** Five times what Slack recommends for a message. */
const MAX_TEXT_LENGTH = 20_000;

const EVENT_ID = /^[0-9a-f]{24}$/i;
const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>|"'`]+/gi;
/** A dashboard link has the event (field notes, "Dashboards") or, in older ones, the transaction. */
const ID_IN_URL = /(activityItemId|transactionId)(=|%3D)((?:[\w.:-]|%[\da-f]{2}){1,600})/gi;
/** People, channels, groups, dates and emoji in Slack's markup. */
const SLACK_REFERENCES =
  /<(?:[@#][A-Z0-9]{3,}|!(?:here|channel|everyone|subteam\^\w+|date\^[^<>|]*))(?:\|[^<>]*)?>|(?<!\S):[\w+'-]+:(?!\S)/g;
/** Anything shorter is no ID. */
const WORDS = /[^\s<>|"'`“”„‘’«»(){}[\],;*~=–—。、，；：！？（）「」『』【】《》]{6,}/g;
const LABEL = /^(?:transaction(?:[ _-]?id)?|tx|event(?:[ _-]?id)?|notification(?:[ _-]?id)?|id):(?=.)/i;
const WRAPPING = /^[_.:-]+|[_.:?!-]+$/g;
const WORD = /^[A-Za-z0-9][\w.:-]{5,199}$/;

const NOT_AN_ID = [
  /** 2024-01-15, 2024-01-15T12:00:00Z, 15.01.2024, 2024-2025 */
  /^\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?)?$/i,
  /^\d{1,2}[.-]\d{1,2}[.-]\d{2,4}$/,
  /^(?:19|20)\d\d-(?:19|20)\d\d$/,
  /** FIRING:1, as Alertmanager and Grafana count in their titles */
  /^(?:firing|resolved):\d+$/i,
  /** 12:30:05.123, 10:30am */
  /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:am|pm|h|Z)?$/i,
  /** v1.2.3-rc.1, 192.168.0.1:80, 1234.56 */
  /^v?\d+(?:\.\d+)+(?:-(?:alpha|beta|rc)[.\d-]*)?(?::\d+)?$/i,
  /** 555-123-4567 */
  /^\d{3}[.-]\d{3}[.-]\d{4}$/,
  /** 12000ms, 4096KB */
  /^\d+(?:\.\d+)?(?:[mun]?s|secs?|min|kB|[MG]B|bytes|px)$/i,
  /** app-1.example.com, report-2024.pdf, app.ts:12:5, IMG_0042.mp4 */
  /\.(?:[a-z]{2,}|mp[34]|m4[av]|3gp|7z|bz2)(?::\d+)*$/i,
  /** 20240115T120000Z */
  /^\d{8}T\d{4,6}Z?$/i,
  /** 2001:db8::ff00:42:8329, 2001:db8:85a3:0:0:8a2e:370:7334, 00:1b:44:11:3a:b7 */
  /^(?=.*::)[\da-f:]+$/i,
  /^[\da-f]{1,4}(?::[\da-f]{1,4}){7}$/i,
  /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i,
  /** tel:4917012345678, the target of a link to a phone number */
  /^tel:\d+$/i,
  /** us-east-1a, europe-west3-b */
  /^[a-z]{2,12}(?:-gov)?-(?:north|south|east|west|central)[a-z]*-?\d{1,2}-?[a-z]?$/i,
  /** Names of formats and protocols */
  /^(?:base(?:32|64)|oauth2|sha-?\d{1,3}|tlsv?1|utf-?\d{1,2}|http[123])(?:\.\d)?$/i,
];
const OTHER = new RegExp(NOT_AN_ID.map(({ source }) => source).join('|'), 'i');
/** Slack's own: a user, a channel, a team, an app, a bot, an organization, a file. Longer ones, such as 24 hex digits, are the service's. */
const SLACK_ID = /^(?:[UWCDGST][A-Z0-9]|[ABEF]0)[A-Z0-9]{7,13}$/;

/**
 * Returns the IDs in any text, e.g. a Slack message with its markup: dashboard links, 24 hex digits, UUIDs and words that look like a
 * transaction's ID (at least six characters, with a digit and a letter or separator). Without duplicates, in order of appearance, at most
 * `limit` (10). Ignores characters that nobody sees.
 */
export function recogniseIds(text: string, options: { readonly limit?: number } = {}): NotificationId[] {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const found = new Map<string, NotificationId>();
  for (const part of partsOf(visible(text.slice(0, MAX_TEXT_LENGTH)))) {
    if (found.size >= limit) break;
    const target = part.isUrl ? targetInUrl(part.text) : targetInWord(part.text);
    if (target !== null && !found.has(target.id)) found.set(target.id, target);
  }
  return [...found.values()];
}

/** Returns what a single word of a command refers to if it may be an ID: a link, or at least six characters with a digit. */
export function looksLikeId(word: string): NotificationId | null {
  const inUrl = targetInUrl(word);
  if (inUrl !== null) return inUrl;
  if (word.length > 2 * MAX_ID_LENGTH) return null;
  const bare = unwrapped(word);
  return WORD.test(bare) && /\d/.test(bare) ? targetOf(bare) : null;
}

/** 24 hex digits with what code, logs and messages have around them: `ObjectId("65f2…")`, `eventId:65f2…`, `(65f2…)`, `*65f2…*`. */
const WRAPPED_EVENT_ID =
  /^(?:ObjectId|(?:(?:event|notification|transaction)[_-]?)?id[:=]|(?:event|notification)[:=])?[^\p{L}\p{N}]*([0-9a-f]{24})[^\p{L}\p{N}]*$/iu;
const TRANSACTION_LABEL = /^(?:transaction|txn?)[_-]?id[:=](?=.)/i;
/** `(txn_1)`, `[txn_1]`, `*txn_1*` */
const IN_MARKS = /^(?:\((.+)\)|\[(.+)\]|\*(.+)\*)$/s;

/**
 * Returns what was explicitly requested as an event: a link's ID, 24 hex digits, or else a transaction's ID, whatever it looks like, without
 * the label, quotes, code marks and punctuation around it. Of several words or JSON, it is the only ID in it. Throws an `InputError` for
 * anything else, for a link without an ID, and for more than 200 characters.
 */
export function eventIdOrTransaction(text: string): NotificationId {
  const inUrl = targetInUrl(text);
  if (inUrl !== null) return inUrl;
  refuseLink(text.trim());
  const id = text.replace(/\p{Cf}/gu, '').replace(/^[\s<"'`“”„‘’]+|(?<![\s>"'`“”„‘’,;.])[\s>"'`“”„‘’,;.]+$/g, '');
  refusePhoneNumber(id);
  const [found, ...others] = /[\s{}]/.test(id) ? recogniseIds(text) : [];
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined)
    throw new InputError('event', `These words have ${1 + others.length} IDs. Give one.`, `/notif event ${found.id}`);
  if (id === '' || id.length > MAX_ID_LENGTH || /\s/.test(id))
    throw new InputError('event', problemWith(id), '/notif event txn_8f2c91');
  return bareTarget(id);
}

function bareTarget(word: string): NotificationId {
  const eventId = word.match(WRAPPED_EVENT_ID)?.[1];
  if (eventId !== undefined) return { kind: 'event', id: eventId };
  const bare = word.replace(/(?<![?!:])[?!:]+$/, '').replace(TRANSACTION_LABEL, '');
  return targetOf(bare === '' ? word : bare.replace(IN_MARKS, '$1$2$3'));
}

/** `+49 170 1234567`, `(030) 901-820` */
const SPACED_PHONE_NUMBER = /^\+?[\d\s()./-]{7,30}$/;

/** Throws an `InputError` for a phone number of several parts, by which the service can't be asked. */
export function refusePhoneNumber(text: string): void {
  if (!SPACED_PHONE_NUMBER.test(text) || !/^\+.*[./-]|[\s()]/.test(text)) return;
  const what = "Notif can't look up by phone number. Give the subscriber's ID or email address instead.";
  throw new InputError('event', what, '/notif user-0042');
}

/** Throws an `InputError` for a link that has no ID. */
export function refuseLink(text: string): void {
  if (!/^https?:\/\//i.test(text) || targetInUrl(text) !== null) return;
  const what = 'This link names no event or transaction. Give an ID, or the link of an event in the dashboard.';
  throw new InputError('event', what, '/notif event txn_8f2c91');
}

function problemWith(id: string): string {
  if (id === '') return 'Which event? Give its ID, its transaction ID or a link to it.';
  return `An ID is one word of at most ${MAX_ID_LENGTH} characters.`;
}

function targetOf(id: string): NotificationId {
  return EVENT_ID.test(id) ? { kind: 'event', id } : { kind: 'transaction', id };
}

/** Returns the IDs under which the service may have the event: as written and, if that has capitals, without them. */
export function eventIdsMeant(written: string): readonly string[] {
  return [...new Set([written, written.toLowerCase()])];
}

function* partsOf(text: string): Generator<Part> {
  const plain = text.replace(SLACK_REFERENCES, ' ');
  let end = 0;
  for (const match of plain.matchAll(URL_IN_TEXT)) {
    yield* wordsOf(plain.slice(end, match.index));
    yield { text: match[0], isUrl: true };
    end = match.index + match[0].length;
  }
  yield* wordsOf(plain.slice(end));
}

function* wordsOf(text: string): Generator<Part> {
  for (const [word] of text.matchAll(WORDS)) yield { text: word, isUrl: false };
}

/** In a link, the event takes precedence over its transaction. */
function targetInUrl(text: string): NotificationId | null {
  const ids = [...text.matchAll(ID_IN_URL)].flatMap(([, name = '', sign = '', written = '']) => {
    const id = sign === '=' ? decoded(written) : decoded(decoded(written.replace(/%(?:26|23).*/i, '')) ?? '');
    return id === null ? [] : [{ name: name.toLowerCase(), id }];
  });
  const best = ids.find(({ name }) => name === 'activityitemid') ?? ids[0];
  return best === undefined ? null : targetOf(best.id);
}

/** Returns what a part of a link stands for: half an ID would be another one. Null if that can't be an ID. */
function decoded(written: string): string | null {
  try {
    const id = decodeURIComponent(written).replace(/[.:-]+$/, '');
    return /^[^\s\p{C}<>|]{1,200}$/u.test(id) ? id : null;
  } catch {
    // Not UTF-8 once decoded.
    return null;
  }
}

function targetInWord(word: string): NotificationId | null {
  if (word.length > 2 * MAX_ID_LENGTH) return null;
  const id = unwrapped(word);
  if (!WORD.test(id) || !/\d/.test(id) || !/[A-Za-z_.:-]/.test(id)) return null;
  return SLACK_ID.test(id) || OTHER.test(id) ? null : targetOf(id);
}

function unwrapped(word: string): string {
  return word
    .replace(/^[<"'`“”„‘’([{]+|[>"'`“”„‘’)\]},;]+$/g, '')
    .replace(LABEL, '')
    .replace(WRAPPING, '');
}
