import { type FreeText, shortened } from '../lib/text/scrub.ts';
import type { ExecutionDetail } from '../service/event.ts';
import { type Reason, reasonIn, saysNothing } from './reason.ts';

/** `key`, for grouping: without IDs, numbers, addresses and times. */
interface Cause {
  text: string;
  key: string;
}

type Stated = Reason & { sentence: string };

const MAX_TEXT_LENGTH = 200;
const UNKNOWN = 'No reason was given';

/** The key of what failed without a word. */
export const NO_REASON = UNKNOWN.toLowerCase();

/** '550 5.1.1 … - (bounced)', of the service. */
const WEBHOOK_STATUS = / ?- \([a-z]+\)$/i;

export function causeOf(detail: Pick<ExecutionDetail, 'detail' | 'raw'>): Cause {
  const words = String(detail.detail)
    .trim()
    .replace(WEBHOOK_STATUS, '')
    .replace(/^(?:undefined|null)$/, '');
  const reason = explained(words, String(detail.raw ?? ''));
  return { text: withCode(reason), key: causeKey(reason.sentence, reason.code) };
}

/** Often the provider's whole answer as JSON. */
export function sentenceIn(text: FreeText): string {
  return withCode(explained('', String(text)));
}

function explained(detail: string, raw: string): Stated {
  const [own, answer] = [reasonIn(detail), reasonIn(raw)];
  const { sentence } = answer;
  if (own.sentence === null || saysNothing(own.sentence))
    return { ...answer, sentence: sentence ?? own.sentence ?? UNKNOWN };
  const adds =
    sentence !== null && sentence !== answer.code && !saysNothing(sentence) && !isSame(own.sentence, sentence);
  return { ...(own.code === null ? answer : own), sentence: adds ? `${own.sentence}: ${sentence}` : own.sentence };
}

function isSame(detail: string, sentence: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[\s.]+/g, '');
  return plain(detail).includes(plain(sentence)) || plain(sentence).includes(plain(detail));
}

/** Postfix's and Exim's words for the command: less than the reply, and at the end, where nothing cuts it off. */
const IN_REPLY_TO =
  / ?\(in reply to (?:end of )?([A-Z ]{4,9}?)(?: command)?\)|^SMTP error from remote (?:mail )?server after (?:pipelined |end of )?([A-Za-z ]{4,20})(?::<\S*>[^:]*)?: (?:host \S+ \[\S+\]: )?/;

function withCode({ sentence: said, code, command }: Stated): string {
  const [, postfix, exim] = IN_REPLY_TO.exec(said) ?? [];
  const refused = /(?<!\d)[245]\d\d(?!\d)/.test(said) ? (command ?? postfix ?? exim) : undefined;
  const sentence = refused === undefined ? said : said.replace(IN_REPLY_TO, '');
  const after = `${refused ? ` (in reply to ${refused})` : ''}${code && !sentence.includes(code) ? ` (${code})` : ''}`;
  if (after === '') return shortened(sentence, MAX_TEXT_LENGTH);
  return `${shortened(sentence.replace(/[.\s]+$/, ''), MAX_TEXT_LENGTH - after.length)}${after}`;
}

const MAX_KEY_LENGTH = 200;
const ANY = '§';

const QUOTED = /(?<![\p{L}\p{N}])(["'`“‘«])([^"'`”’»]{1,200})["'`”’»](?![\p{L}\p{N}])/gu;
const NAMED_REASON = /(?:code|error|reason|status|type)\W{0,3}$/;
const ADDRESSES = /(?<!\S)\S*(?:@|•|:\/\/)\S*/g;
const HOSTNAMES = /(?<![\p{L}\p{N}_./-])(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?/gu;
const WORDS_WITH_DIGITS = /(?<![^\s()[\]{},;:<>=|#"'])[^\s()[\]{},;:<>=|#"']*\d[^\s()[\]{},;:<>=|#"']*/g;

const ENHANCED_STATUS = /^(?:[45]\d\d-)?[245]\.\d{1,3}\.\d{1,3}$/;
const BEFORE_STATUS =
  /(?:^|[:([=-]\s*|\b(?:code|status|error|http|smtp|smtp;|response|returned|server|got|with)[\s:=#(]*)$/;
const BEFORE_CODE = /(?:\(#|\b(?:code|error|errno|status)[\s:=#(]*)$/;

/** Codes distinguish causes with the same wording. */
function causeKey(sentence: string, code: string | null): string {
  const key = sentence
    .toLowerCase()
    .replace(QUOTED, (_, __, inside: string, at: number, whole: string) => quotedKey(inside, whole.slice(0, at)))
    .replace(ADDRESSES, ANY)
    .replace(HOSTNAMES, ANY)
    .replace(WORDS_WITH_DIGITS, (word, at: number, whole: string) =>
      wordKey(word, whole.slice(Math.max(0, at - 20), at)),
    )
    .replace(/§(?:[\s.,:;/-]*§)+/g, ANY)
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:;,-]+|[\s.:;,!…-]+$/g, '')
    .slice(0, MAX_KEY_LENGTH);
  return code === null || key.includes(code.toLowerCase()) ? key : `${key} (${code.toLowerCase()})`;
}

/** A quoted code or message distinguishes causes; other quotes are somebody's value. */
function quotedKey(inside: string, before: string): string {
  const isReason = /^[a-z]+(?:[_/-][a-z]+)*$/.test(inside) || inside.includes(' ');
  return isReason && NAMED_REASON.test(before) ? inside : ANY;
}

function wordKey(word: string, before: string): string {
  const bare = word.replace(/[.!]$/, '');
  const isStatus = ENHANCED_STATUS.test(bare) || (/^[45]\d\d$/.test(bare) && BEFORE_STATUS.test(before));
  const isCode = isStatus || (/^\d{3,6}$/.test(bare) && BEFORE_CODE.test(before));
  return isCode ? bare : ANY;
}
