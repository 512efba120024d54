import { labelOf, optionsOf } from '../block-kit/controls.ts';
import { valueFieldOf } from '../block-kit/element-state.ts';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/**
 * A person's input for a field: text, an option's label, a time, '@ann' or an ID, or several of them. '' or an empty list clears the field.
 */
export type FieldAnswer = string | number | readonly string[];

/** The lookups that an answer needs. */
export interface Lookups {
  /** Requests the options of an external select from the bot. */
  optionsFor(typed: string): Promise<readonly Json[]>;
  /** Returns the ID of '@ann'. Throws if there is no such person. */
  personCalled(name: string): string;
}

/** Returns the element's entry in `state.values` after a person's answer. */
export async function valueFor(element: Json, answer: FieldAnswer, lookups: Lookups): Promise<Json> {
  const field = valueFieldOf(element.type);
  if (field === undefined) throw new Error(`a ${stringIn(element, 'type')} cannot be filled in`);
  const several = [answer].flat().filter((each) => each !== '');
  const values = await Promise.all(several.map((each) => answerFor(element, field, String(each), lookups)));
  return { type: element.type, [field]: field.endsWith('s') ? values : (values[0] ?? null) };
}

function answerFor(element: Json, field: string, answer: string, lookups: Lookups): unknown {
  switch (field) {
    case 'selected_option':
    case 'selected_options':
      return optionFor(element, answer, lookups);
    case 'selected_user':
      return lookups.personCalled(answer);
    case 'selected_time':
      return timeOf(answer);
    default:
      return answer;
  }
}

/** Checks a time. Anything else is a mistake in the test. */
function timeOf(answer: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(answer)) return answer;
  throw new Error(`"${answer}" is not a time, such as 09:30`);
}

async function optionFor(element: Json, label: string, lookups: Lookups): Promise<Json> {
  const isExternal = stringIn(element, 'type')?.endsWith('external_select') === true;
  const options = isExternal ? await lookups.optionsFor(label) : optionsOf(element);
  const option =
    options.find((each) => labelOf(each) === label) ?? options.find((each) => labelOf(each).includes(label));
  if (option !== undefined) return option;
  throw new Error(`no option says "${label}"; there is: ${options.map(labelOf).join(', ')}`);
}
