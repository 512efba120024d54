import { type Environment, labelled } from '../../domain/environment.ts';
import type { HandedEnvironment, Handover } from '../../domain/health/handover.ts';
import { firstOf } from '../blocks/first-of.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { timeNear } from '../blocks/times.ts';

const MOST_NAMED = 10;

/** Says which parts are empty, and as of when this is true for each environment. */
export function checkedLines(handover: Handover, configured: readonly Environment[]): Markup[] {
  const { environments, changes, mutes, tests } = handover;
  const none = [
    ...(changes.items.length + changes.unknown.length === 0 ? ['changes'] : []),
    ...(mutes.items.length === 0 ? ['mutes that end soon'] : []),
    ...(tests.items.length === 0 ? ['tests'] : []),
    ...(environments.every(({ gaps, unchecked }) => gaps.length + unchecked.length === 0) ? ['gaps'] : []),
  ];
  const without = none.length === 0 ? [] : [mrkdwn`No ${none.join(', no ')}`];
  return [joined([...without, ...uncompared(handover, configured), ...checked(handover, configured)], ' · ')];
}

function uncompared({ changes: { unknown } }: Handover, configured: readonly Environment[]): Markup[] {
  if (unknown.length === 0) return [];
  const labels = unknown.map((name) => labelled(name, configured).label);
  return [mrkdwn`changes of integrations not known yet of ${joined(firstOf(labels, MOST_NAMED), ', ')}`];
}

/** Names all environments or, of many, those that are furthest behind. */
function checked({ environments, range }: Handover, configured: readonly Environment[]): Markup[] {
  const facts = (some: readonly HandedEnvironment[]) =>
    some.map(({ name, checkedTo }) => {
      const { label } = labelled(name, configured);
      return checkedTo === null
        ? mrkdwn`${label} not checked yet`
        : mrkdwn`${label} checked to ${timeNear(checkedTo, range.to, 'seconds')}`;
    });
  if (environments.length <= MOST_NAMED) return facts(environments);
  const behindFirst = [...environments].sort((a, b) => reached(a) - reached(b));
  const rest = behindFirst.slice(MOST_NAMED);
  const [first] = rest;
  const to = first?.checkedTo ?? null;
  const others =
    to === null
      ? mrkdwn`${rest.length} more, some of them not checked yet`
      : mrkdwn`${rest.length} more to ${timeNear(to, range.to, 'seconds')} or later`;
  return [...facts(behindFirst.slice(0, MOST_NAMED)), others];
}

function reached({ checkedTo }: HandedEnvironment): number {
  return checkedTo?.getTime() ?? 0;
}
