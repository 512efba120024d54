import type { KnownBlock } from '@slack/types';
import { type ExplainCause, errorOf } from '../../../causes/explain-cause.ts';
import { toldOf } from '../../../digests/content.ts';
import { GROWTH } from '../../../digests/decide.ts';
import type { DigestContent, DigestRow } from '../../../digests/message.ts';
import { type IncidentNow, isOver } from '../../../incidents/incident.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import {
  actions,
  button,
  context,
  divider,
  header,
  type MessageContent,
  message,
  section,
  sentence,
} from '../../kit/blocks.ts';
import { parseOnly, writeValue } from '../../kit/button-value.ts';
import { fitRows } from '../../kit/fit.ts';
import { incidentOption, incidentRow, LOOK_UP_INCIDENT, numberOf, rowEmoji } from '../../kit/incident/incident-row.ts';
import { incidentSentence, incidentTitle, titleText } from '../../kit/incident/incident-words.ts';
import { countWords, listMessage } from '../../kit/list.ts';
import {
  badge,
  code,
  grouped,
  joined,
  type Markup,
  mention,
  mrkdwn,
  pageLink,
  plural,
  sentences,
} from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Flow } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';

const MOST_SPOKEN = 3;

export interface DigestOptions {
  readonly environment: Pick<Environment, 'label'>;
  /** An earlier post of it may already be in the channel, and Notif couldn't find out. */
  readonly possibleRepeat: boolean;
  /** The message is posted, not edited: mentions notify people. */
  readonly isNew: boolean;
  readonly explainCause: ExplainCause;
}

export const REPEAT = mrkdwn`⚠️ Possible duplicate: this may already have been posted. Notif can't read the channel history to check.`;

/** Its text marks a possible duplicate too: Slack may refuse the blocks. */
export function digestMessage(content: DigestContent, options: DigestOptions): MessageContent {
  const text = fallbackText(content, options);
  const { blocks } = fitRows(head(content, options), rowBlocks(content, options), foot(content, options), (left) =>
    moreWords(left + content.moreIncidents),
  );
  return message(options.possibleRepeat ? mrkdwn`${REPEAT} ${text}` : text, blocks);
}

/** The mention is above the header, which is plain text. */
function head(content: DigestContent, { environment, possibleRepeat }: DigestOptions): KnownBlock[] {
  return [
    ...(content.mention === null ? [] : [section(mention(content.mention))]),
    ...(content.rows.length === 0 ? [] : [header(digestTitle(content, environment))]),
    ...(possibleRepeat ? [context(REPEAT)] : []),
    ...(content.rows.length === 0 ? [] : [divider()]),
  ];
}

/** Where, and who refuses what; of several the first, which matters most. Without markup. */
function digestTitle({ rows, moreIncidents, singles }: DigestContent, { label }: Pick<Environment, 'label'>): string {
  const [first] = rows;
  if (first === undefined)
    return `⚪ ${label} · ${grouped(singles.length)} single ${singles.length === 1 ? 'failure' : 'failures'}`;
  const count = rows.length + moreIncidents;
  const title = titleText(first.incident);
  const emoji = emojiOf(rows, moreIncidents);
  if (count === 1) return `${emoji} ${label} · ${title}`;
  const areNew = rows.every(({ reason }) => reason === 'new');
  return `${emoji} ${label} · ${grouped(count)} ${areNew ? 'new' : 'incidents'}: ${title} · +${grouped(count - 1)}`;
}

/** That of the first that still fails; green once all are resolved. */
function emojiOf(rows: readonly DigestRow[], moreIncidents: number): string {
  const firing = rows.find(({ incident }) => !isOver(incident.state));
  if (firing !== undefined) return rowEmoji(firing.incident);
  return moreIncidents === 0 && rows.every(({ incident }) => incident.state.is === 'resolved') ? '✅' : '⚪';
}

function rowBlocks({ id, channel, rows, moreIncidents }: DigestContent, options: DigestOptions): KnownBlock[][] {
  const isAlone = rows.length + moreIncidents === 1;
  return rows.map((row) => {
    const { incident, isContinued } = row;
    if (isContinued) {
      const title = isAlone ? [] : [incidentTitle(incident)];
      return [section(mrkdwn`🔁 ${joined([...title, numberOf(incident), mrkdwn`continued below`], ' · ')}`)];
    }
    const drawing = { messageId: id, namesPeople: !options.isNew, isTerse: !isAlone, isHeaded: isAlone };
    const cause = options.explainCause(errorOf(incident.tally.kind));
    return incidentRow(incident, { ...drawing, beside: reasonWords(row, channel), cause });
  });
}

