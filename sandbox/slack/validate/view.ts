import { isJson, objectsIn } from '../json.ts';
import { plainText, type } from './composition.ts';
import { blocksRule } from './payload.ts';
import { boolean, byType, type Fields, object, type Problem, problem, type Rule, string } from './rules.ts';

const common: Fields = {
  private_metadata: string({ max: 3_000 }),
  callback_id: string({ max: 255 }),
  external_id: string({ max: 255 }),
};

const submitWithInputs: Rule = (view, at) =>
  isJson(view) && view.submit === undefined && objectsIn(view, 'blocks').some((block) => block.type === 'input')
    ? [problem(at, 'missing_field', 'must define `submit` to use an `input` block in modals', ['submit'], 'undefined')]
    : [];

const viewRule = byType({
  modal: object(
    { ...type('modal'), title: plainText(24), blocks: blocksRule('modal') },
    { ...common, submit: plainText(24), close: plainText(24), clear_on_close: boolean, notify_on_close: boolean },
    submitWithInputs,
  ),
  home: object({ ...type('home'), blocks: blocksRule('home') }, common),
});

/** What Slack would not take in a view, with pointers under `at` ('/view'). */
export function checkView(view: unknown, at: string): readonly Problem[] {
  return viewRule(view, at);
}
