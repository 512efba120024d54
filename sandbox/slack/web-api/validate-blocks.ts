import type { Arguments } from '../arguments.ts';
import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import { checkBlocks } from '../validate/payload.ts';
import type { Problem } from '../validate/rules.ts';
import { checkView } from '../validate/view.ts';

/** blocks.validate: exactly one of `blocks`, `message` and `view`; pointers are relative to what was given. */
export function validateBlocks(args: Arguments): Json {
  const given = ['blocks', 'message', 'view'].filter((name) => args.has(name));
  if (given.length !== 1) throw invalidArguments('must provide exactly one of blocks, message, view');
  const problems = problemsOf(args);
  if (problems.length > 0) throw new Refusal('invalid_blocks', { errors: problems.map(errorObject) });
  return {};
}

function problemsOf(args: Arguments): readonly Problem[] {
  if (args.has('view')) return checkView(args.structure('view'), '');
  if (args.has('blocks')) return checkBlocks(args.structure('blocks'), 'message', '');
  const message = args.object('message');
  const attachments = Array.isArray(message.attachments) ? message.attachments.filter(isJson) : [];
  return [
    ...checkBlocks(message.blocks ?? [], 'message', '/blocks'),
    ...attachments.flatMap(({ blocks = [] }, index) => checkBlocks(blocks, 'message', `/attachments/${index}/blocks`)),
  ];
}

function errorObject({ code, message, pointer, constraint }: Problem): Json {
  return { code, message, field: pointer.split('/').at(-1) ?? '', pointer, constraint };
}