/** Why it is told again; none for what is new, and where the facts say so. */
function reasonWords({ incident, reason, missed, grownFrom, olderTs }: DigestRow, channel: string): Markup | null {
  switch (reason) {
    case 'relapsed':
      return isOver(incident.state)
        ? null
        : olderTs === null
          ? mrkdwn`down again`
          : mrkdwn`down again after ${olderLink(channel, olderTs)}`;
    case 'grown':
      return grownFrom === null ? mrkdwn`up ${GROWTH}×` : mrkdwn`grew from ${grownFrom} to ${incident.tally.failures}`;
    case 'goes-on':
      return isOver(incident.state) ? null : mrkdwn`ongoing since ${time(incident.startedAt, 'day')}`;
    case 'missed':
      return missed === null ? mrkdwn`failed while muted` : mrkdwn`${missed} while muted`;
    default:
      return null;
  }
}

/** Slack's client opens its own links to messages. */
function olderLink(channel: string, ts: string): Markup {
  return pageLink(`https://slack.com/archives/${channel}/p${ts.replace('.', '')}`, 'the last time');
}

function foot({ id, rows, moreIncidents, singles }: DigestContent, { explainCause }: DigestOptions): KnownBlock[] {
  const page = writeValue([id]);
  const more =
    moreIncidents === 0
      ? []
      : [context(moreWords(moreIncidents)), ...actions([button('Show all', SHOW_INCIDENTS, page)])];
  if (singles.length === 0) return more.length === 0 ? [] : [divider(), ...more];
  return [
    ...(rows.length === 0 ? [] : [divider()]),
    ...more,
    section(singlesWords(singles, explainCause), button('View', SHOW_INCIDENTS, page)),
  ];
}

function moreWords(count: number): Markup {
  return mrkdwn`… and ${plural(count, 'more incident')}`;
}

const MOST_CAUSES = 4;

/** A recipient's own trouble: counted by cause. */
function singlesWords(singles: readonly IncidentNow[], explainCause: ExplainCause): Markup {
  const causes = new Map<string, number>();
  for (const { tally } of singles) {
    const cause = explainCause(errorOf(tally.kind));
    const text = cause.known ? cause.entry.meaning : tally.kind.cause.text;
    causes.set(text, (causes.get(text) ?? 0) + Math.max(1, tally.subscribers));
  }
  const counted = [...causes].map(([text, people]) => mrkdwn`${people}× ${text}`);
  const more = counted.length > MOST_CAUSES ? [mrkdwn`${counted.length - MOST_CAUSES} more causes`] : [];
  return mrkdwn`⚪ Single failures, no pattern: ${joined([...counted.slice(0, MOST_CAUSES), ...more], ' · ')}`;
}

function fallbackText(content: DigestContent, { environment: { label }, explainCause }: DigestOptions): Markup {
  const whom = content.mention === null ? mrkdwn`` : mrkdwn`${mention(content.mention)} `;
  if (content.rows.length === 0) return mrkdwn`${label}: ${singlesWords(content.singles, explainCause)}`;
  const said = content.rows
    .slice(0, MOST_SPOKEN)
    .map((row) => incidentSentence(row.incident, reasonWords(row, content.channel)));
  const more = content.rows.length + content.moreIncidents - said.length;
  const rest = more === 0 ? [] : [mrkdwn`and ${plural(more, 'more incident')}`];
  return mrkdwn`${whom}${label}: ${sentences([...said, ...rest])}`;
}

const SHOW_INCIDENTS = 'digest.show';

export function digestFlow({ db, environments, now }: SlackCtx): Flow {
  const routes = answerRoutes([SHOW_INCIDENTS], parseOnly, async (digestId) =>
    allMessage(await toldOf(db, digestId, null, now(), null), environments),
  );
  return { commands: [], routes: routesFor('everyone', routes) };
}

/** All that a digest tells of, as of now. */
export function allMessage(rows: readonly DigestRow[], environments: readonly Environment[]): MessageContent {
  const [first] = rows;
  if (first === undefined)
    return sentence(
      mrkdwn`The incidents in that message are no longer kept. ${code('/notif failures since:2h')} shows what fails now.`,
    );
  const where = badge(labelled(first.incident.tally.kind.environment, environments));
  return listMessage({
    caption: (shown) => mrkdwn`${where} · ${countWords('incident', { before: 0, shown, total: rows.length })}`,
    columns: ['Incident', 'What', 'Failures', 'People', 'Since'],
    rows: rows.map(({ incident }) => {
      const { id, tally, startedAt } = incident;
      return {
        cells: [
          { text: `${rowEmoji(incident)} #${id}`, sortBy: id },
          incidentTitle(incident),
          tally.failures,
          tally.subscribers,
          time(startedAt, 'day'),
        ],
        choice: incidentOption(incident),
      };
    }),
    lookUp: LOOK_UP_INCIDENT,
  });
}
