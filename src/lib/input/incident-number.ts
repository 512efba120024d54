import { InputError } from '../errors.ts';

/** `#17`, as rows show it, with what people write around it. */
const NUMBER = /^[([]*(#?)(\d{1,15})[)\].,:;!?]*$/;

export function isIncidentNumber(word: string): boolean {
  return NUMBER.exec(word)?.[1] === '#';
}

/** Parses the words that name an incident: `#17`, `17`, `incident 17`. Throws `InputError` for anything else, with the command's example. */
export function incidentNumberIn(words: readonly string[], command: string): number {
  const [word = '', ...others] = /^incidents?$/i.test(words[0] ?? '') ? words.slice(1) : words;
  const number = NUMBER.exec(word)?.[2];
  const example = `/notif ${command} #17`;
  if (number !== undefined && others.length === 0) return Number(number);
  if (number !== undefined)
    throw new InputError('incident', `/notif ${command} takes one incident at a time.`, example);
  throw new InputError('incident', 'Name an incident by its number, which ends the title of its row.', example);
}
