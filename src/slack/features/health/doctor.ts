import type { Concerned, Finding } from '../../../health/checks.ts';
import { type Checked, type DoctorCtx, examineSetUp } from '../../../health/doctor.ts';
import { InputError } from '../../../lib/errors.ts';
import { context, folded, type MessageContent, message, section } from '../../kit/blocks.ts';
import { fitRows } from '../../kit/fit.ts';
import {
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
import type { Command } from '../../router/command.ts';

/**
 * Every member can use the doctor, operator or not: if nobody is an operator yet, someone must be able to find out why. Nothing
 * in it is secret: it names variables and scopes, never their values.
 */
export function doctorCommand(ctx: DoctorCtx): Command {
  const about = 'check the setup and see how to fix problems';
  return aboutEverything('doctor', about, 'members', async () => doctorMessage(await examineSetUp(ctx), ctx.now()));
}

export function aboutEverything(
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

/** Each problem with its fix; what passed is folded. */
export function doctorMessage(checked: readonly Checked[], at: Date): MessageContent {
  const found = checked
    .flatMap(({ subject, findings }) => findings.map((finding) => ({ subject, ...finding })))
    .toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is));
  const passed = checked.filter(({ findings }) => findings.length === 0).map(({ subject }) => subject);
  const count = found.length === 0 ? [] : [mrkdwn`🔴 ${plural(found.length, 'finding')}`];
  const headline = joined([...count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`], ' · ');
  const rows = found.map((finding) => [section(joined(linesOf(finding), '\n'))]);
  const { blocks } = fitRows([section(bold(headline))], rows, [], moreFindings);
  const text = joined([headline, ...found.map((finding) => sentences(linesOf(finding)))], '\n');
  return message(text, [
    ...blocks,
    ...(passed.length === 0 ? [] : [folded('Passed', [section(mrkdwn`${passed.join(' · ')}`)])]),
    context(mrkdwn`As of ${time(at)}`),
  ]);
}

const moreFindings = (left: number): Markup =>
  mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;

const MOST_NAMED = 10;

function linesOf({ subject, is, what, about, next }: Finding & { readonly subject: string }): Markup[] {
  const names = firstOf(about.map(named), MOST_NAMED);
  const sentence = names.length === 0 ? mrkdwn`${what}` : mrkdwn`${what} ${joined(names, ', ')}`;
  return [mrkdwn`${EMOJI[is]} ${bold(subject)} · ${is}`, sentence, mrkdwn`Next: ${next}`];
}

function named({ kind, id }: Concerned): Markup {
  if (kind === 'word') return code(id);
  return kind === 'channel' ? channelLink(id) : mention({ kind, id });
}
