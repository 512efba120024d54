import { z } from 'zod';
import { type Option, option } from '../blocks/objects.ts';

/** Reads what an element's state holds, or a bot suggested: what is no option is left out. */
export function readOptions(value: unknown): Option[] {
  return z
    .array(z.unknown())
    .catch([value])
    .parse(value)
    .flatMap((each) => {
      const read = option.safeParse(each);
      return read.success ? [read.data] : [];
    });
}

/** An option made of a name and an id, for what is picked from the workspace. */
export function optionOf({ id, name }: { readonly id: string; readonly name: string }): Option {
  return { text: { type: 'plain_text', text: name, emoji: false }, value: id };
}

/** What tells an option from the others of its element. */
export function keyOf({ value, text }: Option): string {
  return value ?? text.text;
}
