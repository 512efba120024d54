import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { MAY_EXPLAIN_MS } from '../../domain/changes/changed-before.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { ChangesPage } from '../../use-cases/changes/list-changes.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, sentence } from '../blocks/blocks.ts';
import { loadMoreButton } from '../blocks/buttons/load-more-button.ts';
import { type SinceRequest, writeRequest } from '../blocks/buttons/since-request.ts';
import type { Cell } from '../blocks/data-table.ts';
import { changedWhen, changedWords } from '../blocks/incident/change-words.ts';
import { listMessage } from '../blocks/list.ts';
import { joined, type Markup, mrkdwn, person } from '../blocks/text.ts';
import { atNear, time } from '../blocks/times.ts';

export const MORE_CHANGES = 'changes.more';

export interface ChangesOptions {
  readonly environments: readonly Environment[];
  /** How long changes are kept. */
  readonly retentionDays: number;
  readonly now: Date;
}

/** Builds the list of changes around environments, newest first, with the time since when Notif knows them. */
export function changesMessage(page: ChangesPage, request: SinceRequest, options: ChangesOptions): MessageContent {
  const { changes, hasOlder } = page;
  const isMore = (shown: number) => hasOlder || shown < changes.length;
  return listMessage({
    caption: (shown) => captionOf(shown, isMore(shown), request, options),
    columns: ['Change', 'When', 'Reported by', 'Environment'],
    rows: changes.map((change) => ({ cells: cellsOf(change, options) })),
    notes: comparedLines(page, request, options),
    buttons: (shown) => {
      const last = changes[shown - 1];
      const next = last !== undefined && isMore(shown) ? writeRequest({ ...request, olderThan: last.id }) : null;
      return loadMoreButton(MORE_CHANGES, next);
    },
  });
}

function captionOf(shown: number, isMore: boolean, request: SinceRequest, { environments }: ChangesOptions): Markup {
  const { since, olderThan } = request;
  const where = joined(
    request.environments.map((name) => badge(labelled(name, environments))),
    ', ',
  );
  const place = mrkdwn`${where} since ${time(since, 'day')}`;
  const older = olderThan === null ? '' : ' older';
  if (shown === 0) return mrkdwn`No${older} changes in ${place} (integrations, workflows, deploys).`;
  return mrkdwn`${shown}${older} ${shown === 1 ? 'change' : 'changes'} in ${place}${isMore ? '; there are more' : ''}`;
}

function cellsOf(change: EnvironmentChange, { environments }: ChangesOptions): Cell[] {
  const { what, environment } = change;
  const by = what.kind === 'deploy' && what.by !== null ? person(what.by) : '';
  return [changedWords(what), changedWhen(change), by, badge(labelled(environment, environments))];
}

/** Lists what Notif can't detect, so that nobody reads too much into an empty list. */
function comparedLines({ compared }: ChangesPage, request: SinceRequest, options: ChangesOptions): Markup[] {
  const known = request.environments.map((name) => {
    const label = badge(labelled(name, options.environments));
    const one = compared.find(({ environment }) => environment === name);
    return one === undefined
      ? mrkdwn`⚠️ ${label}: integrations not compared yet`
      : mrkdwn`${label}: integrations compared since ${time(one.since, 'day')}, last ${atNear(one.lastAt, options.now, 'minute')}`;
  });
  return [
    ...known,
    mrkdwn`Notif reads no credentials: a rotated key isn't listed. Kept for ${options.retentionDays} days.`,
  ];
}

/** Builds the confirmation for the person who reported a deploy. */
export function deployNoted(name: string, environment: Environment, isNew: boolean): MessageContent {
  const text = isNew
    ? mrkdwn`🚀 Deploy noted in ${badge(environment)}: ${name}. An incident that begins within ${describeDuration(MAY_EXPLAIN_MS)} names it.`
    : mrkdwn`This deploy was noted in ${badge(environment)} a moment ago: ${name}.`;
  return sentence(text);
}
