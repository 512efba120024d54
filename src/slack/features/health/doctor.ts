import { type Checked, type DoctorCtx, examineSetUp, type Finding } from '../../../health/doctor.ts';
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

/** For every member: if nobody is an operator yet, someone must be able to find out why. It names variables and scopes, never values. */
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

export function doctorMessage(checked: readonly Checked[], at: Date): MessageContent {
  const found = checked
    .flatMap(({ subject, findings }) => findings.map((finding) => ({ subject, ...finding })))
    .toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is))
    .map(linesOf);
  const passed = checked.filter(({ findings }) => findings.length === 0).map(({ subject }) => subject);
  const count = found.length === 0 ? [] : [mrkdwn`🔴 ${plural(found.length, 'finding')}`];
  const headline = joined([...count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`], ' · ');
  const rows = found.map((lines) => [section(joined(lines, '\n'))]);
  const { blocks } = fitRows([section(bold(headline))], rows, [], (left) => {
    return mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;
  });
  return message(joined([headline, ...found.map(sentences)], '\n'), [
    ...blocks,
    ...(passed.length === 0 ? [] : [folded('Passed', [section(mrkdwn`${passed.join(' · ')}`)])]),
    context(mrkdwn`As of ${time(at)}`),
  ]);
}

const MOST_NAMED = 10;

function linesOf({ subject, is, what, about, next }: Finding & { readonly subject: string }): Markup[] {
  const names = about.map(({ kind, id }) => {
    if (kind === 'word') return code(id);
    return kind === 'channel' ? channelLink(id) : mention({ kind, id });
  });
  const named = names.length === 0 ? '' : mrkdwn` ${joined(firstOf(names, MOST_NAMED), ', ')}`;
  return [mrkdwn`${EMOJI[is]} ${bold(subject)} · ${is}`, mrkdwn`${what}${named}`, mrkdwn`Next: ${next}`];
}
