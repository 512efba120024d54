import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import type { ServiceError } from '../../../domain/errors.ts';
import { explainServiceProblem } from '../../../domain/health/explain.ts';
import { section } from '../blocks.ts';
import { mrkdwn } from '../text.ts';

export function serviceTrouble(error: ServiceError | null, environment: Environment): KnownBlock[] {
  if (error === null) return [];
  const { what, next } = explainServiceProblem(error, environment);
  return [section(mrkdwn`⚠️ ${what}\n${next}`)];
}
