import { isJson } from '../../json.ts';
import { type Problem, problem } from '../problem.ts';
import { ofType, placedIn } from './placed.ts';

/** A form has a submit button. `at` is the view's pointer. */
export function submitWithInputs(view: unknown, at: string): readonly Problem[] {
  if (!isJson(view) || view.type !== 'modal' || view.submit !== undefined) return [];
  if (ofType(placedIn(view.blocks, ''), 'input').length === 0) return [];
  const message = 'must define `submit` to use an `input` block in modals';
  return [problem(at, 'missing_field', message, { expected: ['submit'], got: undefined })];
}
