import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { MAY_EXPLAIN_MS } from '../../domain/changes/changed-before.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { ChangesPage } from '../../use-cases/changes/list-changes.ts';
import { badge } from '../blocks/badge.ts';
import { context, type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { olderButtons } from '../blocks/buttons/older-buttons.ts';
import { type SinceRequest, writeRequest } from '../blocks/buttons/since-request.ts';
import { fitCount } from '../blocks/fit.ts';
import { changeLine } from '../blocks/incident/change-words.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { atNear, time } from '../blocks/times.ts';

export const OLDER_CHANGES = 'changes.older';
export const NEWEST_CHANGES = 'changes.newest';

export const CHANGES_A_PAGE = 15;
const MOST_SPOKEN = 5;

export interface ChangesOptions {
  readonly environments: readonly Environment[];
  /** How long changes are kept. */
  readonly retentionDays: number;
  readonly now: Date;
}

/** Builds a page of changes around environments, newest first, with the time since when Notif knows them. */
export function changesPageMessage(page: ChangesPage, request: SinceRequest, options: ChangesOptions): MessageContent {
  const headline = headlineOf(page, request, options);
  const lines = page.changes.map((change) => lineOf(change, request, options));
  const numbers = page.changes.map(({ id }) => id);
  const { blocks } = fitCount(lines.length, (shown) => [
    section(headline),
    ...lines.slice(0, shown).map((line) => section(line)),
    context(...comparedLines(page, request, options)),
    ...olderButtons({ numbers, hasOlder: page.hasOlder }, shown, request, TURNS),
  ]);
  return message(joined([headline, ...lines.slice(0, MOST_SPOKEN)], ' '), blocks);
}

function headlineOf({ changes }: ChangesPage, request: SinceRequest, { environments }: ChangesOptions): Markup {
  const { since, olderThan } = request;
  const where = joined(
    request.environments.map((name) => badge(labelled(name, environments))),
    ', ',
  );
  const from = time(since, 'day');
  if (changes.length > 0) {
    return mrkdwn`*Changes around ${where}* since ${from}, the newest first${olderThan === null ? '' : ', older ones'}`;
  }
  if (olderThan !== null) return mrkdwn`No changes around ${where} since ${from} before those.`;
  return mrkdwn`No changes around ${where} since ${from}: none of an integration or workflow was noticed, and no deploy reported.`;
}

function lineOf(change: EnvironmentChange, request: SinceRequest, { environments }: ChangesOptions): Markup {
  const where = request.environments.length > 1 ? [badge(labelled(change.environment, environments))] : [];
  return changeLine(change, { where, namesPeople: true });
}

/** Lists what Notif can't detect, so that nobody reads too much into an empty list. */
function comparedLines({ compared }: ChangesPage, request: SinceRequest, options: ChangesOptions): Markup[] {
  const known = request.environments.map((name) => {
    const label = badge(labelled(name, options.environments));
    const one = compared.find(({ environment }) => environment === name);
    return one === undefined
      ? mrkdwn`⚠️ ${label}: integrations not read yet, so no change of them is known`
      : mrkdwn`${label}: integrations compared since ${time(one.since, 'day')}, last ${atNear(one.lastAt, options.now, 'minute')}`;
  });
  return [
    ...known,
    mrkdwn`Notif reads no credentials: a rotated key isn't listed. Kept for ${options.retentionDays} days.`,
  ];
}

const TURNS = { older: OLDER_CHANGES, newest: NEWEST_CHANGES, write: writeRequest };

/** Builds the confirmation for the person who reported a deploy. */
export function deployNoted(name: string, environment: Environment, isNew: boolean): MessageContent {
  const text = isNew
    ? mrkdwn`🚀 Deploy noted in ${badge(environment)}: ${name}. An incident that begins within ${describeDuration(MAY_EXPLAIN_MS)} names it.`
    : mrkdwn`This deploy was noted in ${badge(environment)} a moment ago: ${name}.`;
  return sentence(text);
}
