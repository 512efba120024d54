import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { OpenIncident, OpenIncidents } from '../../../health/home.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { actions, button, context, type MessageContent, message, section } from '../../kit/blocks.ts';
import { Count, valueParser, writeValue } from '../../kit/button-value.ts';
import { offsetButtons } from '../../kit/buttons.ts';
import { fitCount } from '../../kit/fit.ts';
import { incidentActions } from '../../kit/incident/incident-menu.ts';
import { incidentText } from '../../kit/incident/incident-row.ts';
import { titleWords } from '../../kit/incident/incident-words.ts';
import { badge, grouped, joined, type Markup, mrkdwn, plural } from '../../kit/text.ts';

export const ALL_INCIDENTS = 'home.incidents';
export const INCIDENTS_BACK = 'home.incidents-back';
export const NEXT_INCIDENTS = 'home.incidents-next';

export const ROWS_A_PAGE = 10;

export function openIncidentRow(incident: OpenIncident, environments: readonly Environment[]): KnownBlock[] {
  const { tally } = incident;
  const where = environments.length > 1 ? badge(labelled(tally.kind.environment, environments)) : null;
  const text = incidentText(incident, { beside: where, cause: null, namesPeople: true, isTerse: false });
  return [section(joined([text, ...mutedLine(incident)], '\n')), incidentActions(incident, null)];
}

function mutedLine({ mutedIn }: OpenIncident): Markup[] {
  if (mutedIn === 0) return [];
  return [mutedIn === 1 ? mrkdwn`🔕 muted in 1 watch` : mrkdwn`🔕 muted in ${mutedIn} watches`];
}

export function incidentsButton({ total }: OpenIncidents): Button {
  return button(`All ${grouped(total)} open incidents`, ALL_INCIDENTS, writeOffset(0));
}

/** The next page begins after those that fit. */
export function openIncidentsMessage(open: OpenIncidents, environments: readonly Environment[]): MessageContent {
  const { incidents, offset, total } = open;
  if (incidents.length === 0) return emptyPage(total);
  const title = (shown: number) => mrkdwn`Open incidents ${offset + 1}–${offset + shown} of ${total}, what fails first`;
  const rows = incidents.map((incident) => openIncidentRow(incident, environments));
  const { blocks, shown } = fitCount(rows.length, (count) => [
    context(title(count)),
    ...rows.slice(0, count).flat(),
    ...actions(turns(offset, count, total)),
  ]);
  return message(joined([title(shown), ...incidents.slice(0, shown).map(titleWords)], '. '), blocks);
}

function emptyPage(total: number): MessageContent {
  const left = mrkdwn`Only ${plural(total, 'open incident')} ${total === 1 ? 'is' : 'are'} left.`;
  const what = total === 0 ? mrkdwn`No incident is open now.` : left;
  const back = total === 0 ? [] : [button('Back to start', INCIDENTS_BACK, writeOffset(0))];
  return message(what, [section(what), ...actions(back)]);
}

function turns(offset: number, shown: number, total: number) {
  const page = { offset, shown, pageSize: ROWS_A_PAGE, hasNext: offset + shown < total };
  return offsetButtons('incidents', page, { previous: INCIDENTS_BACK, next: NEXT_INCIDENTS, write: writeOffset });
}

function writeOffset(offset: number): string {
  return writeValue([String(offset)]);
}

/** Counted from 0. */
export const parseOffset = valueParser(z.tuple([Count]).transform(([offset]) => offset));
