import type { ExecutionDetail, Job } from '../service/event.ts';
import { reasonIn, saysNothing } from './reason.ts';
import sentences from './sentences.json' with { type: 'json' };

/** What a sentence of the service can say: `sentences.json` has in which words. */
export type SentenceKind = keyof typeof sentences;

const SENTENCE_KINDS = Object.keys(sentences) as SentenceKind[];
const PATTERNS = Object.fromEntries(
  SENTENCE_KINDS.map((kind) => {
    const patterns = sentences[kind].map((sentence) => sentence.replace(/\$$/, '\\.?$'));
    return [kind, RegExp(patterns.join('|'), 'i')];
  }),
) as Record<SentenceKind, RegExp>;

export function kindsOf({ detail }: Pick<ExecutionDetail, 'detail'>): readonly SentenceKind[] {
  return SENTENCE_KINDS.filter((kind) => detail.fits(PATTERNS[kind]));
}

/** `kinds`: all that its sentence says, if that was read before. */
export function says(kind: SentenceKind, detail: ExecutionDetail & { kinds?: readonly SentenceKind[] }): boolean {
  return detail.kinds?.includes(kind) ?? detail.detail.fits(PATTERNS[kind]);
}

/** The service calls complaints of some providers a success: here its sentence tells, not the provider's report. */
export const isFailed = (detail: ExecutionDetail): boolean =>
  detail.status === 'Failed' || (isReport(detail) && bounceOf({ ...detail, raw: null }) === 'complained');

export const isSuccess = ({ status }: ExecutionDetail): boolean => status === 'Success';

/** Such a detail came later, by a webhook. An analytics store gives it another source. */
export const isReport = (detail: ExecutionDetail): boolean => detail.source === 'Webhook' || says('report', detail);

/** A preparation that succeeded isn't a delivery. */
export const isSent = (detail: ExecutionDetail): boolean =>
  isSuccess(detail) && (says('sent', detail) || isReport(detail));

/** Such a detail sums up a step, or names what its message lacks. */
export const isAside = (detail: ExecutionDetail): boolean => says('summary', detail) || says('lack', detail);

export const sendsToSeveral = ({ type }: Job): boolean => type === 'push' || type === 'chat';

/**
 * Without an active integration, it's the environment's fault, not the subscriber's, unless that is only a warning, or a push or chat names no
 * integration.
 */
export function lacksAddress(detail: ExecutionDetail, job: Job): boolean {
  if (!says('noIntegration', detail)) return says('noAddress', detail);
  return detail.status === 'Warning' || (sendsToSeveral(job) && detail.namedIntegration === null);
}

/** Ranks of what a detail tells of a failure's reason. */
export const TELLS_ANSWER = 3;
const TELLS_SOMETHING = 2;
const TELLS_NOTHING = 1;

/** A provider's answer tells most, a sentence that says nothing least. */
export function tellingRankOf(detail: ExecutionDetail): number {
  const { sentence, code } = reasonIn(String(detail.raw ?? ''));
  if (code !== null || (sentence !== null && !saysNothing(sentence))) return TELLS_ANSWER;
  return saysNothing(sentenceOf(detail)) ? TELLS_NOTHING : TELLS_SOMETHING;
}

function sentenceOf({ detail }: Pick<ExecutionDetail, 'detail'>): string {
  return String(detail).trim().toLowerCase().replace(/\.$/, '');
}

/** 'unsubscribe', 'group_unsubscribe', 'list-unsubscribe', 'subscription change' */
const UNSUBSCRIBED = /^(?:group[ _-]?)?(?:un-?subscribed?|list[ _-]?unsubscribe|subscription[ _-]?change)$/;
/** 'spam_report', 'complaint', 'abuse' */
const COMPLAINED = /^(?:spam|spam[ _-]?reports?|spam[ _-]?complaints?|complain(?:t|ed)|abuse)$/;
/** The service appends a webhook's status to its sentence: ' - (spam_report)'. */
const WEBHOOK_STATUS = / - \(([\w -]{1,40})\)$/;
/** '"event": "unsubscribe"' */
const WEBHOOK_EVENT =
  /"(?:event|event[_-]?type|notification[_-]?type|record[_-]?type|type|status)"\s?:\s?"([\w -]{1,40})"/gi;
/** So much of a report is searched for its event: it can be long. */
const LONGEST_READ = 8_000;

/** What a report of a provider says that became of a message. */
export function bounceOf(detail: ExecutionDetail): 'unsubscribed' | 'complained' | 'bounced' {
  const sentence = sentenceOf(detail).replace(/^message /, '');
  const raw = String(detail.raw ?? '').slice(0, LONGEST_READ);
  const events = [...raw.matchAll(WEBHOOK_EVENT)].map(([, event = '']) => event);
  const all = [sentence, WEBHOOK_STATUS.exec(sentence)?.[1] ?? '', ...events].map((word) => word.trim().toLowerCase());
  if (all.some((word) => COMPLAINED.test(word))) return 'complained';
  return all.some((word) => UNSUBSCRIBED.test(word)) ? 'unsubscribed' : 'bounced';
}
