import { advice, type Finding, unknown } from './finding.ts';

/** What Slack's validator says of the newer kinds of blocks, in words for people: 'tables'. */
export type NewerKindsFound = Readonly<Record<'refused' | 'unclear', readonly string[]>>;

export function newerKindsFindings({ refused, unclear }: NewerKindsFound): Finding[] {
  const later = 'Nothing to fix: run /notif doctor later to ask Slack again.';
  return [
    ...(refused.length === 0
      ? []
      : [advice(`Slack refuses ${refused.join(', ')} in this workspace: text and menus are sent instead.`, later)]),
    ...(unclear.length === 0
      ? []
      : [unknown(`Slack didn't say whether it accepts ${unclear.join(', ')}. They are sent as before.`, later)]),
  ];
}
