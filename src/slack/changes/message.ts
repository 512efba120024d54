import type { EnvironmentChange } from '../../domain/changes/change.ts';
import { MAY_EXPLAIN_MS } from '../../domain/changes/changed-before.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { describeDuration } from '../../domain/time/time-range.ts';
import type { ChangesPage } from '../../use-cases/changes/list-changes.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, sentence } from '../blocks/blocks.ts';
import type { Cell } from '../blocks/data-table.ts';
import { changedWhen, changedWords } from '../blocks/incident/change-words.ts';
import { listMessage, olderThan } from '../blocks/list.ts';
import { moreSinceButton, type SinceRequest, sinceCaption } from '../blocks/since-request.ts';
import { type Markup, mrkdwn, person } from '../blocks/text.ts';
import { atNear, time } from '../blocks/times.ts';

export const MORE_CHANGES = 'changes.more';

export interface ChangesOptions {
  readonly environments: readonly Environment[];
  readonly retentionDays: number;
  readonly now: Date;
}

export function changesMessage(page: ChangesPage, request: SinceRequest, options: ChangesOptions): MessageContent {
  const { changes, hasOlder } = page;
  const last = (shown: number) => olderThan(changes, hasOlder, shown);
  return listMessage({
    caption: (shown) => {
      const caption = sinceCaption(request, options.environments, { shown, isMore: last(shown) !== null });
      return shown === 0 ? mrkdwn`${caption} (integrations, workflows, deploys)` : caption;
    },
    columns: ['Change', 'When', 'Reported by', 'Environment'],
    rows: changes.map((change) => ({ cells: cellsOf(change, options) })),
    notes: comparedLines(page, request, options),
    buttons: (shown) => moreSinceButton(MORE_CHANGES, request, last(shown)?.id),
  });
}

function cellsOf(change: EnvironmentChange, { environments }: ChangesOptions): Cell[] {
  const { what, environment } = change;
  const by = what.kind === 'deploy' && what.by !== null ? person(what.by) : '';
  return [changedWords(what), changedWhen(change), by, badge(labelled(environment, environments))];
}

/** So that nobody reads too much into an empty list. */
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

export function deployNoted(name: string, environment: Environment, isNew: boolean): MessageContent {
  const text = isNew
    ? mrkdwn`🚀 Deploy noted in ${badge(environment)}: ${name}. An incident that begins within ${describeDuration(MAY_EXPLAIN_MS)} names it.`
    : mrkdwn`This deploy was noted in ${badge(environment)} a moment ago: ${name}.`;
  return sentence(text);
}
