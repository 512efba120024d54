const MAX_KEY_LENGTH = 200;
/** Placeholder for what differs from one failure to the next. */
const ANY = '§';

const QUOTED = /(?<![\p{L}\p{N}])(["'`“‘«])([^"'`”’»]{1,200})["'`”’»](?![\p{L}\p{N}])/gu;
const NAMED_REASON = /(?:code|error|reason|status|type)\W{0,3}$/;
const ADDRESSES = /(?<!\S)\S*(?:@|•|:\/\/)\S*/g;
const HOSTNAMES = /(?<![\p{L}\p{N}_./-])(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?/gu;
const MEASURES =
  /(?<![\p{L}\p{N}.])\d[\d.,]*\s?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|days?|bytes|[kmg]i?b|%|times|attempts?|characters?|chars?)(?![\p{L}\p{N}])/gu;
const WORDS_WITH_DIGITS = /(?<![^\s()[\]{},;:<>=|#"'])[^\s()[\]{},;:<>=|#"']*\d[^\s()[\]{},;:<>=|#"']*/g;

/** 5.1.1 and the like (RFC 3463), which distinguish bounces. */
const ENHANCED_STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/;
const STATUS = /^[45]\d\d$/;
const SMTP_STATUS = /^[45]\d\d-[245]\.\d{1,3}\.\d{1,3}$/;
const PROVIDER_CODE = /^\d{3,6}$/;
const BEFORE_STATUS =
  /(?:^|[:([=-]\s*|\b(?:code|status|error|http|smtp|smtp;|response|returned|server|got|with)[\s:=#(]*)$/;
const BEFORE_CODE = /(?:\(#|\b(?:code|error|errno|status)[\s:=#(]*)$/;

/** Removes IDs, numbers, addresses, hosts, times, quoted values. Keeps codes, since they distinguish causes with the same wording. */
export function causeKey(sentence: string, code: string | null): string {
  const key = sentence
    .toLowerCase()
    .replace(QUOTED, (_, __, inside: string, at: number, whole: string) => quotedKey(inside, whole.slice(0, at)))
    .replace(ADDRESSES, ANY)
    .replace(HOSTNAMES, ANY)
    .replace(MEASURES, ANY)
    .replace(WORDS_WITH_DIGITS, (word, at: number, whole: string) =>
      wordKey(word, whole.slice(Math.max(0, at - 20), at)),
    )
    .replace(/§(?:[\s.,:;/-]*§)+/g, ANY)
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:;,-]+|[\s.:;,!…-]+$/g, '')
    .slice(0, MAX_KEY_LENGTH);
  return code === null || key.includes(code.toLowerCase()) ? key : `${key} (${code.toLowerCase()})`;
}

/** A quoted error code or message distinguishes causes; any other quote is somebody's value. */
function quotedKey(inside: string, before: string): string {
  const isReason = /^[a-z]+(?:[_/-][a-z]+)*$/.test(inside) || inside.includes(' ');
  return isReason && NAMED_REASON.test(before) ? inside : ANY;
}

function wordKey(word: string, before: string): string {
  const bare = word.replace(/[.!]$/, '');
  return isCode(bare, before) ? bare : ANY;
}

function isCode(word: string, before: string): boolean {
  if (ENHANCED_STATUS.test(word) || SMTP_STATUS.test(word)) return true;
  return (STATUS.test(word) && BEFORE_STATUS.test(before)) || (PROVIDER_CODE.test(word) && BEFORE_CODE.test(before));
}
