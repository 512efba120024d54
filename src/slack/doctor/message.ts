import type { KnownBlock } from '@slack/types';
import type { CheckResult, CheckVerdict, Concerned } from '../../domain/health/check-result.ts';
import { context, divider, type MessageContent, message, section } from '../blocks/blocks.ts';
import { firstOf } from '../blocks/first-of.ts';
import { fitRows } from '../blocks/fit.ts';
import { bold, channelLink, code, joined, type Markup, mention, mrkdwn, plural, sentences } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** Builds the result of the checks: problems first, then what is fine in one line each. The fallback text says the same. */
export function doctorMessage(results: readonly CheckResult[], at: Date): MessageContent {
  const open = results.filter(({ verdict }) => verdict !== 'fine');
  const fine = results.filter(({ verdict }) => verdict === 'fine');
  const rows = open.map((checkResult) => [section(joined(openLines(checkResult), '\n'))]);
  const foot = [...fineBlocks(fine), context(mrkdwn`As of ${time(at)}. ${UNSEEN}`)];
  const { blocks } = fitRows([section(bold(headline(results)))], rows, foot, moreFindings);
  return message(fallbackText(open, fine), blocks);
}

const UNSEEN =
  "Slack doesn't let Notif see its app's commands, shortcuts and events: after an update, compare them with the manifest.";

const moreFindings = (left: number): Markup =>
  mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;

const EMOJI: Readonly<Record<CheckVerdict, string>> = { problem: '🔴', unknown: '⚠️', advice: '🟡', fine: '✅' };

/** '🔴 2 problems · 🟡 1 recommendation · ✅ 14 fine' */
function headline(results: readonly CheckResult[]): Markup {
  const count = (wanted: CheckVerdict) => results.filter(({ verdict }) => verdict === wanted).length;
  const verdictWords = {
    problem: plural(count('problem'), 'problem'),
    unknown: mrkdwn`${count('unknown')} unknown`,
    advice: count('advice') === 1 ? mrkdwn`1 recommendation` : mrkdwn`${count('advice')} recommendations`,
    fine: mrkdwn`${count('fine')} fine`,
  };
  const verdicts = ['problem', 'unknown', 'advice', 'fine'] as const;
  return joined(
    verdicts
      .filter((verdict) => count(verdict) > 0)
      .map((verdict) => mrkdwn`${EMOJI[verdict]} ${verdictWords[verdict]}`),
    ' · ',
  );
}

function openLines(checkResult: CheckResult): Markup[] {
  const { subject, verdict, next } = checkResult;
  const first = mrkdwn`${EMOJI[verdict]} ${bold(subject)} · ${verdict}`;
  return [first, sentence(checkResult), ...(next === null ? [] : [mrkdwn`Next: ${next}`])];
}

const MOST_NAMED = 10;

function sentence({ what, about }: CheckResult): Markup {
  const names = firstOf(about.map(named), MOST_NAMED);
  return names.length === 0 ? mrkdwn`${what}` : mrkdwn`${what} ${joined(names, ', ')}`;
}

function named({ kind, id }: Concerned): Markup {
  switch (kind) {
    case 'channel':
      return channelLink(id);
    case 'person':
    case 'user-group':
      return mention({ kind, id });
    case 'word':
      return code(id);
  }
}

/** There are about seven lines for each environment. With many environments, those that aren't fine matter. */
const MOST_FINE = 30;
/** A line has some 80 characters; a text block holds no more lines. */
const LINES_A_BLOCK = 10;

function fineBlocks(fine: readonly CheckResult[]): KnownBlock[] {
  const lines = fine.slice(0, MOST_FINE).map(fineLine);
  const left = fine.length - lines.length;
  const parts = Array.from({ length: Math.ceil(lines.length / LINES_A_BLOCK) }, (_, part) =>
    context(...lines.slice(part * LINES_A_BLOCK, (part + 1) * LINES_A_BLOCK)),
  );
  return [
    ...(fine.length === 0 ? [] : [divider()]),
    ...parts,
    ...(left === 0 ? [] : [context(mrkdwn`✅ ${left} more`)]),
  ];
}

function fineLine({ subject, what }: CheckResult): Markup {
  return mrkdwn`✅ ${subject}: ${what}`;
}

function fallbackText(open: readonly CheckResult[], fine: readonly CheckResult[]): Markup {
  const lines = [...open.map((checkResult) => sentences(openLines(checkResult))), ...fine.map(fineLine)];
  return joined([headline([...open, ...fine]), ...lines], '\n');
}
