import type { GapContent } from '../../domain/alerting/delivery.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { explainGap } from '../../domain/health/explain-gap.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { datedWindow, windowsWords } from '../blocks/incident/window-words.ts';
import { joined, type Markup, mention, mrkdwn, plural } from '../blocks/text.ts';
import { time, timeNear } from '../blocks/times.ts';

export function gapMessage({ gap, mention: whom }: GapContent, environments: readonly Environment[]): MessageContent {
  const { label } = labelled(gap.environment, environments);
  const { title, lines } = wordsOf(gap, reasonOf(gap, environments));
  const called = whom === null ? [] : [mention(whom)];
  return message(joined([...called, mrkdwn`${label}: ${title.words}.`, ...lines], ' '), [
    ...called.map((one) => section(one)),
    header(`${title.emoji} ${label} · ${title.words}`),
    section(joined(lines, '\n')),
  ]);
}

interface GapWords {
  readonly title: { readonly emoji: string; readonly words: string };
  readonly lines: readonly Markup[];
}

function wordsOf(gap: Gap, { why, next }: { readonly why: string; readonly next: Markup[] }): GapWords {
  const { from, to, closedAt, givenUp, unchecked } = gap;
  if (to === null) {
    return {
      title: { emoji: '⚠️', words: "can't be read" },
      lines: [mrkdwn`Not checked since ${time(from, 'day')}: ${why}.`, ...next, REPORTED_LATER],
    };
  }
  const was = mrkdwn`Not checked from ${time(from, 'day')} to ${timeNear(to, from)}: ${why}.`;
  if (closedAt === null) {
    const left = unchecked.length === 0 ? [] : [mrkdwn`Still to be checked: ${windowsWords(unchecked, datedWindow)}.`];
    return {
      title: { emoji: '⏳', words: 'reading again, catching up' },
      lines: [was, mrkdwn`Reading again since ${timeNear(to, from)}.`, ...left, ...found(gap)],
    };
  }
  if (givenUp.length > 0) {
    const lost = mrkdwn`*Not recovered: ${windowsWords(givenUp, datedWindow)}.* Failures in that window were never reported.`;
    return {
      title: { emoji: '⚠️', words: 'part of the time stays unchecked' },
      lines: [was, lost, mrkdwn`The rest: ${foundWords(gap)}.`],
    };
  }
  return {
    title: { emoji: '✅', words: 'caught up' },
    lines: [was, mrkdwn`Closed at ${timeNear(closedAt, from)}: ${foundWords(gap)}.`],
  };
}

const REPORTED_LATER = mrkdwn`Failures in the meantime are reported as soon as events can be read again.`;

function found(gap: Gap): Markup[] {
  return gap.events === 0 ? [] : [mrkdwn`So far ${foundWords(gap)}.`];
}

function foundWords({ events, failures }: Gap): Markup {
  return mrkdwn`${plural(events, 'event')} checked, ${failures} failed`;
}

/** An environment that is no longer configured has no variables to check. */
function reasonOf(gap: Gap, environments: readonly Environment[]): { readonly why: string; readonly next: Markup[] } {
  const environment = environments.find(({ name }) => name === gap.environment);
  const { why, next } = explainGap(
    gap.cause,
    environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' },
  );
  return { why, next: next === null ? [] : [mrkdwn`${next}`] };
}
