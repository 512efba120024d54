import type { GapContent } from '../../domain/alerting/delivery.ts';
import { type Environment, labelled } from '../../domain/environment.ts';
import { explainGap } from '../../domain/health/explain-gap.ts';
import type { Gap } from '../../domain/polling/gap.ts';
import { header, type MessageContent, message, section } from '../blocks/blocks.ts';
import { datedWindow, timeAfter, windowsWords } from '../blocks/incident/window-words.ts';
import { joined, type Markup, mention, mrkdwn, plural } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** An environment that was not read for a while: what is missing and why, whether it is read again, and how that ended. */
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
  /** What it has come to, in a word. */
  readonly title: { readonly emoji: string; readonly words: string };
  readonly lines: readonly Markup[];
}

function wordsOf(gap: Gap, { why, next }: { readonly why: string; readonly next: Markup[] }): GapWords {
  const { from, to, closedAt, givenUp, unread } = gap;
  if (to === null) {
    return {
      title: { emoji: '⚠️', words: "can't be read" },
      lines: [mrkdwn`Not checked since ${time(from, 'day')}: ${why}.`, ...next, UNTOLD],
    };
  }
  const was = mrkdwn`Not checked from ${time(from, 'day')} to ${timeAfter(from, to)}: ${why}.`;
  if (closedAt === null) {
    const left = unread.length === 0 ? [] : [mrkdwn`Still to be checked: ${windowsWords(unread, datedWindow)}.`];
    return {
      title: { emoji: '⏳', words: 'is read again, catching up' },
      lines: [was, mrkdwn`Read again since ${timeAfter(from, to)}.`, ...left, ...found(gap)],
    };
  }
  if (givenUp.length > 0) {
    const lost = mrkdwn`*Not recovered: ${windowsWords(givenUp, datedWindow)}.* Failures in that window were never reported.`;
    return {
      title: { emoji: '⚠️', words: 'part of the time stays unread' },
      lines: [was, lost, mrkdwn`The rest: ${foundWords(gap)}.`],
    };
  }
  return {
    title: { emoji: '✅', words: 'caught up' },
    lines: [was, mrkdwn`Closed at ${timeAfter(from, closedAt)}: ${foundWords(gap)}.`],
  };
}

const UNTOLD = mrkdwn`Failures in the meantime are reported as soon as events can be read again.`;

function found(gap: Gap): Markup[] {
  return gap.events === 0 ? [] : [mrkdwn`So far ${foundWords(gap)}.`];
}

function foundWords({ events, failures }: Gap): Markup {
  return mrkdwn`${plural(events, 'event')} checked, ${failures} failed`;
}

/** One that is no longer configured has no variables to check. */
function reasonOf(gap: Gap, environments: readonly Environment[]): { readonly why: string; readonly next: Markup[] } {
  const environment = environments.find(({ name }) => name === gap.environment);
  const { why, next } = explainGap(
    gap.cause,
    environment ?? { apiUrlVariable: 'its address', apiKeyVariable: 'its key' },
  );
  return { why, next: next === null ? [] : [mrkdwn`${next}`] };
}
