import { type FreeText, scrubEcho, shortened } from '../lib/text/scrub.ts';
import type { ExecutionDetail } from '../service/event.ts';
import { type Reason, reasonIn, saysNothing } from './reason.ts';

type Stated = Reason & { sentence: string };

/** Two lines of a row. Causes that differ only after that are one. */
const LONGEST = 200;
const UNKNOWN = 'No reason was given';

/** The key of a cause of which nothing is known. */
export const NO_REASON = UNKNOWN.toLowerCase();

/** `key` groups failures: it has no IDs, numbers, addresses or times. */
export interface Cause {
  text: string;
  key: string;
}

/** The service appends its status: '550 5.1.1 … - (bounced)'. */
const WEBHOOK_STATUS = /^(?:undefined|null)$|(?:^(?:undefined|null))? ?- \([a-z]+\)$/i;

export function causeOf(detail: Pick<ExecutionDetail, 'detail' | 'raw'>): Cause {
  const words = `${detail.detail}`.trim().replace(WEBHOOK_STATUS, '');
  const reason = mergedReason(words, String(detail.raw ?? ''));
  return { text: withCode(reason), key: causeKey(reason.sentence, reason.code) };
}

export const sentenceIn = (text: FreeText): string => withCode(mergedReason('', String(text)));

/** What the service says and what its provider answered, as one. */
function mergedReason(detail: string, raw: string): Stated {
  const [service, provider] = [reasonIn(detail), reasonIn(raw)];
  const { sentence, code } = provider;
  if (service.sentence === null || saysNothing(service.sentence))
    return { ...provider, sentence: sentence ?? service.sentence ?? UNKNOWN };
  const saysMore = sentence !== null && sentence !== code && !saysNothing(sentence);
  const both = saysMore ? merged(service.sentence, sentence) : service.sentence;
  return { ...(service.code === null ? provider : service), sentence: both };
}

/** Both, unless one of them says all of the other. */
function merged(detail: string, sentence: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[\s.]+/g, '');
  if (plain(detail).includes(plain(sentence))) return detail;
  return plain(sentence).includes(plain(detail)) ? sentence : `${detail}: ${sentence}`;
}

/** ' (in reply to RCPT TO command)', 'SMTP error from remote mail server after DATA: ' */
const IN_REPLY_TO =
  / ?\(in reply to (?:end of )?([A-Z ]{4,9}?)(?: command)?\)|^SMTP error from remote (?:mail )?server after (?:pipelined |end of )?([A-Za-z ]{4,20})(?::<\S*>[^:]*)?: (?:host \S+ \[\S+\]: )?/;

function withCode({ sentence: full, code, command }: Stated): string {
  const [, postfix, exim] = IN_REPLY_TO.exec(full) ?? [];
  const refused = /(?<!\d)[245]\d\d(?!\d)/.test(full) ? (command ?? postfix ?? exim) : undefined;
  const sentence = refused === undefined ? full : full.replace(IN_REPLY_TO, '');
  const inReply = refused === undefined ? '' : ` (in reply to ${refused})`;
  const stated = code === null || sentence.includes(code) ? '' : ` (${code})`;
  const suffix = `${inReply}${stated}`;
  if (suffix === '') return abridged(sentence, LONGEST);
  return `${abridged(sentence.replace(/[.\s]+$/, ''), LONGEST - suffix.length)}${suffix}`;
}

