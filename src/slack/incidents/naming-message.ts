import type { TargetNow } from '../../domain/incidents/incident-actions.ts';
import { isIncidentNumber } from '../../domain/incidents/incident-names.ts';
import type { Named, SeveralNamed } from '../../use-cases/incidents/name-incident.ts';
import { type MessageContent, message, section, sentence } from '../blocks/blocks.ts';
import { fitRows } from '../blocks/fit.ts';
import { incidentRow } from '../blocks/incident/incident-row.ts';
import { environmentName } from '../blocks/incident/incident-words.ts';
import { idCode } from '../blocks/shown-id.ts';
import { bold, code, joined, type Markup, mrkdwn, plural } from '../blocks/text.ts';

/** Lists the incidents that the words match or whose numbers they are, each with its number and its actions. */
export function severalMessage(
  { by, targets, total }: Pick<SeveralNamed, 'by' | 'targets' | 'total'>,
  command: string,
): MessageContent {
  const which = total === 1 ? mrkdwn`1 is open:` : mrkdwn`${total} are possible. Use a number:`;
  const what =
    by === 'names'
      ? mrkdwn`Which incident? ${which}`
      : mrkdwn`${code(`/notif ${command}`)} takes one incident at a time:`;
  const words = mrkdwn`${what} ${example(targets, command)}.`;
  const rows = targets.map(({ newest }) =>
    incidentRow(newest, {
      messageId: null,
      beside: environmentName(newest),
      cause: null,
      namesPeople: true,
      isTerse: true,
    }),
  );
  const { blocks } = fitRows([section(words)], rows, [], more);
  const left = total - targets.length;
  return message(words, [...blocks, ...(left > 0 ? [section(more(left))] : [])]);
}

function example([first]: readonly TargetNow[], command: string): Markup {
  return code(`/notif ${command} #${first?.newest.episodeId ?? 1}`);
}

function more(left: number): Markup {
  return mrkdwn`${plural(left, 'more incident')}: the Home tab lists all.`;
}

/** Says that the words match no incident, with the closest matches and where the open ones are listed. */
export function noSuchIncidentMessage(
  words: readonly string[],
  { nearest, open }: Extract<Named, { is: 'none' }>,
  command: string,
  environment: string,
): MessageContent {
  const isNumber = words.length === 1 && isIncidentNumber(words[0] ?? '');
  const what = isNumber
    ? mrkdwn`No incident has the number ${idCode(words.join(' '), 'requester')}, or it is no longer kept.`
    : words.length === 0 || open === 0
      ? mrkdwn`No incident is open in ${bold(environment)}.`
      : mrkdwn`No open incident in ${bold(environment)} is called ${idCode(words.join(' '), 'requester')}.`;
  const hint = nearest === null ? [] : [mrkdwn`Did you mean ${code(`/notif ${command} ${nearest}`)}?`];
  const list =
    open === 0
      ? isNumber
        ? []
        : [mrkdwn`Add ${code('env:')} to look in another one.`]
      : [
          mrkdwn`${code(`/notif ${command}`)} lists ${open === 1 ? 'the open incident with its number' : `all ${open} open incidents with their numbers`}.`,
        ];
  const all = joined([what, ...hint, ...list], ' ');
  return sentence(mrkdwn`⚠️ ${all}`);
}
