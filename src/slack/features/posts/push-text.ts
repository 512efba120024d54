import type { IncidentNow } from '../../../incidents/incident.ts';
import { labeled } from '../../../lib/environment.ts';
import type { IncidentCtx } from '../../incident-view/incident-row.ts';
import { subjectName } from '../../incident-view/incident-title.ts';
import { numberOf } from '../../kit/names.ts';
import { failureCount } from '../../kit/outcomes.ts';
import { joined, mrkdwn } from '../../kit/text.ts';
import type { Content, ContentOf } from './content.ts';

/** More numbers of incidents would leave no room for words. */
const MOST_NUMBERS = 3;

/** A push notification shows some hundred characters: where, which incidents and how bad they are stand first, and whom it mentions second. */
export function pushText(content: Content, text: string, { environments }: Pick<IncidentCtx, 'environments'>): string {
  const labelOf = (environment: string) => `${mrkdwn`${labeled(environment, environments).label}`}`;
  if (content.kind === 'digest') return digestText(content, text, labelOf(content.environment));
  const incidents = content.kind === 'line' ? content.turns.map((turn) => turn.incident) : [];
  const [incident] = incidents;
  if (content.kind !== 'line' || incident === undefined) return text;
  const about = joined([numbersOf(incidents), !content.isNamed && subjectName(incident)]);
  return afterMention(text, (line) => `${labelOf(incident.environment)} ${about} · ${line}`);
}

function digestText({ rows, counted }: ContentOf<'digest'>, text: string, where: string): string {
  const [first, ...others] = rows;
  if (first === undefined) return text;
  const { attempts, verdict, failures, kind, state } = first.incident;
  const isAlone = others.length + counted.length === 0 && kind === 'failures' && state.is === 'firing';
  const share =
    attempts === null || attempts.failed === 0 ? null : mrkdwn`${attempts.failed} of ${attempts.tried} failed`;
  const extent = isAlone && (share ?? failureCount(verdict, failures));
  const about = joined([numbersOf(rows.map(({ incident }) => incident)), extent]);
  return afterMention(text, (line) => line.replace(`${where} · `, () => `${where} ${about} · `));
}

const numbersOf = (incidents: readonly IncidentNow[]): string =>
  incidents
    .slice(0, MOST_NUMBERS)
    .map(({ id }) => numberOf(id))
    .join(' ');

/** Changes the first line that isn't the mention alone, and puts the mention below it. */
function afterMention(text: string, change: (line: string) => string): string {
  const [, mention, line = '', rest = ''] = /^(<[!@][^>]*>\n)?([^\n]*)(.*)$/s.exec(text) ?? [];
  return `${change(line)}${mention === undefined ? '' : `\n${mention.trim()}`}${rest}`;
}
