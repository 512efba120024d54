import type { Button, KnownBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import { badge } from '../badge.ts';
import { context, section } from '../blocks.ts';
import { code, joined, type Markup, mrkdwn } from '../text.ts';

/** One answer offers so many environments: each has its own row, and Slack refuses messages of more than 50 blocks. */
export const MOST_OFFERED = 10;

export function environmentNames(environments: readonly Pick<Environment, 'label'>[]): Markup {
  const named = joined(environments.slice(0, MOST_OFFERED).map(badge), ', ');
  const more = environments.length - MOST_OFFERED;
  return more > 0 ? mrkdwn`${named} and ${more} more` : named;
}

export function otherEnvironments(
  environments: readonly Environment[],
  buttonOf: (environment: string) => Button,
): KnownBlock[] {
  return offeredRows(environments.map((one) => section(mrkdwn`In ${badge(one)}`, buttonOf(one.name))));
}

export function offeredRows(rows: readonly KnownBlock[]): KnownBlock[] {
  const more = rows.length - MOST_OFFERED;
  if (more <= 0) return [...rows];
  const how = mrkdwn`… and ${more} more: add ${code('env:')} with an environment's name`;
  return [...rows.slice(0, MOST_OFFERED), context(how)];
}
