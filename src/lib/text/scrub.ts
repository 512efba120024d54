import { ACCOUNT_MASKINGS } from './accounts.ts';
import { ADDRESS_MASKINGS, LINK_MASKINGS, URL_MASKINGS } from './addresses.ts';
import { withoutEchoes } from './echoes.ts';
import { holdsValues, roleOf } from './field-values.ts';
import { readLabel } from './fields.ts';
import { type Masking, maskedBy, maskingsFor } from './mask.ts';
import { isSecretName } from './named-secrets.ts';
import { NAME_MASKINGS, withoutNameFields } from './names.ts';
import { maskedAroundLinks, PATH_MASKINGS } from './paths.ts';
import { PEOPLE_MASKINGS } from './people.ts';
import { PERSONAL_MASKINGS } from './personal.ts';
import { withoutPhones } from './phones.ts';
import { copyByField, MAX_DEPTH, type TextField, type ValueRules } from './scrub-value.ts';
import { SECRET_MASKINGS } from './secrets.ts';
import { VISIBLE, withoutUnseen, withPlainDigits, withUsualWidth } from './visible.ts';
import { isVocabulary } from './vocabulary.ts';

/** So many characters of a text are stored and shown. */
export const SCRUBBED_LENGTH = 2_000;

/** Providers respond with 100 kB, with the explanation at the top. */
const MOST_READ = 8_000;
/** What one masking leaves can be what another looks for. */
const MAX_ROUNDS = 8;

/** How texts are scrubbed: what a plain one has masked, and how JSON's fields are shown. */
interface Manner {
  mask(text: string, field: TextField): string;
  rules: ValueRules;
}

