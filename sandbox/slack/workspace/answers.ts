import { labelOf, optionsOf } from '../block-kit/controls.ts';
import { valueFieldOf } from '../interactivity/form-state.ts';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** What a person puts in a field: text, the label of an option, an id, or several of them. */
export type FieldAnswer = string | number | readonly string[];

/** Asks the bot for the options of an external select. */
export type AskOptions = (typed: string) => Promise<readonly Json[]>;

/** The element's entry in `state.values` once a person has answered it so. */
export async function valueFor(element: Json, answer: FieldAnswer, askOptions: AskOptions): Promise<Json> {
  const field = valueFieldOf(element);
  if (field === undefined) throw new Error(`a ${stringIn(element, 'type')} cannot be filled in`);
  const several = [answer].flat().map(String);
  switch (field) {
    case 'selected_option':
      return { type: element.type, [field]: await optionFor(element, String(answer), askOptions) };
    case 'selected_options':
      return {
        type: element.type,
        [field]: await Promise.all(several.map((label) => optionFor(element, label, askOptions))),
      };
    default:
      return { type: element.type, [field]: field.endsWith('s') ? several : answer };
  }
}

async function optionFor(element: Json, label: string, askOptions: AskOptions): Promise<Json> {
  const isExternal = stringIn(element, 'type')?.endsWith('external_select') === true;
  const options = isExternal ? await askOptions(label) : optionsOf(element);
  const option =
    options.find((each) => labelOf(each) === label) ?? options.find((each) => labelOf(each).includes(label));
  if (option !== undefined) return option;
  throw new Error(`no option says "${label}"; there is: ${options.map(labelOf).join(', ')}`);
}
