import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import type { SlackState } from '../state/slack-state.ts';
import type { BlockKit } from '../validate/block-kit.ts';
import type { Problem } from '../validate/problem.ts';

/** blocks.validate: exactly one of `blocks`, `message` and `view`. Pointers are relative to it. */
export function validateBlocks(args: Arguments, { blockKit }: SlackState): Json {
  const given = ['blocks', 'message', 'view'].filter((name) => args.has(name));
  if (given.length !== 1) throw invalidArguments('must provide exactly one of blocks, message, view');
  const problems = problemsOf(args, blockKit);
  if (problems.length > 0) throw new Refusal('invalid_blocks', { errors: problems.map(errorObject) });
  return {};
}

function problemsOf(args: Arguments, blockKit: BlockKit): readonly Problem[] {
  if (args.has('view')) return blockKit.view(args.structure('view'), 'any', '');
  if (args.has('blocks')) return blockKit.blocks(args.structure('blocks'), '');
  return blockKit.message(args.object('message'), '');
}

function errorObject({ code, message, pointer, constraint }: Problem): Json {
  return { code, message, field: pointer.split('/').at(-1) ?? '', pointer, constraint };
}
