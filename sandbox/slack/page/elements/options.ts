import { z } from 'zod';
import { type Option, option } from '../blocks/objects.ts';

/** Parses an element's state or the bot's suggestions, leaving out invalid options. */
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

/** Returns an option with a name and an ID, for choices from the workspace. */
export function optionOf({ id, name }: { readonly id: string; readonly name: string }): Option {
  return { text: { type: 'plain_text', text: name, emoji: false }, value: id };
}

/** Returns what distinguishes an option from the others of its element. */
export function keyOf({ value, text }: Option): string {
  return value ?? text.text;
}
