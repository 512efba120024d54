import type { KnownBlock } from '@slack/types';
import type { DigestContent, DigestRow } from '../../domain/delivery.ts';
import type { Environment } from '../../domain/environment.ts';
import { ANNOUNCED_VERDICTS, type AnnouncedVerdict } from '../../domain/verdict.ts';
import { actions, button, context, divider, header, type MessageContent, message } from '../blocks/blocks.ts';
import { countedLine } from '../blocks/counted-line.ts';
import { fitRows } from '../blocks/fit.ts';
import { groupRow, groupSentence, percent } from '../blocks/group-row.ts';
import { grouped, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { VERDICT_EMOJI } from '../blocks/verdict-word.ts';
import { writeDigestPage } from './page-message.ts';

/** [Show]: the groups beyond a digest's rows. [List]: the groups behind what it only counts. */
export const SHOW_GROUPS = 'digest.show';
export const LIST_COUNTED = 'digest.list';

const MOST_SPOKEN = 3;

export interface DigestOptions {
  readonly environment: Pick<Environment, 'label'>;
  /** An earlier post of it may stand in the channel already: nobody could find out. */
  readonly possibleRepeat: boolean;
}

/** The message in which a watch announces new groups; redrawn from newer content, its rows have counted on. */
export function digestMessage(content: DigestContent, options: DigestOptions): MessageContent {
  return message(spoken(content, options.environment), blocksOf(content, options));
}

/** Rows that do not fit are groups behind [Show] like any other. */
function blocksOf(content: DigestContent, { environment, possibleRepeat }: DigestOptions): readonly KnownBlock[] {
  const head = [
    header(title(content, environment)),
    context(...coverage(content)),
    ...(possibleRepeat ? [context(REPEAT)] : []),
  ];
  const { blocks, shown } = fitRows(head, rowBlocks(content.rows), foot(content), () => mrkdwn`…`);
  const hidden = content.rows.length - shown;
  if (hidden === 0) return blocks;
  const shorter = { ...content, rows: content.rows.slice(0, shown), moreGroups: content.moreGroups + hidden };
  return blocksOf(shorter, { environment, possibleRepeat });
}

const REPEAT = mrkdwn`⚠️ Possible repeat: an earlier post of this message may have arrived, and the channel's history can not be read.`;

function title(content: DigestContent, { label }: Pick<Environment, 'label'>): string {
  const { rows, moreGroups, counted } = content;
  if (rows.length + moreGroups === 0)
    return `⚪ ${label} · no new failures${total(counted) > 0 ? `, ${grouped(total(counted))} counted` : ''}`;
  const emoji = VERDICT_EMOJI[gravestOf(rows)];
  return `${emoji} ${label} · ${newGroups(content)}`;
}

/** What was going on before Notif started is not new. */
function newGroups({ rows, moreGroups, isFirst }: DigestContent): string {
  const groups = rows.length + moreGroups;
  return `${grouped(groups)} ${isFirst ? '' : 'new '}failure ${groups === 1 ? 'group' : 'groups'}`;
}

function gravestOf(rows: readonly DigestRow[]): AnnouncedVerdict {
  return ANNOUNCED_VERDICTS.find((verdict) => rows.some(({ tally }) => tally.verdict === verdict)) ?? 'failed';
}

/** What was read, from when to when, and what of it could not be read. */
function coverage({ covered, eventsRead, failedEvents, unreadable, isFirst }: DigestContent): Markup[] {
  const failed =
    failedEvents > 0 && eventsRead > 0 ? [mrkdwn`${failedEvents} failed (${percent(failedEvents, eventsRead)})`] : [];
  const missing = unreadable > 0 ? [mrkdwn`${unreadable} could not be read`] : [];
  const facts = [
    mrkdwn`${time(covered.from)} – ${time(covered.to)}`,
    mrkdwn`${plural(eventsRead, 'event')} read`,
    ...failed,
    ...missing,
  ];
  return [joined(facts, ' · '), ...(isFirst ? [FIRST] : [])];
}

const FIRST = mrkdwn`The first look: it covers the hour before Notif started.`;

/** Test-flagged groups come last, under a line that says so: nobody has to get up for them. */
function rowBlocks(rows: readonly DigestRow[]): KnownBlock[][] {
  const firstTest = rows.findIndex(({ tally }) => tally.group.isTest);
  return rows.map(({ tally, workflowEvents }, index) => [
    index === firstTest ? context(mrkdwn`*Tests*: marked as tests by the service`) : divider(),
    groupRow(tally, workflowEvents),
  ]);
}

function foot({ id, rows, counted, moreGroups }: DigestContent): KnownBlock[] {
  const lines = [
    ...(total(counted) > 0 ? [countedLine(counted)] : []),
    ...(moreGroups > 0 ? [mrkdwn`${moreGroups} more ${moreGroups === 1 ? 'group' : 'groups'}`] : []),
  ];
  if (lines.length === 0) return [];
  const buttons = [
    ...(total(counted) > 0
      ? [button('List', LIST_COUNTED, writeDigestPage({ digestId: id, of: 'counted', offset: 0 }))]
      : []),
    ...(moreGroups > 0
      ? [button('Show', SHOW_GROUPS, writeDigestPage({ digestId: id, of: 'announced', offset: rows.length }))]
      : []),
  ];
  return [divider(), context(...lines), ...actions(buttons)];
}

function total(counts: DigestContent['counted']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function spoken(content: DigestContent, environment: Pick<Environment, 'label'>): Markup {
  const { rows, moreGroups, counted } = content;
  const sentences = rows.slice(0, MOST_SPOKEN).map(({ tally }) => mrkdwn` ${groupSentence(tally)}.`);
  const also = total(counted) > 0 ? mrkdwn` ${countedLine(counted)}.` : mrkdwn``;
  const what = rows.length + moreGroups === 0 ? 'no new failures' : newGroups(content);
  return mrkdwn`${environment.label}: ${what}.${joined(sentences, '')}${also}`;
}
