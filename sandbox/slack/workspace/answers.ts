import { labelOf, optionsOf } from '../block-kit/controls.ts';
import { valueFieldOf } from '../block-kit/element-state.ts';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/**
 * What a person puts in a field: text, the label of an option, a date, a time, '@ann' or '#oncall' or their ids, the name of a file
 * that was attached before, or several of them.
 * Nothing at all ('' or an empty list) empties the field.
 */
export type FieldAnswer = string | number | readonly string[];

/** What has to be looked up for an answer. */
export interface Lookups {
  /** Asks the bot for the options of an external select. */
  optionsFor(typed: string): Promise<readonly Json[]>;
  /** The id of '@ann'; throws for nobody. */
  personCalled(name: string): string;
  /** The id of '#oncall'; throws for nothing. */
  conversationCalled(name: string): string;
  /** A file that was attached by this name; throws when there is none. */
  fileCalled(name: string): Json;
}

/** The element's entry in `state.values` once a person has answered it so. */
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
    case 'selected_users':
      return lookups.personCalled(answer);
    case 'selected_channel':
    case 'selected_channels':
    case 'selected_conversation':
    case 'selected_conversations':
      return lookups.conversationCalled(answer);
    case 'selected_date':
      return picked(answer, /^\d{4}-\d{2}-\d{2}$/, 'a date, such as 2026-03-29');
    case 'selected_time':
      return picked(answer, /^([01]\d|2[0-3]):[0-5]\d$/, 'a time, such as 09:30');
    case 'selected_date_time':
      return Number(answer);
    case 'files':
      return lookups.fileCalled(answer);
    case 'rich_text_value':
      return richTextSaying(answer);
    default:
      return answer;
  }
}

/** Without any format. */
function richTextSaying(text: string): Json {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** A picker yields nothing else: anyone who asks for something else has made a mistake in the test. */
function picked(answer: string, shape: RegExp, what: string): string {
  if (shape.test(answer)) return answer;
  throw new Error(`"${answer}" is not ${what}`);
}

async function optionFor(element: Json, label: string, lookups: Lookups): Promise<Json> {
  const isExternal = stringIn(element, 'type')?.endsWith('external_select') === true;
  const options = isExternal ? await lookups.optionsFor(label) : optionsOf(element);
  const option =
    options.find((each) => labelOf(each) === label) ?? options.find((each) => labelOf(each).includes(label));
  if (option !== undefined) return option;
  throw new Error(`no option says "${label}"; there is: ${options.map(labelOf).join(', ')}`);
}
