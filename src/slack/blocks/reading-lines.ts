import { ServiceError } from '../../domain/errors.ts';
import { explainServiceProblem } from '../../domain/explain.ts';
import type { EnvironmentHealth } from '../../domain/health.ts';
import { describeDuration } from '../../domain/span.ts';
import type { EnvironmentStatus, ReadingCondition } from '../../domain/status.ts';
import { badge } from './badge.ts';
import { joined, type Markup, mrkdwn, plural } from './text.ts';
import { time } from './times.ts';

/** Each condition in a few words, behind the environment's name. */
export const READING_WORDS: Readonly<Record<ReadingCondition, string>> = {
  fine: 'is read',
  late: 'is read; late failures are looked for later than planned',
  'catching-up': 'is read; what was missed is being read',
  'not-read-yet': 'was not read yet',
  failing: 'can not be read',
  silent: 'is not being read',
  unknown: 'is not known',
};

const EMOJI: Readonly<Record<ReadingCondition, string>> = {
  fine: '✅',
  late: '🟡',
  'catching-up': '⏳',
  'not-read-yet': '⏳',
  failing: '🔴',
  silent: '🔴',
  unknown: '⚠️',
};

/** Whether it belongs in the first line. */
export function isWrong(condition: ReadingCondition): boolean {
  return condition !== 'fine';
}

/** A line of how the reading goes, one of what is wrong with what to do next, and one of figures. */
export function environmentLines(status: EnvironmentStatus, at: Date): Markup[] {
  const { environment, condition, health } = status;
  const facts = health === null ? [] : [readTo(health, at)];
  return [
    joined([mrkdwn`${EMOJI[condition]} ${badge(environment)} ${READING_WORDS[condition]}`, ...facts], ' · '),
    ...trouble(status, at),
    joined(figures(status), ' · '),
  ];
}

function readTo({ readTo: to }: EnvironmentHealth, at: Date): Markup {
  return mrkdwn`read to ${time(to)}, ${ago(to, at)}`;
}

function trouble({ condition, health, environment }: EnvironmentStatus, at: Date): Markup[] {
  if (health === null) return [];
  switch (condition) {
    case 'failing': {
      const since =
        health.failingSince === null ? '' : ` For ${describeDuration(at.getTime() - health.failingSince.getTime())}.`;
      if (health.problem === null) return [mrkdwn`Each round fails.${since}`];
      const error = new ServiceError(environment.name, 'listEvents', health.problem);
      const { what, next } = explainServiceProblem(error, environment);
      return [mrkdwn`${what}${since}`, mrkdwn`${next}`];
    }
    case 'silent': {
      const last =
        health.lastSuccessAt === null ? mrkdwn`` : mrkdwn` The last one began ${ago(health.lastSuccessAt, at)}.`;
      return [mrkdwn`No round has read all that is new, and none has failed.${last}`, mrkdwn`${STUCK}`];
    }
    case 'catching-up':
      return [mrkdwn`${plural(health.openGaps, 'gap')}: ${describeDuration(health.unreadMs)} still to be read.`];
    case 'late':
      return [mrkdwn`Late failures are looked for ${describeDuration(health.behindMs)} later than planned.`];
    default:
      return [];
  }
}

const STUCK = 'If it stays so, look for job failed or job cut off in the log, then restart Notif.';

/** A clock that is off by less is nobody's trouble. */
const CLOCK_WORTH_TELLING_MS = 60_000;

function figures({ health, load, condition }: EnvironmentStatus): Markup[] {
  const left =
    load.remaining === null ? 'rate limit not told' : mrkdwn`${plural(load.remaining, 'request')} left in its window`;
  const waiting = load.waitingPeople === 0 ? [] : [mrkdwn`${plural(load.waitingPeople, 'request')} of people waiting`];
  if (health === null) return [mrkdwn`${left}`, ...waiting];
  const { openGaps, unreadMs, behindMs, clockAheadMs } = health;
  const gaps =
    openGaps === 0 || condition === 'catching-up'
      ? []
      : [mrkdwn`${plural(openGaps, 'gap')} open, ${describeDuration(unreadMs)} to be read`];
  const late =
    behindMs === 0 || condition === 'late' ? [] : [mrkdwn`late failures ${describeDuration(behindMs)} behind`];
  return [mrkdwn`${left}`, ...waiting, ...gaps, ...late, ...clock(clockAheadMs)];
}

function clock(aheadMs: number | null): Markup[] {
  if (aheadMs === null || Math.abs(aheadMs) < CLOCK_WORTH_TELLING_MS) return [];
  return [mrkdwn`its clock is ${describeDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ours`];
}

function ago(then: Date, at: Date): string {
  return `${describeDuration(at.getTime() - then.getTime())} ago`;
}
