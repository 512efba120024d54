import type { Button } from '@slack/types';
import { type Environment, labelled } from '../../../domain/environment.ts';
import { badge } from '../badge.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';
import { time } from '../times.ts';
import { loadMoreButton } from './load-more-button.ts';

/** `environments`: all if none is named. */
export interface SinceRequest {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
}

export function writeRequest({ since, environments, olderThan }: SinceRequest): string {
  return writeValue([String(since.getTime()), olderThan === null ? '' : String(olderThan), ...environments]);
}

export function parseRequest(value: string): SinceRequest | null {
  const [since = '', olderThan = '', ...environments] = parseValue(value) ?? [];
  if (!/^\d{1,15}$/.test(since) || !/^\d{0,15}$/.test(olderThan)) return null;
  return { since: new Date(Number(since)), environments, olderThan: olderThan === '' ? null : Number(olderThan) };
}

export function moreSinceButton(actionId: string, request: SinceRequest, olderThan: number | undefined): Button[] {
  return loadMoreButton(actionId, olderThan === undefined ? null : writeRequest({ ...request, olderThan }));
}

export function sinceCaption(
  { since, environments, olderThan }: SinceRequest,
  known: readonly Environment[],
  { shown, isMore }: { readonly shown: number; readonly isMore: boolean },
): Markup {
  const where = environments.map((name) => badge(labelled(name, known)));
  const place = where.length === 0 ? mrkdwn`` : mrkdwn` in ${joined(where, ', ')}`;
  const older = olderThan === null ? '' : ' older';
  const count = mrkdwn`${shown === 0 ? 'No' : shown}${older} ${shown === 1 ? 'change' : 'changes'}`;
  return mrkdwn`${count}${place} since ${time(since, 'day')}${isMore ? '; there are more' : ''}`;
}
