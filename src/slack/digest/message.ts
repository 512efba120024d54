import type { KnownBlock } from '@slack/types';
import type { DigestContent } from '../../domain/alerting/delivery.ts';
import { type ExplainCause, errorOf } from '../../domain/causes/explain-cause.ts';
import type { Environment } from '../../domain/environment.ts';
import { isOverIn } from '../../domain/incidents/incident.ts';
import { actions, button, context, divider, header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { type Fitted, fitRows } from '../blocks/fit.ts';
import { type IncidentRowOptions, incidentRow, incidentSentence } from '../blocks/incident/incident-row.ts';
import { reasonWords } from '../blocks/incident/state-words.ts';
import { type Markup, mention, mrkdwn, plural, sentences } from '../blocks/text.ts';
import { coverageLines, heldBackLine } from './coverage-message.ts';
import { writeDigestPage } from './page-message.ts';
import { digestTitle, isResolved, reasonsIn } from './title-message.ts';

export const SHOW_INCIDENTS = 'digest.show';

const MOST_SPOKEN = 3;

export interface DigestOptions {
  readonly environment: Pick<Environment, 'label'>;
  /** An earlier post of it may already be in the channel, and Notif couldn't find out. */
  readonly possibleRepeat: boolean;
  /** The message is posted, not edited: mentions notify people. */
  readonly isNew: boolean;
  readonly explainCause: ExplainCause;
}

/**
 * Rebuilding it from newer content updates its rows. Its text marks a possible duplicate too: Slack may refuse the
 * blocks.
 */
export function digestMessage(content: DigestContent, options: DigestOptions): MessageContent {
  const text = fallbackText(content, options.environment);
  return message(options.possibleRepeat ? mrkdwn`${REPEAT} ${text}` : text, blocksOf(content, options));
}

/** Rows that don't fit are shortened; those that still don't fit are behind [Show more]. */
function blocksOf(content: DigestContent, options: DigestOptions): Fitted['blocks'] {
  const full = fitted(content, options, false);
  const { blocks, shown } = full.shown < content.rows.length ? fitted(content, options, true) : full;
  const hidden = content.rows.length - shown;
  if (hidden === 0) return blocks;
  return blocksOf(shortened(content, shown), options);
}

/** The rows left out count among the incidents beyond its rows. */
function shortened(content: DigestContent, shown: number): DigestContent {
  const { over, resolved } = content.moreStates;
  const left = content.rows.slice(shown);
  return {
    ...content,
    rows: content.rows.slice(0, shown),
    moreIncidents: content.moreIncidents + left.length,
    moreStates: {
      over: over + left.filter(({ state }) => isOverIn(state.is)).length,
      resolved: resolved + left.filter(isResolved).length,
    },
  };
}

function fitted(content: DigestContent, options: DigestOptions, isTerse: boolean): Fitted {
  const rows = rowBlocks(content, { isTerse, namesPeople: !options.isNew, explainCause: options.explainCause });
  return fitRows(head(content, options), rows, foot(content), () => mrkdwn`…`);
}

/** The mention is above the header, which is plain text. */
function head(content: DigestContent, { environment, possibleRepeat }: DigestOptions): KnownBlock[] {
  const lines = [...sumLine(content), ...heldBackLine(content.heldBack), ...(possibleRepeat ? [REPEAT] : [])];
  return [
    ...(content.mention === null ? [] : [section(mention(content.mention))]),
    header(digestTitle(content, environment)),
    ...(lines.length === 0 ? [] : [context(...lines)]),
  ];
}

function sumLine({ rows }: Pick<DigestContent, 'rows'>): Markup[] {
  const failures = rows.reduce((sum, { tally }) => sum + tally.failures, 0);
  return rows.length < 2 ? [] : [mrkdwn`${plural(failures, 'failure')} in these ${rows.length} incidents`];
}

export const REPEAT = mrkdwn`⚠️ Possible duplicate: this may already have been posted. Notif can't read the channel history to check.`;

/** Tests come last, under a line that says so: nobody has to get up for them. */
function rowBlocks(
  { id, rows }: DigestContent,
  {
    explainCause,
    ...drawing
  }: Pick<IncidentRowOptions, 'isTerse' | 'namesPeople'> & Pick<DigestOptions, 'explainCause'>,
): KnownBlock[][] {
  const firstTest = rows.findIndex(({ tally }) => tally.group.isTest);
  return rows.map((row, index) => [
    index === firstTest ? context(mrkdwn`*Tests*: marked as tests by the service`) : divider(),
    ...incidentRow(row, {
      ...drawing,
      messageId: id,
      beside: reasonWords(row),
      cause: drawing.isTerse ? null : explainCause(errorOf(row.tally.group)),
    }),
  ]);
}

function foot(content: DigestContent): KnownBlock[] {
  const { id, rows, moreIncidents } = content;
  const coverage = context(...coverageLines(content));
  if (moreIncidents === 0) return [divider(), coverage];
  const rest = writeDigestPage({ digestId: id, offset: rows.length });
  const more = mrkdwn`${plural(moreIncidents, 'more incident')}`;
  return [divider(), context(more), ...actions([button('Show more', SHOW_INCIDENTS, rest)]), coverage];
}

function fallbackText(content: DigestContent, { label }: Pick<Environment, 'label'>): Markup {
  const whom = content.mention === null ? mrkdwn`` : mrkdwn`${mention(content.mention)} `;
  const said = [
    mrkdwn`${label}: ${reasonsIn(content)}`,
    ...content.rows.slice(0, MOST_SPOKEN).map((row) => incidentSentence(row, reasonWords(row))),
  ];
  return mrkdwn`${whom}${sentences(said)}`;
}
