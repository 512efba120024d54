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

/** The options whose words contain what was typed, whatever the case. */
export function filterOptions(options: readonly Option[], typed: string): Option[] {
  const wanted = typed.trim().toLowerCase();
  return options.filter(({ text }) => text.text.toLowerCase().includes(wanted));
}

/** An option made of a name and an id, for what is picked from the workspace. */
export function optionOf({ id, name }: { readonly id: string; readonly name: string }): Option {
  return { text: { type: 'plain_text', text: name, emoji: false }, value: id };
}
