import { advice, type Finding, unknown } from './finding.ts';

/** The newer kinds of blocks that Slack's validator refuses or doesn't judge, in words for people: 'tables'. */
export type NewerKindsFound = Readonly<Record<'refused' | 'unclear', readonly string[]>>;

export function newerKindsFindings({ refused, unclear }: NewerKindsFound): Finding[] {
  const later = 'Nothing to fix: run /notif doctor later to ask Slack again.';
  const refusal = `Slack refuses ${refused.join(', ')} in this workspace: text and menus are sent instead.`;
  const silence = `Slack didn't say whether it accepts ${unclear.join(', ')}. They are sent as before.`;
  return [
    ...(refused.length > 0 ? [advice(refusal, later)] : []),
    ...(unclear.length > 0 ? [unknown(silence, later)] : []),
  ];
}
