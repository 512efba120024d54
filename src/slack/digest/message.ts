import type { KnownBlock } from '@slack/types';
import type { DigestContent } from '../../domain/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { actions, button, context, divider, header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { countedLine } from '../blocks/counted-line.ts';
import { type Fitted, fitRows } from '../blocks/fit.ts';
import { incidentRow, incidentSentence } from '../blocks/incident-row.ts';
import { reasonWords } from '../blocks/state-words.ts';
import { type Markup, mention, mrkdwn, sentences } from '../blocks/text.ts';
import { coverageLines } from './coverage-message.ts';
import { writeDigestPage } from './page-message.ts';
import { countedTotal, digestTitle, newsIn } from './title-message.ts';

/** [Show]: the groups beyond a digest's rows. [List]: the groups behind what it only counts. */
export const SHOW_GROUPS = 'digest.show';
export const LIST_COUNTED = 'digest.list';

const MOST_SPOKEN = 3;

export interface DigestOptions {
  readonly environment: Pick<Environment, 'label'>;
  /** An earlier post of it may stand in the channel already: nobody could find out. */
  readonly possibleRepeat: boolean;
  /** It is posted and not edited: whoever it names is notified. */
  readonly isNew: boolean;
}

/** The message in which a watch announces groups; redrawn from newer content, its rows have counted on. */
export function digestMessage(content: DigestContent, options: DigestOptions): MessageContent {
  return message(spoken(content, options.environment), blocksOf(content, options));
}

/** Where not all rows fit they say less; those that still do not fit are groups behind [Show] like any other. */
function blocksOf(content: DigestContent, options: DigestOptions): readonly KnownBlock[] {
  const full = fitted(content, options, false);
  const { blocks, shown } = full.shown < content.rows.length ? fitted(content, options, true) : full;
  const hidden = content.rows.length - shown;
  if (hidden === 0) return blocks;
  const shorter = { ...content, rows: content.rows.slice(0, shown), moreGroups: content.moreGroups + hidden };
  return blocksOf(shorter, options);
}

function fitted(content: DigestContent, options: DigestOptions, isTerse: boolean): Fitted {
  const rows = rowBlocks(content, { isTerse, namesPeople: !options.isNew });
  return fitRows(head(content, options), rows, foot(content), () => mrkdwn`…`);
}

/** The header is text alone: a mention stands before it. */
function head(content: DigestContent, { environment, possibleRepeat }: DigestOptions): KnownBlock[] {
  return [
    ...(content.mention === null ? [] : [section(mention(content.mention))]),
    header(digestTitle(content, environment)),
    context(...coverageLines(content), ...(possibleRepeat ? [REPEAT] : [])),
  ];
}

export const REPEAT = mrkdwn`⚠️ Possible duplicate: this may already have been posted. Notif can't read the channel history to check.`;

/** Test-flagged groups come last, under a line that says so: nobody has to get up for them. */
function rowBlocks(
  { id, rows }: DigestContent,
  drawing: { readonly isTerse: boolean; readonly namesPeople: boolean },
): KnownBlock[][] {
  const firstTest = rows.findIndex(({ tally }) => tally.group.isTest);
  return rows.map((row, index) => [
    index === firstTest ? context(mrkdwn`*Tests*: marked as tests by the service`) : divider(),
    ...incidentRow(row, { ...drawing, deliveryId: id, reason: reasonWords(row) }),
  ]);
}

function foot({ id, rows, counted, moreGroups }: DigestContent): KnownBlock[] {
  const hasCounted = countedTotal(counted) > 0;
  const lines = [
    ...(hasCounted ? [countedLine(counted)] : []),
    ...(moreGroups > 0 ? [mrkdwn`${moreGroups} more ${moreGroups === 1 ? 'group' : 'groups'}`] : []),
  ];
  if (lines.length === 0) return [];
  const list = writeDigestPage({ digestId: id, of: 'counted', offset: 0 });
  const rest = writeDigestPage({ digestId: id, of: 'announced', offset: rows.length });
  const buttons = [
    ...(hasCounted ? [button('List', LIST_COUNTED, list)] : []),
    ...(moreGroups > 0 ? [button('Show', SHOW_GROUPS, rest)] : []),
  ];
  return [divider(), context(...lines), ...actions(buttons)];
}

function spoken(content: DigestContent, { label }: Pick<Environment, 'label'>): Markup {
  const whom = content.mention === null ? mrkdwn`` : mrkdwn`${mention(content.mention)} `;
  const also = countedTotal(content.counted) > 0 ? [countedLine(content.counted)] : [];
  const said = [
    mrkdwn`${label}: ${newsIn(content)}`,
    ...content.rows.slice(0, MOST_SPOKEN).map((row) => incidentSentence(row, reasonWords(row))),
    ...also,
  ];
  return mrkdwn`${whom}${sentences(said)}`;
}
