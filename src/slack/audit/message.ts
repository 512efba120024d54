import { type Environment, labelled } from '../../domain/environment.ts';
import type { AuditPage, NumberedEntry } from '../../use-cases/access/show-audit.ts';
import { badge } from '../blocks/badge.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { loadMoreButton } from '../blocks/buttons/load-more-button.ts';
import { type SinceRequest, writeRequest } from '../blocks/buttons/since-request.ts';
import type { Cell } from '../blocks/data-table.ts';
import { listMessage } from '../blocks/list.ts';
import { channelLink, joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { changeWords, outcomeLine } from './change-message.ts';

export const MORE_ENTRIES = 'audit.more';

export interface AuditOptions {
  readonly environments: readonly Environment[];
  /** How long entries are kept. */
  readonly retentionDays: number;
}

/** Builds the audit trail for one person, newest entries first. */
export function auditMessage(page: AuditPage, request: SinceRequest, options: AuditOptions): MessageContent {
  const { entries, hasOlder } = page;
  return listMessage({
    caption: (shown) => captionOf(shown, hasOlder || shown < entries.length, request, options),
    columns: ['When', 'Who', 'Change', 'Environment', 'Outcome', 'Where'],
    rows: entries.map((entry) => ({ cells: cellsOf(entry, options) })),
    notes: [mrkdwn`Kept for ${options.retentionDays} days. Entries never include payloads or credentials.`],
    buttons: (shown) => loadMoreButton(MORE_ENTRIES, olderThan(page, shown, request)),
  });
}

function captionOf(
  shown: number,
  isMore: boolean,
  { since, environments, olderThan }: SinceRequest,
  options: AuditOptions,
): Markup {
  const where = environments.map((name) => badge(labelled(name, options.environments)));
  const place = where.length === 0 ? mrkdwn`` : mrkdwn` in ${joined(where, ', ')}`;
  const from = mrkdwn`since ${time(since, 'day')}`;
  if (shown === 0) return mrkdwn`No changes${place} ${from}${olderThan === null ? '' : ' before those'}.`;
  const older = olderThan === null ? mrkdwn`` : mrkdwn` older`;
  return mrkdwn`${shown}${older} ${shown === 1 ? 'change' : 'changes'}${place} ${from}${isMore ? '; there are more' : ''}`;
}

function cellsOf(entry: NumberedEntry, { environments }: AuditOptions): Cell[] {
  const { at, actor, channel, environment, outcome } = entry;
  return [
    time(at, 'day'),
    person(actor),
    changeWords(entry, environments),
    environment === null ? '' : badge(labelled(environment, environments)),
    outcomeLine(outcome),
    channel === null ? '' : channel.startsWith('D') ? 'direct message' : channelLink(channel),
  ];
}

/** Returns the request for what follows; null if nothing does. */
function olderThan({ entries, hasOlder }: AuditPage, shown: number, request: SinceRequest): string | null {
  const last = entries[shown - 1];
  const isMore = last !== undefined && (hasOlder || shown < entries.length);
  return isMore ? writeRequest({ ...request, olderThan: last.number }) : null;
}
