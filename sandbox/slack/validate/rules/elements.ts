import { isDeepStrictEqual } from 'node:util';
import { optionsOf } from '../../block-kit/controls.ts';
import type { Json } from '../../page-protocol.ts';
import { type Problem, problem } from '../problem.ts';
import { elementsOf, type Placed } from './placed.ts';
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

const BOUNDS = [['min_length', 'max_length']] as const;

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

/** Empty if the options come from elsewhere. */
function initialIn(element: Json): readonly unknown[] {
  if (element.options === undefined && element.option_groups === undefined) return [];
  return [element.initial_option, element.initial_options].flat().filter((each) => each !== undefined);
}

function outOfOrder({ object, at }: Placed, [least, most]: (typeof BOUNDS)[number]): readonly Problem[] {
  const [from, to] = [object[least], object[most]];
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return [];
  const message = `\`${least}\` must not be greater than \`${most}\``;
  return [problem(`${at}/${least}`, 'out_of_range', message, { expected: [`<= ${to}`], got: from })];
}

function notAllowed(at: string, message: string): Problem {
  return problem(at, 'invalid_value', message, { expected: [false], got: true });
}
