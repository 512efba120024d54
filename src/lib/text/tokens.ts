import { isVocabulary } from './vocabulary.ts';

/** What a token of a provider's sentence is. Where the sentence echoes something, `unknown` ones are masked. */
export type TokenKind = 'word' | 'number' | 'code' | 'unknown';

/** 21211, 5.1.1, 12:30, 2026-11-30T12:00Z, 10.0.0.0/8, 2001:db8::1, 4312B, +0200, 0x0B */
const NUMBER =
  /^(?:[#$€£~±+-]{0,2}[\d.,:/%+-]*\d[\d.,:/%+-]*(?:ms|min|[smhd]|[KMG]i?B|B|[TZ]|T[\d:.+-]+Z?)?|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:[/:%]\w{1,9})?|0x[\da-f]+)$/i;
const CODES: readonly RegExp[] = [
  /^[A-Z]{1,8}(?:[-_][A-Z]{0,3})?\d[A-Z\d_-]{0,24}$/, // AE0003567, POL-P1
  /^[A-Z]{2,8}\d[A-Z\d]{0,8}$|^\d{1,4}[A-Z]{1,4}\d{0,4}$/, // CMN4P7Q, 10DLC
  /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/, // ESME_RINVDSTADR
  /^(?:[\w-]+[.#])*(?:[A-Z][a-z\d]+)+(?:Error|Exception|Failure|Fault)$/, // java.net.SocketTimeoutException
  /^(?=.*\d)[\da-f]{4,}(?:[-.:][\da-z]{1,16})*$/i, // UUIDs, rays, queues
  /^1-[\da-f]{8}-[\da-f]{24}$/, // AWS X-Ray's traces
  /^[A-Za-z]{1,3}(?=[a-f]*\d)[\da-f]{12,}$|^d-[\da-f]{32}$/, // SM0123…
  /^(?:[a-z]{2,12}:){2,}\S*$/, // arn:aws:iam::…
];
export function tokenKind(token: string): TokenKind {
  if (token.includes('•')) return 'code';
  if (/\d/.test(token) && NUMBER.test(token)) return 'number';
  if (isVocabulary(token)) return /\d/.test(token) ? 'code' : 'word';
  return isHost(token) || CODES.some((code) => code.test(token)) ? 'code' : 'unknown';
}

const STATUS = /^#?[245](?:\d\d-?|\.\d{1,3}\.\d{1,3})$|^(?:\d{1,3}\.){3}\d{1,3}$/;

/** `550`, `5.1.1` and `#5.1.1` are a server's reply, as is whose it is: `192.0.2.7`. */
export const isStatus = (token: string): boolean => STATUS.test(token);

const UNIT =
  /^(?:bytes?|octets?|kb|mb|gb|[kmg]ib|ms|s|sec|seconds?|minutes?|hours?|days?|characters?|chars?|times?|recipients?|messages?|requests?|%)$/i;
export const isUnit = (token: string): boolean => UNIT.test(token);

const TOP_LEVEL =
  'com|net|org|io|de|eu|uk|us|fr|it|es|nl|pl|ru|рф|cn|jp|kr|br|in|ch|at|se|no|dk|fi|be|cz|ca|au|co|me|tv|ai|app|dev|cloud|info|biz|gov|edu|mil|int|mobi|online|site|tech|xyz|example|test|invalid|local|internal|corp|lan|home|host|arpa';
const HOST = new RegExp(
  `^(?:\\*\\.)?(?:[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}])?\\.){1,8}(?:${TOP_LEVEL})(?::\\d{1,5})?$`,
  'iu',
);

/** `smtp.acme.example:587`, but not `jane.roe` */
export const isHost = (token: string): boolean => token.includes('.') && HOST.test(token);
