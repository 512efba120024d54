import type { ExecutionDetail } from '../service/event.ts';
import type { FreeText } from '../text/free-text.ts';
import { causeKey } from './cause-key.ts';
import type { Cause } from './failure.ts';
import { reasonIn, saysNothing } from './reason.ts';

const MAX_TEXT_LENGTH = 200;
const UNKNOWN = 'No reason was given';

/** The service's sentences that say which part failed, and leave why to `raw`. */
const NAMES_A_PART = [
  'Bridge execution failed',
  'Failed to get response from Bridge',
  'Message content could not be generated',
  'All chat channels failed to send the message',
  'Processing step filter failed',
  'Webhook filter failed',
  'Failed to get response from remote webhook filter',
  'Inbound mail',
];

/**
 * Why a detail failed. `text` is a sentence of at most 200 characters: the service's own, or the provider's (out of `raw`) where
 * the service's says nothing, with the provider's code in brackets. `key` is the same for two failures of one reason. Only
 * scrubbed text is read.
 */
export function causeOf(detail: Pick<ExecutionDetail, 'detail' | 'raw' | 'source' | 'provider'>): Cause {
  const { sentence, code } = explained(String(detail.detail).trim(), String(detail.raw ?? ''));
  return { text: shortened(withCode(sentence, code)), key: causeKey(sentence, code) };
}

/** What a provider's text says, as one sentence of at most 200 characters: an `errorText` is often its whole answer as JSON. */
export function sentenceIn(text: FreeText): string {
  const { sentence, code } = explained('', String(text));
  return shortened(withCode(sentence, code));
}

function explained(detail: string, raw: string): { sentence: string; code: string | null } {
  const namesAPart = NAMES_A_PART.some((part) => detail.startsWith(part));
  if (!saysNothing(detail) && !namesAPart) return { sentence: detail, code: null };
  const { sentence, code } = reasonIn(raw);
  if (namesAPart) return { sentence: sentence === null ? detail : `${detail}: ${sentence}`, code };
  return { sentence: sentence ?? (detail || UNKNOWN), code };
}

function withCode(sentence: string, code: string | null): string {
  return code === null || sentence.includes(code) ? sentence : `${sentence.replace(/[.\s]+$/, '')} (${code})`;
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}
