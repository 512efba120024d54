import { type DoctorCtx, type Examined, examineSetUp } from '../../../health/doctor.ts';
import type { Finding } from '../../../health/finding.ts';
import { context, folded, section } from '../../kit/blocks.ts';
import { type MessageContent, rowsMessage } from '../../kit/message.ts';
import { bold, channelLink, code, joined, listed, type Markup, mention, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';

/** By kind of finding, the worst first. */
export const EMOJI = {
  problem: '🔴',
  unknown: '⚠️',
  advice: '🟡',
  fine: '✅',
};
export const ORDER = Object.keys(EMOJI);

/** Members can run it, since there may be no operator yet. Variables are named, never shown. */
export function doctorCommand(ctx: DoctorCtx): Command {
  return {
    usage: '',
    examples: [],
    filters: [],
    word: 'doctor',
    purpose: 'notif',
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
  const headline = joined([count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`]);
  const rows = findings.map((finding) => {
    const title = mrkdwn`${EMOJI[finding.is]} ${bold(finding.subject)} · ${finding.is}`;
    return [section([title, whatOf(finding), mrkdwn`Next: ${finding.next}`])];
  });
  const foot = [
    passed.length > 0 && folded('Passed', [section(joined(passed))]),
    context(mrkdwn`As of ${time(at, 'seconds')}`),
  ];
  return rowsMessage([section(bold(headline))], rows, foot, (left) => {
    return mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;
  });
}

export function whatOf({ what, about }: Finding): Markup {
  const names = about.map(({ kind, id }) => {
    if (kind === 'word') return code(id);
    return kind === 'channel' ? channelLink(id) : mention({ kind, id });
  });
  return joined([what, listed(names, ', ', 10)], ' ');
}
