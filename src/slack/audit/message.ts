import { type Environment, labelled } from '../../domain/environment.ts';
import type { AuditPage } from '../../use-cases/access/show-audit.ts';
import { badge } from '../blocks/badge.ts';
import { context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { olderButtons } from '../blocks/buttons/older-buttons.ts';
import { type SinceRequest, writeRequest } from '../blocks/buttons/since-request.ts';
import { fitCount } from '../blocks/fit.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { auditLine } from '../blocks/words/audit-line.ts';

export const OLDER_ENTRIES = 'audit.older';
export const NEWEST_ENTRIES = 'audit.newest';

export const ENTRIES_A_PAGE = 15;
const MOST_SPOKEN = 5;

export interface AuditOptions {
  readonly environments: readonly Environment[];
  /** How long entries are kept. */
  readonly retentionDays: number;
}

/** Builds a page of the audit trail for one person, newest entries first. */
export function auditPageMessage(page: AuditPage, request: SinceRequest, options: AuditOptions): MessageContent {
  const headline = headlineOf(page, request, options);
  const lines = page.entries.map((entry) => auditLine(entry, options.environments));
  const numbers = page.entries.map(({ number }) => number);
  const { blocks } = fitCount(lines.length, (shown) => [
    section(headline),
    ...lines.slice(0, shown).map((line) => section(line)),
    context(keptWords(options)),
    ...olderButtons({ numbers, hasOlder: page.hasOlder }, shown, request, TURNS),
  ]);
  return message(joined([headline, ...lines.slice(0, MOST_SPOKEN)], ' '), blocks);
}

function headlineOf(
  { entries }: AuditPage,
  { since, environments, olderThan }: SinceRequest,
  options: AuditOptions,
): Markup {
  const where = environments.map((name) => badge(labelled(name, options.environments)));
  const place = where.length === 0 ? mrkdwn`` : mrkdwn` in ${joined(where, ', ')}`;
  const from = mrkdwn`since ${time(since, 'day')}`;
  if (entries.length > 0)
    return mrkdwn`*Changes*${place} ${from}, the newest first${olderThan === null ? '' : ', older ones'}`;
  return mrkdwn`Nobody changed anything${place} ${from}${olderThan === null ? '' : ' before those'}.`;
}

function keptWords({ retentionDays }: AuditOptions): Markup {
  return mrkdwn`Kept for ${retentionDays} days. Entries never include payloads or credentials.`;
}

const TURNS = { older: OLDER_ENTRIES, newest: NEWEST_ENTRIES, write: writeRequest };
