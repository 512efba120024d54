import type { Backlog } from '../../../digests/outbox.ts';
import { type Checked, type DoctorCtx, examineSetUp, type Finding } from '../../../health/doctor.ts';
import { explainReading } from '../../../health/explain.ts';
import {
  type BehindLoop,
  checkAll,
  type EnvironmentStatus,
  type ReadingCondition,
  reportStatus,
  type Status,
  type StatusCtx,
} from '../../../health/status.ts';
import { STORE_TROUBLES } from '../../../health/store-trouble.ts';
import { InputError } from '../../../lib/errors.ts';
import { SECOND_MS } from '../../../lib/time/durations.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, folded, type MessageContent, message, section } from '../../kit/blocks.ts';
import { fitRows } from '../../kit/fit.ts';
import {
  applying,
  badge,
  bold,
  channelLink,
  code,
  firstOf,
  joined,
  type Markup,
  mention,
  mrkdwn,
  plural,
  sentences,
} from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { headlineWords } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';

export type CheckingCtx = StatusCtx & Pick<SlackCtx, 'checkNow'>;

export function statusCommand(ctx: CheckingCtx): Command {
  const about = 'how far everything is checked, what is wrong and what to do about it';
  return aboutEverything('status', about, 'everyone', async () => statusMessage(await statusNow(ctx)));
}

export async function statusNow(ctx: CheckingCtx): Promise<Status> {
  return reportStatus(ctx, await checkAll(ctx.environments, ctx.checkNow));
}

const MOST_NAMED = 20;

export function statusMessage(status: Status): MessageContent {
  const { environments, running, store, at } = status;
  const wrong = environments.filter(isAbnormal);
  const fine = environments.filter((read) => !isAbnormal(read)).map(({ environment }) => badge(environment));
  const isMixed = wrong.length > 0 && fine.length > 0;
  const headline = statusHeadline(status);
  const rows = [
    ...wrong.map((read) => environmentWords(read, at)),
    ...(isMixed ? [mrkdwn`✅ ${joined(firstOf(fine, MOST_NAMED), ', ')} · up to date`] : []),
    ...furtherTrouble(status),
  ];
  const since = mrkdwn`Notif ${running.version} since ${time(running.startedAt, 'day')}`;
  const replicas = store === null || store.replicas === 1 ? [] : [plural(store.replicas, 'replica')];
  const foot = joined([mrkdwn`As of ${time(at)}`, since, ...replicas], ' · ');
  const { blocks } = fitRows(
    [section(headline)],
    rows.map((row) => [section(row)]),
    [context(foot)],
    (left) => plural(left, 'more problem'),
  );
  return message(joined([headline, ...rows, foot], '\n'), blocks);
}

function pendingWords({ waiting, oldest, oldestHeldUp }: Backlog, at: Date): Markup[] {
  if (waiting === 0) return [];
  const age = describeDuration(at.getTime() - (oldest ?? at).getTime());
  const blocked = oldestHeldUp === null ? ', blocked by channel problems' : '';
  return [mrkdwn`⏳ ${plural(waiting, 'message')} pending, oldest ${age}${blocked}`];
}

export function statusHeadline({ store, environments, slack, behind, at }: Status): Markup {
  if (store === null)
    return mrkdwn`⚠️ *${STORE_TROUBLES['not-answering'].what}* No events are checked and no alerts sent.`;
  const points = [...headlineWords(store.open, store.mutes), ...pendingWords(store.backlog, at)];
  const isAllWell =
    environments.every((environment) => !isAbnormal(environment)) && slack.isConnected && behind.length === 0;
  if (points.length > 0) return joined(points, ' · ');
  return isAllWell && store.trouble === null
    ? mrkdwn`✅ *All up to date: events checked, alerts sent*`
    : mrkdwn`⚠️ *Not everything is up to date*`;
}

const READINGS: Readonly<Record<ReadingCondition, readonly [emoji: string, words: string]>> = {
  fine: ['✅', 'up to date'],
  late: ['🟡', 'up to date, checks for late failures delayed'],
  incomplete: ['🟡', "up to date, couldn't read everything"],
  'catching-up': ['⏳', 'up to date, catching up on gaps'],
  'not-read-yet': ['⏳', 'not checked yet'],
  failing: ['🔴', "can't read events"],
  'waits-for-store': ['🔴', 'waits for the database'],
  silent: ['🔴', 'polling stalled'],
  unknown: ['⚠️', 'status unknown'],
};

export function isAbnormal({ condition, check }: EnvironmentStatus): boolean {
  return condition !== 'fine' || check === 'failed' || check === 'still checking';
}

