import { isJson } from '../json.ts';

export interface Shape {
  in: 'blocks' | 'view' | 'suggestions';
  payload: unknown;
}

/** Keeps one example of each structure: the longest, which is the nearest to the limits. */
export class Shapes {
  readonly #examples = new Map<string, Shape>();

  note(shape: Shape): void {
    const structure = `${shape.in} ${structureOf(shape.payload)}`;
    if (lengthOf(shape) > lengthOf(this.#examples.get(structure))) this.#examples.set(structure, shape);
  }

  all(): readonly Shape[] {
    return [...this.#examples.values()];
  }
}

const lengthOf = (shape: Shape | undefined) => JSON.stringify(shape)?.length ?? 0;

/** Returns '{text:{text:string,type:mrkdwn},type:section}': without the texts themselves, and with each kind of item in a list once. */
function structureOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(structureOf))].sort()}]`;
  if (!isJson(value)) return typeof value;
  const fields = Object.entries(value).map(([name, part]) => `${name}:${name === 'type' ? part : structureOf(part)}`);
  return `{${fields.sort()}}`;
}
