import { isDeepStrictEqual } from 'node:util';
import { optionsOf } from '../block-kit/controls.ts';
import { isJson } from '../json.ts';
import { boolean, byType, type Fields, list, object, oneOf, problem, type Rule, string } from './rules.ts';

/** Text, options and confirmations: the small objects that blocks and elements are made of (Slack's 'composition objects'). */

export const type = (word: string): Fields => ({ type: oneOf(word) });

const plain = (max: number) => object({ ...type('plain_text'), text: string({ min: 1, max }) }, { emoji: boolean });
const mrkdwn = (max: number) => object({ ...type('mrkdwn'), text: string({ min: 1, max }) }, { verbatim: boolean });

export const plainText = (max: number): Rule => byType({ plain_text: plain(max) });
export const anyText = (max: number): Rule => byType({ plain_text: plain(max), mrkdwn: mrkdwn(max) });

export const confirm = object(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf('primary', 'danger') },
);

const optionFields = (text: Rule): Fields => ({ text, value: string({ min: 1, max: 150 }) });

export const plainOption = object(optionFields(plainText(75)), { description: plainText(75) });
export const richOption = object(optionFields(anyText(75)), { description: anyText(75) });
export const overflowOption = object(optionFields(plainText(75)), {
  description: plainText(75),
  url: string({ max: 3_000 }),
});

export const optionGroup = object({ label: plainText(75), options: list({ max: 100 }, plainOption) });

export const optionList = list({ min: 1, max: 100 }, plainOption);
export const optionGroupList = list({ min: 1, max: 100 }, optionGroup);

/** `initial_option` and `initial_options` must be equal, field by field, to options that are offered. */
export const initialAmongOptions: Rule = (element, at) => {
  if (!isJson(element)) return [];
  const initial = [element.initial_option, element.initial_options].flat().filter((each) => each !== undefined);
  const offered = optionsOf(element);
  const strangers = initial.filter((each) => !offered.some((option) => isDeepStrictEqual(option, each)));
  return strangers.map(() =>
    problem(at, 'invalid_initial', 'initial option must match one of the options', [], 'other'),
  );
};
