import { WebClient } from '@slack/web-api';
import type { Node } from 'oxc-parser';
import { isTestCode, nodesOf, parse, sourceFiles } from './source-code.ts';

/** Returns the names of the Web API methods in Slack's client, such as `chat.postMessage` and `usergroups.users.list`. */
function offeredMethods(value: object, path: readonly string[] = []): string[] {
  return Object.entries(value).flatMap(([name, part]) => {
    if (typeof part === 'function') return path.length === 0 ? [] : [[...path, name].join('.')];
    const isFamily = typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
    return isFamily ? offeredMethods(part, [...path, name]) : [];
  });
}

/** Returns every Web API method that `src/slack/` calls by name, whatever the client's variable is called. */
export function calledMethods(): string[] {
  const offered = new Set(offeredMethods(new WebClient()));
  const files = sourceFiles('src/slack').filter((file) => !isTestCode(file));
  const called = files.flatMap((file) =>
    [...nodesOf(parse(file).program)].flatMap((node) => calledBy(node, offered) ?? []),
  );
  return [...new Set(called)].sort();
}

function calledBy(node: Node, offered: ReadonlySet<string>): string | null {
  if (node.type !== 'CallExpression') return null;
  const names = memberNames(node.callee);
  // Takes the longest match: `usergroups.users.list` before `users.list`.
  const tails = names.map((_name, index) => names.slice(index).join('.'));
  return tails.find((tail) => offered.has(tail)) ?? null;
}

/** Returns `['parts', 'client', 'chat', 'update']` for `this.#parts.client.chat.update`. */
function memberNames(node: Node): string[] {
  if (node.type !== 'MemberExpression') return node.type === 'Identifier' ? [node.name] : [];
  const name =
    node.property.type === 'Identifier' || node.property.type === 'PrivateIdentifier' ? [node.property.name] : [];
  return [...memberNames(node.object), ...name];
}
