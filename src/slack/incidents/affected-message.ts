import type { KnownBlock } from '@slack/types';
import type { ActionTarget, Affected, InCommon } from '../../domain/incidents/incident-actions.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { actions, button, context, type MessageContent, message, section, table } from '../blocks/blocks.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';
import { groupCause, percent } from '../blocks/incident/group-words.ts';
import { parseTargetAndOthers, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { incidentHeading } from '../blocks/incident/incident-words.ts';
import { windowNear } from '../blocks/incident/window-words.ts';
import { code, grouped, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { timeNear } from '../blocks/times.ts';

/** The pages of whom an episode hit, and [Download CSV]: all of them as a file, to the person alone. */
export const AFFECTED_BACK = 'incident.affected-back';
export const NEXT_AFFECTED = 'incident.affected-next';
export const AFFECTED_FILE = 'incident.affected-file';

export const AFFECTED_A_PAGE = 20;
/** How many lines fit in a section: with the longest IDs a line has some 400 characters. */
const LINES_A_SECTION = 5;

/** An episode's affected subscribers from an offset counted from 0. */
export interface AffectedPage extends ActionTarget {
  readonly offset: number;
}

/**
 * Builds a page of an episode's affected subscribers in the order of their IDs. The first page also shows what their failures have in
 * common.
 */
export function affectedMessage(
  page: AffectedPage,
  now: IncidentNow,
  hit: readonly Affected[],
  common: InCommon | null,
): MessageContent {
  const { offset } = page;
  const { tally } = now;
  const total = Math.max(tally.subscribers, offset + hit.length);
  const values = common === null ? [] : commonTable(common);
  if (hit.length === 0) return total === 0 ? nobody(now, values) : noLongerKept(page, now, values);
  const shown = mrkdwn`Subscribers ${offset + 1}–${offset + hit.length} of ${total}, by their IDs`;
  return message(mrkdwn`${incidentHeading(now)}. ${shown}.`, [
    section(joined([incidentHeading(now), groupCause(tally)], '\n')),
    context(shown, ...(values.length === 0 ? [] : [lookedAt(common, tally)])),
    ...inSections(hit.map((one) => lineOf(one, now.asOf))),
    ...actions([...turns(page, hit.length, total), button('Download CSV', AFFECTED_FILE, writeActionTarget(page))]),
    ...values,
  ]);
}

function nobody(now: IncidentNow, values: readonly KnownBlock[]): MessageContent {
  const { failures } = now.tally;
  const what = failures === 1 ? mrkdwn`its failure names` : mrkdwn`its ${plural(failures, 'failure')} name`;
  const words = mrkdwn`${incidentHeading(now)}: ${what} no subscriber.`;
  return message(words, [section(words), ...values]);
}

/** Failures name subscribers, but those of this page were deleted since. */
function noLongerKept(page: AffectedPage, now: IncidentNow, values: readonly KnownBlock[]): MessageContent {
  const words = mrkdwn`${incidentHeading(now)}: these subscribers are no longer kept.`;
  return message(words, [section(words), ...actions(turns(page, 0, 0)), ...values]);
}

function lookedAt(common: InCommon | null, { failures }: IncidentNow['tally']): Markup {
  const looked = common?.failures ?? 0;
  const of = looked < failures ? mrkdwn`the last ${plural(looked, 'failure')} have` : mrkdwn`they have`;
  return mrkdwn`Below: what ${of} in common`;
}

/** Builds the table of labels with their most frequent values. Only the person who asked sees it. */
function commonTable({ failures, values }: InCommon): KnownBlock[] {
  if (values.length === 0) return [];
  const rows = values.map((one, index) => {
    const isFirst = values[index - 1]?.kind !== one.kind;
    const kind = one.ofValues === 1 ? one.kind : `${one.kind} (${one.ofValues})`;
    const share = percent(one.failures, failures);
    return [isFirst ? kind : '', shownId(one.value, 'requester'), grouped(one.failures), share];
  });
  return [table([['What', 'Value', 'Failures', 'Share'], ...rows], 2)];
}

function lineOf({ subscriberId, failures, firstSeen, lastSeen }: Affected, asOf: Date): Markup {
  const when =
    failures === 1
      ? timeNear(firstSeen, asOf, 'seconds')
      : mrkdwn`${plural(failures, 'failure')}, ${windowNear(asOf)({ from: firstSeen, to: lastSeen })}`;
  return mrkdwn`${code(subscriberId)} · ${when}`;
}

function inSections(lines: readonly Markup[]) {
  const sections = [];
  for (let from = 0; from < lines.length; from += LINES_A_SECTION) {
    sections.push(section(joined(lines.slice(from, from + LINES_A_SECTION), '\n')));
  }
  return sections;
}

function turns(page: AffectedPage, shown: number, total: number) {
  const { offset } = page;
  return offsetButtons(
    'subscribers',
    { offset, shown, pageSize: AFFECTED_A_PAGE, hasNext: shown === AFFECTED_A_PAGE && offset + shown < total },
    { previous: AFFECTED_BACK, next: NEXT_AFFECTED, write: (at) => writeAffectedPage({ ...page, offset: at }) },
  );
}

export function writeAffectedPage(page: AffectedPage): string {
  return writeActionTarget(page, String(page.offset));
}

/** Parses a value of `writeAffectedPage`. Null for anything else. */
export function parseAffectedPage(value: string): AffectedPage | null {
  const parsed = parseTargetAndOthers(value);
  const [offset = '', ...rest] = parsed?.others ?? [];
  if (parsed === null || rest.length > 0 || !/^\d{1,9}$/.test(offset)) return null;
  return { ...parsed.target, offset: Number(offset) };
}