/** '… host mx.acme.example said: ' before '550 5.1.1 …'. What begins with 40 is HTTP's: 'tunnel connection failed: 403 Forbidden' */
const BEFORE_REPLY = /^(?:(?![245]\d\d[ -]).){40,}?[:;] (?=(?!40)[245]\d\d[ -]\S)/;
/** ': Net::ReadTimeout' of 'Couldn't deliver (Job ID: …): Net::ReadTimeout' */
const INNERMOST_ERROR = /: (?!['"])[^:\d]{3,80}$/;

/** Keeps a mail server's reply, or the innermost of wrapped errors. */
function abridged(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const reply = text.replace(BEFORE_REPLY, '');
  const end = reply.length > limit ? (INNERMOST_ERROR.exec(reply)?.[0] ?? '') : '';
  return `${shortened(reply.slice(0, reply.length - end.length), limit - end.length)}${end}`;
}

/** Stands for what differs from one failure to the next. */
const VALUE = '§';

/** '"Acme"', no apostrophe */
const QUOTED = /(?<![\p{L}\p{N}])(["'`“‘«])([^"'`”’»]{1,200})["'`”’»](?![\p{L}\p{N}])/gu;
/** 'reason: ' before what is quoted */
const BEFORE_REASON = /(?:code|error|reason|status|type)\W{0,3}$/;
/** 'jane@…', 'j•••', 'https://…' up to the next space */
const ADDRESSES = /(?<!\S)\S*(?:@|•|:\/\/)\S*/g;
/** 'mx.a.example:25' */
const HOSTNAMES = /(?<![\p{L}\p{N}_./-])(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?/gu;
/** 'msg-17' in 'id=msg-17,' */
const WORDS_WITH_DIGITS = /(?<![^\s()[\]{},;:<>=|#"'])[^\s()[\]{},;:<>=|#"']*\d[^\s()[\]{},;:<>=|#"']*/g;

/** '5.1.1', '550-5.1.1' */
const ENHANCED_STATUS = /^(?:[45]\d\d-)?[245]\.\d{1,3}\.\d{1,3}$/;
/** 'http ', 'status: ', 'refused (': at most twenty characters */
const BEFORE_STATUS =
  /(?:^|[:([=-]\s*|\b(?:code|status|error|http|smtp|smtp;|response|returned|server|got|with)[\s:=#(]*)$/;
/** '(#', 'errno ' */
const BEFORE_CODE = /(?:\(#|\b(?:code|error|errno|status)[\s:=#(]*)$/;

function causeKey(sentence: string, code: string | null): string {
  const unquoted = sentence
    .toLowerCase()
    .replace(QUOTED, (...[, , inside, at, whole]: [string, string, string, number, string]) =>
      quotedKey(inside, whole.slice(0, at)),
    );
  const plain = /[@•.]|:\/\//.test(unquoted) ? unquoted.replace(ADDRESSES, VALUE).replace(HOSTNAMES, VALUE) : unquoted;
  const words = plain
    .replace(WORDS_WITH_DIGITS, (word, at: number, whole: string) => wordKey(word, whole.slice(0, at).slice(-20)))
    .replace(/§(?:[\s.,:;/-]*§)+/g, VALUE)
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:;,-]+|[\s.:;,!…-]+$/g, '');
  const key = abridged(words, LONGEST);
  return code === null || key.includes(code.toLowerCase()) ? key : `${key} (${code.toLowerCase()})`;
}

/** A quoted code or message distinguishes causes; other quotes are values. */
function quotedKey(inside: string, before: string): string {
  const isReason = /^[a-z]+(?:[_/-][a-z]+)*$/.test(inside) || inside.includes(' ');
  return isReason && BEFORE_REASON.test(before) ? inside : VALUE;
}

/** A status or code of an error stays; other words with digits are values. */
function wordKey(word: string, before: string): string {
  const bare = word.replace(/[.!]$/, '');
  const isStatus = ENHANCED_STATUS.test(bare) || (/^[45]\d\d$/.test(bare) && BEFORE_STATUS.test(before));
  const isCode = isStatus || (/^\d{3,6}$/.test(bare) && BEFORE_CODE.test(before));
  return isCode ? bare : VALUE;
}

/** What `withCode` appends. */
const CODE = / \(([^()\s]+)\)$/;
const IN_REPLY = / \(in reply to [A-Z ]{4,9}\)$/;

/** A cause that an earlier version has stored, as this one masks it. The key is what a new failure of it has, as far as the text tells. */
export function maskedCause({ text, key }: Cause): Cause {
  const masked = scrubEcho(text);
  if (masked === text) return { text, key: scrubEcho(key) === key ? key : causeKey(text, null) };
  const code = CODE.exec(text)?.[1];
  const isCode = code !== undefined && key.endsWith(`(${code.toLowerCase()})`);
  const sentence = isCode ? masked.replace(CODE, '') : masked;
  const command = key.includes('in reply to') ? sentence : sentence.replace(IN_REPLY, '');
  return { text: masked, key: causeKey(command, isCode ? code : null) };
}
