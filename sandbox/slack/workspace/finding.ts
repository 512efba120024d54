import { type Control, clickablesOf, controlsIn, labelOf, optionsOf, textsIn } from '../block-kit/controls.ts';
import { valueFieldOf } from '../block-kit/fields.ts';
import { objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Where to click: the label of a button or of a menu's option, or an action ID, of which what follows a colon needn't be given. */
export type Target = ({ text: string } | { actionId: string }) & {
  /** Distinguishes equal buttons by a text that stands near (`isNear`). */
  near?: string;
};

export interface Match {
  control: Control;
  /** What Slack puts into `actions[0]` besides the IDs: empty for a button. */
  action: Json;
}

export function findControl(blocks: readonly Json[], target: Target): Match {
  const candidates = blocks.flatMap((block, index) =>
    matchesIn([block], target).filter(({ control }) => isNear(blocks, index, control, target.near)),
  );
  const [chosen] = candidates;
  if (chosen !== undefined) return chosen;
  throw new Error(`nothing here fits ${JSON.stringify(target)}; there is: ${describe(blocks)}`);
}

export function findInput(blocks: readonly Json[], label: string): Control {
  const inputs = controlsIn(blocks);
  const input = inputs.find(({ block }) => labelOf({ text: block.label }).toLowerCase().includes(label.toLowerCase()));
  if (input !== undefined) return input;
  const labels = inputs.map(({ block }) => labelOf({ text: block.label })).join(', ');
  throw new Error(`no field's label contains "${label}"; there is: ${labels}`);
}

function matchesIn(blocks: readonly Json[], target: Target): readonly Match[] {
  const controls = controlsIn(blocks);
  if ('actionId' in target)
    return controls
      .filter(({ actionId }) => `${actionId}:`.startsWith(`${target.actionId}:`))
      .map((control) => ({ control, action: {} }));
  return controls.flatMap((control) =>
    clickablesOf(control.element)
      .filter(({ label }) => label === target.text)
      .map(({ action }) => ({ control, action })),
  );
}

/** Looks in the control's accessibility label, which names its row in a table. Without one, in its block, or above its row of buttons. */
function isNear(blocks: readonly Json[], index: number, { element }: Control, near = ''): boolean {
  if (near === '') return true;
  const label = stringIn(element, 'accessibility_label');
  if (label !== undefined) return label.includes(near);
  const block = blocks[index];
  const above = block?.type === 'actions' ? blocks[index - 1] : undefined;
  return textsIn([block, above]).some((text) => text.includes(near));
}

function describe(blocks: readonly Json[]): string {
  const labels = controlsIn(blocks).flatMap(({ actionId, element }) => [
    `${labelOf(element)} (${stringIn(element, 'type')} ${actionId})`,
    ...objectsIn(element, 'options').map((option) => `· ${labelOf(option)}`),
  ]);
  return labels.length > 0 ? labels.join(', ') : 'nothing to act on';
}

/** A field takes text, an option's label, '@ann' or an ID, or a list of them; '' clears it. */
export type FieldAnswer = string | number | readonly string[];

/** Returns what a filled-in element has in `state.values`. `called` finds the ID of a person or conversation by name. */
export async function valueFor(
  element: Json,
  answer: FieldAnswer,
  optionsFor: (typed: string) => Promise<readonly Json[]>,
  called: Readonly<Record<'selected_user' | 'selected_conversation', (name: string) => string>>,
): Promise<Json> {
  const valueField = valueFieldOf(element.type);
  if (valueField === undefined) throw new Error(`a ${stringIn(element, 'type')} can't be filled in`);
  const toValue = (text: string) => {
    if (valueField === 'selected_user' || valueField === 'selected_conversation') return called[valueField](text);
    return valueField === 'value' ? text : optionFor(element, text, optionsFor);
  };
  const answers = [answer].flat().map(String);
  const values = await Promise.all(answers.filter((text) => text !== '').map(toValue));
  // Slack's keys for several values end in an s: `selected_options`.
  return { type: element.type, [valueField]: valueField.endsWith('s') ? values : (values[0] ?? null) };
}

async function optionFor(
  element: Json,
  label: string,
  optionsFor: (typed: string) => Promise<readonly Json[]>,
): Promise<Json> {
  const options = String(element.type).endsWith('external_select') ? await optionsFor(label) : optionsOf(element);
  const option =
    options.find((each) => labelOf(each) === label) ?? options.find((each) => labelOf(each).includes(label));
  if (option !== undefined) return option;
  throw new Error(`no option says "${label}"; there is: ${options.map(labelOf).join(', ')}`);
}
