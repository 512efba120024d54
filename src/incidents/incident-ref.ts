import { InputError } from '../lib/errors.ts';

const MOST_INCIDENTS = 10;

/** People type the number. A control adds the code, since another store, or a restored one, has another incident of that number. */
export interface IncidentRef {
  incidentId: number;
  code: string | null;
}

/** `17.1f2e3d4c`: in a command it follows a `#`. */
export const writeIncidentRef = ({ incidentId, code }: IncidentRef): string =>
  code === null ? `${incidentId}` : `${incidentId}.${code}`;

/** With the markup and punctuation that surround a number in a message: `(*#17*),` */
const REF = /^[([*_~]*(#?)(\d{1,15})(?:\.([0-9a-f]{8}))?[)\].,:;!?*_~]*$/;

export function parseIncidentRef(word: string): IncidentRef | null {
  const [, , number, code = null] = REF.exec(word) ?? [];
  return number === undefined ? null : { incidentId: Number(number), code };
}

export const isIncidentNumber = (word: string): boolean => REF.exec(word)?.[1] === '#';

/** Throws unless the words name incidents and nothing else: `#9 #10`, `incidents 9, 10`. */
export function incidentsIn(
  words: readonly string[],
  command: string,
  most = MOST_INCIDENTS,
): readonly [IncidentRef, ...IncidentRef[]] {
  const isFiller = (word: string, index: number) => (index === 0 ? /^incidents?$/i : /^(?:,|and)$/i).test(word);
  const refs = words.filter((word, index) => !isFiller(word, index)).map(parseIncidentRef);
  const known = new Map(refs.flatMap((ref) => (ref === null ? [] : [[ref.incidentId, ref] as const])));
  const [first, ...others] = known.values();
  if (first !== undefined && !refs.includes(null) && others.length < most) return [first, ...others];
  const what = most === 1 ? 'one incident by its number' : `incidents by their numbers, ${most} at most`;
  throw new InputError('incident', `Name ${what}: /notif handover lists the open ones.`, `/notif ${command} #17`);
}

export function incidentIn(words: readonly string[], command: string): IncidentRef {
  return incidentsIn(words, command, 1)[0];
}