/** Of a text that stands in no field. */
const WHOLE: TextField = { name: '', role: 'sentence' };
// Each kind is looked for only in texts that have a sign of it.
const LINKS = maskingsFor(/[/@%?]|=\d|(?<![a-z])(?:at|arroba)(?![a-z])/i, LINK_MASKINGS);
const NAMES = maskingsFor(/["'“„«「『=@]/, NAME_MASKINGS);
const ADDRESSES = maskingsFor(/@|%40|%2540/, ADDRESS_MASKINGS);
const SECRETS = maskingsFor(
  /[\d:=<>"'{“]|[\w+/-]{20}|[a-z][_-][a-z]|(?:[a-z]{4}[ -]){3}|bearer|api.?key|auth|basic|player|-----/i,
  SECRET_MASKINGS,
);
const ACCOUNTS = maskingsFor(/\d{4}/, ACCOUNT_MASKINGS);
const PERSONAL = maskingsFor(/\d/, PERSONAL_MASKINGS);

const SAFE_MASKINGS = [VISIBLE, LINKS, NAMES, ADDRESSES, SECRETS, ACCOUNTS];
const EVIDENCE_MASKINGS = [...SAFE_MASKINGS, PERSONAL, ...PEOPLE_MASKINGS, ...PATH_MASKINGS];
const ORIGINAL_MASKINGS = [VISIBLE, ...URL_MASKINGS, SECRETS];
const TYPED_MASKINGS = [LINKS, ADDRESSES, SECRETS, ACCOUNTS, withoutPhones];

/** Masks contacts, secrets and accounts. */
const PLAIN: Manner = {
  mask: (text, { name }) => withoutPhones(maskedBy(text, SAFE_MASKINGS), name),
  rules: {
    roleOf: () => 'sentence',
    text: (text, field, depth) => scrubText(text, PLAIN, SCRUBBED_LENGTH, { field, depth }),
  },
};

/** Also masks what the text echoes of a message and of a person. */
const ECHO: Manner = {
  mask: (text, { name, role }) => {
    const safe = maskedBy(text, EVIDENCE_MASKINGS);
    return withoutEchoes(withoutPhones(safe, name, true), role === 'echo');
  },
  rules: {
    roleOf,
    text: (text, field, depth) =>
      field.role === 'shown' ? text : scrubText(text, ECHO, SCRUBBED_LENGTH, { field, depth }),
  },
};

/** What a provider or a server says, and may echo of a message and a person: it can only be read masked. */
export class FreeText {
  readonly #original: string;
  #masked: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  toString(): string {
    this.#masked ??= scrubEcho(this.#original);
    return this.#masked;
  }

  /** Tells whether it's one of the sentences that are known, without scrubbing it first: that takes a hundred times as long. */
  fits(pattern: RegExp): boolean {
    return pattern.test(this.#original.slice(0, SCRUBBED_LENGTH).trim());
  }

  toJSON(): string {
    return this.toString();
  }

  /** As it came, but for secrets. The audit trail says who read it. */
  forOperators(): string {
    return settled(this.#original, (rest) => maskedBy(firstPart(rest), ORIGINAL_MASKINGS));
  }
}

/** What somebody of the team wrote at the service, such as a condition: without contacts and secrets. */
export class AuthoredText {
  readonly #original: string;

  constructor(original: string) {
    this.#original = original;
  }

  toString(): string {
    return scrub(this.#original);
  }

  toJSON(): string {
    return this.toString();
  }
}

export const scrub = (text: string): string => scrubText(text, PLAIN, SCRUBBED_LENGTH);
export const scrubInFull = (text: string): string => scrubText(text, PLAIN, MOST_READ);
/** Also without what a provider's sentence echoes (SECURITY.md). */
export const scrubEcho = (text: string): string => scrubText(text, ECHO, SCRUBBED_LENGTH);
export const scrubEchoInFull = (text: string): string => scrubText(text, ECHO, MOST_READ);

/** Shortened as Git does: long hexadecimal text would be masked. */
const COMMIT = /\b([0-9a-f]{12})[0-9a-f]{28}(?:[0-9a-f]{24})?\b/g;

/** Keeps words, markup, hosts and paths; masks contacts and secrets. */
export function scrubTyped(text: string): string {
  const visible = withoutUnseen(text.replace(/\s+/g, ' '))
    .replace(COMMIT, (_, beginning: string) => beginning)
    .trim();
  const normalized = withPlainDigits(withUsualWidth(visible));
  const masked = maskedAroundLinks(normalized, (rest) => settled(rest, (again) => maskedBy(again, TYPED_MASKINGS)));
  return masked === normalized ? visible : masked;
}

export const scrubValue = (value: unknown): unknown => copyByField(value, PLAIN.rules, 0);

const LONGEST_LINE = 500;

/** Hides what libraries quote of the values they object to. A line that is longer than 20,000 characters is cut first. */
export function logLine(text: string): string {
  const firstLine = text.slice(0, 20_000).replace(/[\r\n].*/s, '');
  return scrub(firstLine.replace(/"[^"]*("|$)/g, '"…"')).slice(0, LONGEST_LINE);
}

/** A field's name or a code, of which JSON has many. */
const WORD = /^(?:[A-Za-z][A-Za-z_.-]{0,60}|\d{1,6})$/;
/** `Unexpected provider error`, `Request failed with status code 401`, `MAIL FROM`: known words hide nothing. */
const SENTENCE = /^(?:[A-Z]?[a-z]+(?: [a-z]+)*(?: [45]\d\d)?\.?|[A-Z]+(?: [A-Z]+)*)$/;
/** A greeting is followed by a name, a scheme by a secret, and an address can be spelled. */
const ANNOUNCING = /(?<![a-z])(?:at|dot|arroba|hi|hello|hey|dear|bearer|basic|apikey)(?![a-z])/i;

function hidesNothing(text: string): boolean {
  if (WORD.test(text)) return isVocabulary(text);
  if (text.length >= 200 || !SENTENCE.test(text) || ANNOUNCING.test(text)) return false;
  return text.split(' ').every(isVocabulary);
}

/** Where a text stands in the value that it came in. */
interface Place {
  field: TextField;
  depth: number;
}

function scrubText(text: string, manner: Manner, limit: number, place: Place = { field: WHOLE, depth: 0 }): string {
  const { field, depth } = place;
  if (hidesNothing(text)) return text;
  const mayBeJson = depth < MAX_DEPTH && text.length <= MOST_READ && /[}\]]\s*$/.test(text);
  const json = mayBeJson && /^\s*[{[]/.test(text) ? jsonIn(text) : undefined;
  const end = json === undefined && mayBeJson && manner === ECHO ? jsonAtEnd(text) : null;
  if (end !== null) {
    const before = scrubText(text.slice(0, -end.length), manner, limit, place);
    return shortened(`${before} ${scrubText(end, manner, limit, place)}`.trim(), limit);
  }
  if (json === undefined) {
    const masked = settled(text, (rest) => shortened(manner.mask(firstPart(rest), field), limit));
    // Without the markup around it, JSON is left.
    const isJson = masked !== text && /^[{[].*[}\]]$/.test(masked) && jsonIn(masked) !== undefined;
    return isJson ? scrubText(masked, manner, limit, place) : masked;
  }
  const shown = withoutNameFields(JSON.stringify(copyByField(json, manner.rules, depth + 1)));
  // What was cut ('…') or is too long is read again: a mask is shorter, so that more fits.
  const isWhole = shown === text || (shown.length <= limit && !shown.includes('…'));
  return isWhole ? shown : scrubText(shortened(shown, limit), manner, limit, place);
}

/** Masks again until nothing changes. */
function settled(text: string, mask: Masking) {
  let scrubbed = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = scrubbed;
    scrubbed = mask(before);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

/** `HTTPError: ` of `HTTPError: {"errors":[…]}` */
const BEFORE_JSON = /^[^{[]*(?=[{[]\s*["{[])/;
/** `response body` of `… response body: ` */
const NAMED = /((?:[\w.-]{1,60} ){0,2}[\w.-]{1,60})\\*["']?\s*(?:=>|[:=])\s*$/;

/** Returns the JSON of `HTTPError: {"errors":[…]}`; null if a name before it says what it holds: `variables: {…}` */
function jsonAtEnd(text: string) {
  const [before = text] = BEFORE_JSON.exec(text) ?? [];
  const [, label = ''] = NAMED.exec(before) ?? [];
  const json = text.slice(before.length);
  const isNamed = isSecretName(label) || readLabel(label).kind !== null || holdsValues(label, json);
  return isNamed || jsonIn(json) === undefined ? null : json;
}

/** Returns undefined for text that isn't JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends before a word or number: the beginning of a secret isn't recognized. */
function firstPart(text: string) {
  if (text.length <= MOST_READ) return text;
  let end = MOST_READ;
  while (end > 0 && !/[\s"'<>]/.test(text.charAt(end - 1))) end--;
  while (/[\s\d+()./-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}
