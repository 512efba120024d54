import type { Button } from '@slack/types';
import { z } from 'zod';
import { type Environment, labelled } from '../../lib/environment.ts';
import { KeyOrNull, Time, valueParser, writeValue } from './button-value.ts';
import { loadMoreButton } from './buttons.ts';
import { badge, joined, type Markup, mrkdwn } from './text.ts';
import { time } from './times.ts';

/** `environments`: all if none is named. */
export interface SinceRequest {
  readonly since: Date;
  readonly environments: readonly string[];
  readonly olderThan: number | null;
}

export function writeRequest({ since, environments, olderThan }: SinceRequest): string {
  return writeValue([String(since.getTime()), String(olderThan ?? ''), ...environments]);
}

export const parseRequest = valueParser<SinceRequest>(
  z
    .tuple([Time, KeyOrNull], z.string())
    .transform(([since, olderThan, ...environments]) => ({ since, environments, olderThan })),
);

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
