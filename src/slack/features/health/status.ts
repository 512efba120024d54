import { type DoctorCtx, type Examined, examineSetUp } from '../../../health/doctor.ts';
import type { Finding } from '../../../health/finding.ts';
import { checkAll, type EnvironmentStatus, reportStatus, type Status, type StatusCtx } from '../../../health/status.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { context, folded, section } from '../../kit/blocks.ts';
import { type MessageContent, rowsMessage } from '../../kit/message.ts';
import { badge, bold, channelLink, code, joined, listed, mention, mrkdwn, plural, present } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { ALL_UP_TO_DATE, headlineWords } from '../../kit/words/watch-words.ts';
import type { Command } from '../../router/command.ts';

type CheckingCtx = StatusCtx & Pick<SlackCtx, 'checkNow'>;

const ABOUT_EVERYTHING = { usage: '', examples: [], filters: [] };

export function statusCommand(ctx: CheckingCtx): Command {
  return {
    ...ABOUT_EVERYTHING,
    word: 'status',
    for: 'everyone',
    about: 'how far everything is checked, what is wrong and what to do about it',
    answer: async () => statusMessage(await statusNow(ctx)),
  };
}

export async function statusNow(ctx: CheckingCtx): Promise<Status> {
  return reportStatus(ctx, await checkAll(ctx.environments, ctx.checkNow));
}

export function statusMessage(status: Status): MessageContent {
  const { running, at } = status;
  const environments = status.environments.toSorted(bySeverity);
  const wrong = environments.filter(isAbnormal);
  const fine = environments.filter((read) => !isAbnormal(read)).map(({ environment }) => badge(environment));
  const headline = statusHeadline(status);
  const rows = present([
    ...wrong.map(environmentWords),
    ...troubleRows(status),
    fine.length > 0 && headline !== ALL_UP_TO_DATE && mrkdwn`✅ ${listed(fine)} · up to date`,
  ]);
  const since = mrkdwn`Notif ${running.version} since ${time(running.startedAt, 'day')}`;
  const foot = joined([mrkdwn`As of ${time(at)}`, since], ' · ');
  return rowsMessage(
    [section(headline)],
    rows.map((row) => [section(row)]),
    [context(foot)],
    (left) => plural(left, 'more problem'),
  );
}

export function statusHeadline({ store, environments, troubles, at }: Status) {
  const isWrong = environments.some(isAbnormal) || troubles.some(({ is }) => is === 'problem');
  const { waiting, oldest } = store?.backlog ?? { waiting: 0, oldest: null };
  const waited = describeDuration(at.getTime() - (oldest ?? at).getTime());
  const points = present([
    isWrong && mrkdwn`⚠️ *Not everything is up to date*`,
    ...(store ? headlineWords(store.open, store.mutes) : []),
    waiting > 0 && mrkdwn`⏳ ${plural(waiting, 'message')} pending, oldest ${waited}`,
  ]);
  return points.length > 0 ? joined(points, ' · ') : ALL_UP_TO_DATE;
}

const EMOJI: Readonly<Record<EnvironmentStatus['condition']['is'], string>> = {
  problem: '🔴',
  unknown: '⚠️',
  advice: '🟡',
  fine: '✅',
};
const ORDER = Object.keys(EMOJI);

const CHECKING: { [Outcome in NonNullable<EnvironmentStatus['check']>]?: string } = {
  'still checking': 'still being checked',
  failed: 'the check just now failed',
};

const checkWords = ({ check }: EnvironmentStatus) => (check && CHECKING[check]) ?? null;

function isAbnormal(read: EnvironmentStatus): boolean {
  return read.condition.is !== 'fine' || checkWords(read) !== null;
}

export function bySeverity(a: EnvironmentStatus, b: EnvironmentStatus): number {
  const rank = (read: EnvironmentStatus) => ORDER.indexOf(read.condition.is) + Number(!isAbnormal(read));
  return rank(a) - rank(b);
}

export function environmentWords(read: EnvironmentStatus) {
  const { environment, health } = read;
  const { is, words, what, next } = read.condition;
  const checking = is === 'problem' ? null : checkWords(read);
  const isSure = is !== 'fine' || checking === null;
  const facts = [
    mrkdwn`${isSure ? EMOJI[is] : '⚪'} ${badge(environment)}`,
    isSure && words,
    checking,
    health?.lastSuccessAt ? mrkdwn`as of ${time(health.checkedTo)}` : null,
  ];
  return joined([joined(facts, ' · '), what, next], '\n');
}

export function troubleRows({ troubles }: Status) {
  return troubles.map((trouble) => joined([mrkdwn`${EMOJI[trouble.is]} ${whatOf(trouble)}`, trouble.next], '\n'));
}

/** For every member, since nobody may be an operator yet. It names variables and scopes, never values. */
export function doctorCommand(ctx: DoctorCtx): Command {
  return {
    ...ABOUT_EVERYTHING,
    word: 'doctor',
    for: 'members',
    about: 'check the setup and see how to fix problems',
    answer: async () => doctorMessage(await examineSetUp(ctx), ctx.now()),
  };
}

export function doctorMessage(examined: readonly Examined[], at: Date): MessageContent {
  const findings = examined
    .flatMap(({ subject, findings }) => findings.map((finding) => ({ subject, ...finding })))
    .toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is));
  const passed = examined.filter(({ findings }) => findings.length === 0).map(({ subject }) => subject);
  const [worst] = findings;
  const count = worst !== undefined && mrkdwn`${EMOJI[worst.is]} ${plural(findings.length, 'finding')}`;
  const headline = joined([count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`], ' · ');
  const rows = findings.map((finding) => {
    const { subject, is, next } = finding;
    const lines = [mrkdwn`${EMOJI[is]} ${bold(subject)} · ${is}`, whatOf(finding), mrkdwn`Next: ${next}`];
    return [section(joined(lines, '\n'))];
  });
  const foot = [
    passed.length > 0 && folded('Passed', [section(joined(passed, ' · '))]),
    context(mrkdwn`As of ${time(at)}`),
  ];
  return rowsMessage([section(bold(headline))], rows, foot, (left) => {
    return mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;
  });
}

const MOST_FOUND = 10;

function whatOf({ what, about }: Finding) {
  const names = about.map(({ kind, id }) =>
    kind === 'word' ? code(id) : kind === 'channel' ? channelLink(id) : mention({ kind, id }),
  );
  return joined([what, listed(names, ', ', MOST_FOUND)], ' ');
}
