import type { AuditPage, NumberedEntry } from '../../../audit/entry.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Cell } from '../../kit/data-table.ts';
import { listMessage, olderThan } from '../../kit/list.ts';
import { moreSinceButton, type SinceRequest, sinceCaption } from '../../kit/since-request.ts';
import { badge, channelLink, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { changeWords, outcomeLine } from './change-message.ts';

export const MORE_ENTRIES = 'audit.more';

export interface AuditOptions {
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
}

export function auditMessage(
  { entries, hasOlder }: AuditPage,
  request: SinceRequest,
  options: AuditOptions,
): MessageContent {
  const last = (shown: number) => olderThan(entries, hasOlder, shown);
  return listMessage({
    caption: (shown) => sinceCaption(request, options.environments, { shown, isMore: last(shown) !== null }),
    columns: ['When', 'Who', 'Change', 'Environment', 'Outcome', 'Where'],
    rows: entries.map((entry) => ({ cells: cellsOf(entry, options) })),
    notes: [mrkdwn`Kept for ${options.retentionDays} days. Entries never include payloads or credentials.`],
    buttons: (shown) => moreSinceButton(MORE_ENTRIES, request, last(shown)?.number),
  });
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
