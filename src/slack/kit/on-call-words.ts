import type { OnCall } from '../../health/on-call.ts';
import { joined, type Line, listed, mention, mrkdwn, person } from './text.ts';

/** Only for an answer to somebody: in a channel it would ping. */
export function onCallWords(onCall: readonly OnCall[]): Line {
  if (onCall.length === 0) return null;
  const groups = onCall.map(({ mention: whom, members }) => {
    if (whom.kind === 'person') return person(whom.id);
    const who =
      members === null ? "Slack doesn't say who" : members.length === 0 ? 'nobody' : listed(members.map(person));
    return mrkdwn`${mention(whom)}: ${who}`;
  });
  return mrkdwn`📟 On call: ${joined(groups)}`;
}
