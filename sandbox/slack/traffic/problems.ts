import { isJson, objectIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { TrafficProblem } from './traffic-protocol.ts';

const WITH_POINTER = /^(?:\[\w+\] )?(?<message>.*?)(?: \[json-pointer:(?<pointer>[^\]]*)\])?$/s;

/**
 * Returns the problems of a refusal with their places: from `errors`, else from `response_metadata.messages`.
 *
 * @param root the pointers' base within what was sent: '' or a pointer such as '/blocks'.
 */
export function problemsIn(answer: Json, root = ''): readonly TrafficProblem[] {
  const errors = listIn(answer, 'errors');
  const lines = errors.length > 0 ? errors : listIn(objectIn(answer, 'response_metadata'), 'messages');
  return lines.flatMap((line) => {
    const problem = typeof line === 'string' ? readLine(line) : readObject(line);
    return problem === null ? [] : [at(root, problem)];
  });
}

function listIn(value: Json, field: string): readonly unknown[] {
  const list = value[field];
  return Array.isArray(list) ? list : [];
}

function at(root: string, { message, pointer }: TrafficProblem): TrafficProblem {
  return { message, pointer: pointer === null ? null : `${root}${pointer}` };
}

/** `[ERROR] must be less than 76 characters [json-pointer:/blocks/0/text/text]` */
function readLine(line: string): TrafficProblem {
  const { message = line, pointer = null } = line.match(WITH_POINTER)?.groups ?? {};
  return { message, pointer };
}

/** Parses a problem of `blocks.validate`. */
function readObject(value: unknown): TrafficProblem | null {
  if (!isJson(value)) return null;
  return { message: stringIn(value, 'message') ?? '', pointer: stringIn(value, 'pointer') ?? null };
}
