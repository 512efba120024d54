import { isDeepStrictEqual } from 'node:util';
import { optionsOf } from '../../block-kit/controls.ts';
import type { Json } from '../../page-protocol.ts';
import { type Problem, problem } from '../problem.ts';
import { elementsOf, ofType, type Placed } from './placed.ts';
import type { Rule } from './rule.ts';

/** `initial_option` and `initial_options` are equal, field by field, to existing options. */
export const initialAmongOptions: Rule = ({ blocks }) =>
  blocks.flatMap(elementsOf).flatMap(({ object, at }) => {
    const strangers = initialIn(object).filter(
      (each) => !optionsOf(object).some((one) => isDeepStrictEqual(one, each)),
    );
    const message = 'initial option must match one of the options';
    return strangers.map(() => problem(at, 'invalid_initial', message, { expected: [], got: 'other' }));
  });

/** A minimum isn't larger than its maximum. */
export const boundsInOrder: Rule = ({ blocks }) =>
  blocks.flatMap(elementsOf).flatMap((element) => BOUNDS.flatMap((bounds) => outOfOrder(element, bounds)));

const BOUNDS = [
  ['min_value', 'max_value'],
  ['min_length', 'max_length'],
  ['min_lines', 'max_lines'],
] as const;

/** Only one element of a view can have the focus. */
export const oneFocus: Rule = ({ blocks, at }) => {
  const focused = blocks.flatMap(elementsOf).filter(({ object }) => object.focus_on_load === true);
  if (focused.length <= 1) return [];
  const message = 'only one element may use `focus_on_load`';
  return [problem(at, 'too_many', message, { expected: ['<= 1'], got: focused.length })];
};

/** Only a modal's input blocks can request response_urls. */
export const responseUrlsInModals: Rule = ({ blocks, surface }) => {
  const places = surface === 'modal' ? blocks.filter(({ object }) => object.type !== 'input') : blocks;
  return places
    .flatMap(elementsOf)
    .filter(({ object }) => object.response_url_enabled === true)
    .map(({ at }) => notAllowed(`${at}/response_url_enabled`, 'only an `input` block of a modal may use it'));
};

/** A chosen file isn't reported to the app before the form is sent. */
export const silentFileInputs: Rule = ({ blocks }) =>
  ofType(blocks, 'input')
    .filter((block) => block.object.dispatch_action === true && ofType(elementsOf(block), 'file_input').length > 0)
    .map(({ at }) => notAllowed(`${at}/dispatch_action`, 'must not be true for a `file_input`'));

/** Empty if the options come from elsewhere. */
function initialIn(element: Json): readonly unknown[] {
  if (element.options === undefined && element.option_groups === undefined) return [];
  return [element.initial_option, element.initial_options].flat().filter((each) => each !== undefined);
}

function outOfOrder({ object, at }: Placed, [least, most]: (typeof BOUNDS)[number]): readonly Problem[] {
  const [from, to] = [numberOf(object[least]), numberOf(object[most])];
  if (from === undefined || to === undefined || from <= to) return [];
  const message = `\`${least}\` must not be greater than \`${most}\``;
  return [problem(`${at}/${least}`, 'out_of_range', message, { expected: [`<= ${to}`], got: from })];
}

/** Number inputs have theirs as text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
}

function notAllowed(at: string, message: string): Problem {
  return problem(at, 'invalid_value', message, { expected: [false], got: true });
}