export function environmentWords(status: EnvironmentStatus, at: Date): Markup {
  const { environment, condition, health, check } = status;
  const [emoji, words] = READINGS[condition];
  const isPending = check === 'still checking';
  const facts = [
    mrkdwn`${condition === 'fine' && isPending ? '⚪' : emoji} ${badge(environment)} · ${words}`,
    isPending && mrkdwn`still being checked`,
    check === 'failed' && condition !== 'failing' && mrkdwn`the check just now failed`,
    health?.lastSuccessAt ? mrkdwn`as of ${time(health.checkedTo)}` : null,
  ];
  const { what = '', next = '' } = explainReading(status, at) ?? {};
  const explained = [what, next].filter((line) => line !== '').map((line) => mrkdwn`${line}`);
  const { openGaps, uncheckedMs } = health ?? { openGaps: 0, uncheckedMs: 0 };
  const hasGaps = uncheckedMs > 0 && condition !== 'catching-up';
  const gaps = hasGaps && mrkdwn`${plural(openGaps, 'gap')} open, ${describeDuration(uncheckedMs)} not checked yet`;
  return joined([joined(facts, ' · '), ...explained, gaps], '\n');
}

function furtherTrouble({ slack, behind, store, at }: Status): Markup[] {
  const { isConnected, lastTrouble: failed } = slack;
  const trouble = store?.trouble ?? null;
  const { what, next } = STORE_TROUBLES[trouble ?? 'not-answering'];
  const refusals = (store?.editRefusals ?? []).map(
    ({ channel, reason }) => mrkdwn`${channelLink(channel)} (${code(reason)})`,
  );
  const refused = mrkdwn`Slack refuses edits in ${joined(firstOf(refusals, MOST_NAMED), ', ')}: counts don't update there`;
  const lines = [
    trouble !== null && mrkdwn`${what} ${next}`,
    !isConnected && mrkdwn`${slack.trouble ?? 'Slack: not connected, reconnecting'}`,
    failed !== null &&
      mrkdwn`Slack: last failed call ${code(failed.method)} (${code(failed.word)}), ${ago(failed.at, at)}`,
    ...behind.map(behindWords),
    refusals.length > 0 && refused,
  ];
  return applying(lines).map((line) => mrkdwn`⚠️ ${line}`);
}

function behindWords({ name, delays, lastSuccessAt }: BehindLoop): Markup {
  const last = lastSuccessAt === null ? 'has not succeeded yet' : mrkdwn`last succeeded ${time(lastSuccessAt)}`;
  return mrkdwn`${delays} are behind: ${code(name)} ${last}. See ${code('Loop failed')} and ${code('Loop timed out')} in the log, then restart Notif.`;
}

function ago(then: Date, at: Date): string {
  const ms = at.getTime() - then.getTime();
  return ms < SECOND_MS ? 'just now' : `${describeDuration(ms)} ago`;
}

/** For every member, since nobody may be an operator yet. It names variables and scopes, never values. */
export function doctorCommand(ctx: DoctorCtx): Command {
  const about = 'check the setup and see how to fix problems';
  return aboutEverything('doctor', about, 'members', async () => doctorMessage(await examineSetUp(ctx), ctx.now()));
}

function aboutEverything(
  word: string,
  about: string,
  access: Command['for'],
  contentOf: () => Promise<MessageContent>,
): Command {
  return {
    ...{ word, about, usage: '', examples: [], filters: [], for: access },
    answer: async ({ words: [extra] }, { reply }) => {
      const command = `/notif ${word}`;
      if (extra !== undefined)
        throw new InputError(word, `${command} is about everything: leave ${extra} out.`, command);
      await reply.show(await contentOf());
    },
  };
}

const EMOJI: Readonly<Record<Finding['is'], string>> = { problem: '🔴', unknown: '⚠️', advice: '🟡' };
const ORDER = Object.keys(EMOJI);

export function doctorMessage(checked: readonly Checked[], at: Date): MessageContent {
  const found = checked
    .flatMap(({ subject, findings }) => findings.map((finding) => ({ subject, ...finding })))
    .toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is));
  const passed = checked.filter(({ findings }) => findings.length === 0).map(({ subject }) => subject);
  const [worst] = found;
  const count = worst === undefined ? [] : [mrkdwn`${EMOJI[worst.is]} ${plural(found.length, 'finding')}`];
  const headline = joined([...count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`], ' · ');
  const lines = found.map(linesOf);
  const rows = lines.map((some) => [section(joined(some, '\n'))]);
  const { blocks } = fitRows([section(bold(headline))], rows, [], (left) => {
    return mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;
  });
  return message(joined([headline, ...lines.map(sentences)], '\n'), [
    ...blocks,
    ...(passed.length === 0 ? [] : [folded('Passed', [section(mrkdwn`${passed.join(' · ')}`)])]),
    context(mrkdwn`As of ${time(at)}`),
  ]);
}

const MOST_FOUND = 10;

function linesOf({ subject, is, what, about, next }: Finding & { subject: string }): Markup[] {
  const names = about.map(({ kind, id }) =>
    kind === 'word' ? code(id) : kind === 'channel' ? channelLink(id) : mention({ kind, id }),
  );
  const named = names.length === 0 ? '' : mrkdwn` ${joined(firstOf(names, MOST_FOUND), ', ')}`;
  return [mrkdwn`${EMOJI[is]} ${bold(subject)} · ${is}`, mrkdwn`${what}${named}`, mrkdwn`Next: ${next}`];
}
