import type { ChangesContent } from '../../../digests/message.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { context, type MessageContent, message, section } from '../../kit/blocks.ts';
import { changedWords, changeLine } from '../../kit/incident/change-words.ts';
import { badge, code, joined, mrkdwn, plural } from '../../kit/text.ts';

/** Further changes are only counted; `/notif changes` lists them. */
const MOST_SHOWN = 10;

export function changesMessage(
  { environment, changes }: ChangesContent,
  environments: readonly Environment[],
): MessageContent {
  const shown = changes.slice(0, MOST_SHOWN);
  const more = changes.length - shown.length;
  const title = mrkdwn`${badge(labelled(environment, environments))} · ${plural(changes.length, 'change')}`;
  const rest = more === 0 ? [] : [context(mrkdwn`${more} more in ${code(`/notif changes env:${environment}`)}`)];
  return message(joined([title, ...shown.map(({ what }) => changedWords(what))], '. '), [
    section(title),
    ...shown.map((change) => section(changeLine(change))),
    ...rest,
  ]);
}
