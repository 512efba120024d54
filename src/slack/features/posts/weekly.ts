import type { FailureFilter } from '../../../judging/filter.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import { messageWithId } from '../../../outbox/messages.ts';
import { Summarized } from '../../../reports/summary.ts';
import {
  type EnvironmentWeek,
  isLate,
  outbreaksBegun,
  type TargetKept,
  type WeekWorkflow,
} from '../../../reports/week.ts';
import { percentOf } from '../../../watches/setting-values.ts';
import { watchWithId } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { silenceWords } from '../../incident-view/open-words.ts';
import { actions, button, context, header, type MessageBlock, section } from '../../kit/blocks.ts';
import { parseSingle, writeValue } from '../../kit/button-values.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import { type Cell, dataTable } from '../../kit/data-table.ts';
import { filterWords } from '../../kit/filter-words.ts';
import { fittingMessage, type MessageContent } from '../../kit/message.ts';
import { failedShare, latencyWords } from '../../kit/outcomes.ts';
import { badge, code, grouped, joined, type Line, mrkdwn, plural } from '../../kit/text.ts';
import { datedWindow, windowsWords } from '../../kit/times.ts';
import type { Flow } from '../../router/command.ts';
import { answerRoute, routesFor } from '../../router/route.ts';
import type { ContentOf } from './content.ts';

const WEEKLY_FILE = 'weekly.file';

const MOST_ENVIRONMENTS = 10;

export function weeklyMessage(content: ContentOf<'weekly'>, configured: readonly Environment[]): MessageContent {
  const { id, range, filter, environments } = content;
  const left = environments.length - MOST_ENVIRONMENTS;
  const labelOf = ({ environment }: EnvironmentWeek): string => labeled(environment, configured).label;
  const cells = environments.flatMap((week) =>
    week.workflows.map((workflow) => [...cellsOf(workflow), ...(environments.length > 1 ? [labelOf(week)] : [])]),
  );
  return fittingMessage(cells.length, (shown) => [
    header('📋 Weekly summary'),
    context(datedWindow(range), filterWords(filter)),
    ...environments
      .slice(0, MOST_ENVIRONMENTS)
      .map((week) => section(linesOf(week, labelOf(week), { filter, since: range.from }))),
    context(left > 0 && mrkdwn`and ${plural(left, 'more environment')}`),
    ...workflowsTable(cells.slice(0, shown), environments.length > 1),
    ...actions([
      environments.some(({ incidents }) => incidents > 0) && button('Download CSV', WEEKLY_FILE, writeValue([id])),
    ]),
  ]);
}

function workflowsTable(rows: readonly (readonly Cell[])[], hasSeveral: boolean): readonly MessageBlock[] {
  if (rows.length === 0) return [];
  const columns = ['Workflow', 'Failed', 'The week before', '95th percentile', 'The week before'];
  return [
    dataTable({
      caption: 'Workflows that failed or became late, the worst first',
      columns: [...columns, ...(hasSeveral ? ['Environment'] : [])],
      rows,
    }),
  ];
}

function cellsOf(workflow: WeekWorkflow): readonly Cell[] {
  const { before, p95Ms } = workflow;
  const name = maskedId(workflow.workflow === '' ? 'deleted workflow' : workflow.workflow);
  const latency = (ms: number | null): string => (ms === null ? '' : latencyWords(ms));
  return [
    `${isLate(workflow) ? '🐢 ' : ''}${name}`,
    { text: failedWords(workflow), sortBy: workflow.failed },
    before === null ? '' : failedWords(before),
    latency(p95Ms),
    before === null ? '' : latency(before.p95Ms),
  ];
}

const failedWords = ({ failed, attempts }: Pick<WeekWorkflow, 'failed' | 'attempts'>): string =>
  `${grouped(failed)} of ${grouped(attempts)}${failedShare(failed, attempts)}`;

function linesOf(
  week: EnvironmentWeek,
  label: string,
  { filter, since }: { filter: FailureFilter; since: Date },
): readonly Line[] {
  const { incidents, incidentsBefore, notLookedAt, target, missing, silent, workflows } = week;
  const before = incidentsBefore === null ? '' : ` (the week before ${incidentsBefore})`;
  const late = workflows.filter(isLate).length;
  const day = since.toISOString().slice(0, 10);
  const unseen = `/notif history unseen: since:${day} env:${week.environment}`;
  return [
    joined([
      badge({ label }),
      mrkdwn`*${plural(incidents, 'incident')}*${before}`,
      `${failedWords(week)} failed`,
      filterWords(filter) !== null && 'of what this watch covers',
    ]),
    joined([...mediansOf(week), notLookedAt > 0 && mrkdwn`*${notLookedAt} that nobody looked at*: ${code(unseen)}`]),
    target !== null && targetWords(target),
    late > 0 && mrkdwn`🐢 ${plural(late, 'workflow is', 'workflows are')} more than twice as late as the week before`,
    ...silent.map((each) => silenceWords(each, label)),
    missing.length > 0 && mrkdwn`⚠️ Not checked: ${windowsWords(missing, datedWindow)}`,
  ];
}

function mediansOf({ acknowledgedMs, endedMs }: EnvironmentWeek): readonly Line[] {
  return [
    acknowledgedMs !== null && `acknowledged in ${describeDuration(acknowledgedMs)}`,
    endedMs !== null && `over in ${describeDuration(endedMs)} (medians)`,
  ];
}

function targetWords({ share, daysKept, days }: TargetKept): Line {
  if (days === 0) return null;
  const kept = daysKept === days ? '✅ kept each day' : mrkdwn`⚠️ kept on ${daysKept} of ${plural(days, 'day')}`;
  return mrkdwn`Target ${percentOf(share)}%: ${kept}`;
}

const COLUMNS = ['incident', 'environment', 'channel', 'provider', 'cause', 'began', 'acknowledged', 'ended'];
const COUNTS = ['failures', 'people', 'looked at'];

export function weeklyFlow(ctx: SlackCtx): Flow {
  return {
    commands: [],
    routes: routesFor('members', [
      answerRoute(WEEKLY_FILE, parseSingle, (id, { userId }) => sendWeek(ctx, id, userId)),
    ]),
  };
}

/** Sends the outbreaks that a weekly summary counts, as they are known now. */
async function sendWeek(ctx: SlackCtx, messageId: string, userId: string): Promise<MessageContent> {
  const message = await messageWithId(ctx.db, messageId);
  const watch = message?.owner == null ? null : await watchWithId(ctx.db, message.owner);
  const about = Summarized.safeParse(message?.content).data;
  if (watch === null || about === undefined)
    throw new InputError(
      'summary',
      'This summary is no longer kept, or its watch has ended.',
      null,
      'Incidents: /notif history.',
    );
  const { environments, ...range } = about;
  const lines: string[][] = [[...COLUMNS, ...COUNTS]];
  for (const environment of environments) {
    const { label } = labeled(environment, ctx.environments);
    for (const outbreak of await outbreaksBegun(ctx.db, environment, watch.settings.filter, range))
      lines.push([
        `#${outbreak.id}`,
        label,
        outbreak.channel,
        outbreak.provider ?? '',
        outbreak.cause,
        ...[outbreak.beganAt, outbreak.acknowledgedAt, outbreak.endedAt].map((at) => at?.toISOString() ?? ''),
        `${outbreak.failures}`,
        `${outbreak.subscribers}`,
        outbreak.isLookedAt ? 'yes' : 'no',
      ]);
  }
  const day = range.from.toISOString().slice(0, 10);
  return sendCsv(ctx, userId, { name: `week-of-${day}`, title: `Incidents of the week of ${day}`, lines });
}
