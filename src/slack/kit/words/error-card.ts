import type { KnownBlock } from '@slack/types';
import { explainServiceProblem } from '../../../health/explain.ts';
import type { Environment } from '../../../lib/environment.ts';
import type { ServiceError } from '../../../lib/errors.ts';
import { context, type MessageContent, message, section } from '../blocks.ts';
import { code, type Inserted, mrkdwn } from '../text.ts';

export interface ErrorText {
  readonly what: Inserted;
  readonly next: Inserted;
}

/** `reference` finds the details in the log; null if the log has none. */
export function errorCard({ what, next }: ErrorText, reference: string | null): MessageContent {
  const said = section(mrkdwn`⚠️ ${what}\n${next}`);
  if (reference === null) return message(mrkdwn`⚠️ ${what} ${next}`, [said]);
  const quoted = context(mrkdwn`Reference ${code(reference)}`);
  return message(mrkdwn`⚠️ ${what} ${next} Reference ${reference}`, [said, quoted]);
}

export function serviceTrouble(error: ServiceError | null, environment: Environment): KnownBlock[] {
  if (error === null) return [];
  const { what, next } = explainServiceProblem(error, environment);
  return [section(mrkdwn`⚠️ ${what}\n${next}`)];
}
