import { type OnCall, onCallNow } from '../../../health/on-call.ts';
import { type EnvironmentStatus, reportStatus, type Status, type StatusCtx } from '../../../health/status.ts';
import { describeDuration, MINUTE_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { ALL_UP_TO_DATE, mutesWords, openWords, silenceWords } from '../../incident-view/open-words.ts';
import { context, section } from '../../kit/blocks.ts';
import { type MessageContent, rowsMessage } from '../../kit/message.ts';
import { badge, joined, listed, type Markup, mrkdwn, plural, present } from '../../kit/text.ts';
import { aheadWords, time } from '../../kit/times.ts';
import { onCallWords } from '../../kit/watch-words.ts';
import type { Command } from '../../router/command.ts';
import { EMOJI, ORDER, whatOf } from './doctor.ts';

export function statusCommand(ctx: StatusCtx & Pick<SlackCtx, 'checkNow' | 'workspace'>): Command {
  return {
    usage: '',
    examples: [],
    filters: [],
    word: 'status',
    purpose: 'notif',
    for: 'everyone',
    about: 'how far everything is checked, what is wrong and what to do about it',
    answer: async () => {
      const [status, onCall] = await Promise.all([reportStatus(ctx, ctx.checkNow), onCallNow(ctx, () => true)]);
      return statusMessage(status, onCall);
    },
  };
}

export function statusMessage(status: Status, onCall: readonly OnCall[] = []): MessageContent {
  const { running, at } = status;
  const environments = status.environments.toSorted(bySeverity);
  const wrong = environments.filter(isAbnormal);
  const fine = environments.filter((checked) => !isAbnormal(checked)).map(({ environment }) => badge(environment));
  const headline = statusHeadline(status);
  const rows = present([
    ...wrong.map(environmentWords),
    ...troubleRows(status),
    ...environments.map(waitingWords),
    ...environments.map(clockWords),
    fine.length > 0 && headline !== ALL_UP_TO_DATE && mrkdwn`✅ ${listed(fine)} · up to date`,
  ]);
  return rowsMessage(
    [section(headline)],
    rows.map((row) => [section(row)]),
    [
      context(
        onCallWords(onCall),
        mrkdwn`As of ${time(at, 'seconds')} · Notif ${running.version} since ${time(running.startedAt)}`,
      ),
    ],
    (left) => plural(left, 'more problem'),
  );
}

function waitingWords({ environment, health }: EnvironmentStatus) {
  if (health === null || health.waiting === 0) return null;
  const next = health.nextWaitEndsAt && mrkdwn`the next due ${time(health.nextWaitEndsAt)}`;
  const what = mrkdwn`⏳ ${badge(environment)} · ${plural(health.waiting, 'event')} with long waits`;
  return joined([what, next], ', ');
}

function clockWords({ environment, health }: EnvironmentStatus) {
  const aheadMs = health?.clockAheadMs ?? 0;
  return aheadMs < MINUTE_MS ? null : joined([mrkdwn`🕑 ${badge(environment)}`, aheadWords(aheadMs)]);
}

export function statusHeadline({ store, environments, troubles, at }: Status): Markup {
  const isWrong = environments.some(isAbnormal) || troubles.some(({ is }) => is === 'problem');
  const { waiting, oldest } = store?.backlog ?? { waiting: 0, oldest: null };
  const waited = describeDuration(at.getTime() - (oldest ?? at).getTime());
  const points = present([
    isWrong && mrkdwn`⚠️ *Not everything is up to date*`,
    ...environments.flatMap(({ environment, open, silences }) => [
      ...openWords(open, environments.length > 1 && mrkdwn`in ${badge(environment)}`),
      ...silences.map((silent) => silenceWords(silent, environment.label)),
    ]),
    store && mutesWords(store.mutes),
    waiting > 0 && mrkdwn`⏳ ${plural(waiting, 'message')} pending, oldest ${waited}`,
  ]);
  return points.length > 0 ? joined(points) : ALL_UP_TO_DATE;
}

const isAbnormal = ({ condition }: EnvironmentStatus) => condition.is !== 'fine';
export const bySeverity = (a: EnvironmentStatus, b: EnvironmentStatus): number =>
  ORDER.indexOf(a.condition.is) - ORDER.indexOf(b.condition.is);

export function environmentWords({
  environment,
  health,
  condition: { is, words, what, next },
}: EnvironmentStatus): Markup {
  const facts = [
    mrkdwn`${EMOJI[is]} ${badge(environment)}`,
    words,
    health?.lastSuccessAt ? mrkdwn`as of ${time(health.checkedTo, 'seconds')}` : null,
  ];
  return joined([joined(facts), what, next], '\n');
}

export function troubleRows({ troubles }: Status): Markup[] {
  return troubles.map((trouble) => joined([mrkdwn`${EMOJI[trouble.is]} ${whatOf(trouble)}`, trouble.next], '\n'));
}
