import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';

export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

export class HelpAsked extends Error {
  override readonly name = 'HelpAsked';
}

export const flag = z.boolean().default(false);
export const port = z.coerce.number().int().min(1).max(65_535);
export const seed = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 32 - 1);

/**
 * Parses the options of a command line by their schemas; all but a `flag` take a value. `words` are those that belong to no option.
 *
 * @throws HelpAsked; ArgumentsError with the usage for an unknown or invalid argument.
 */
export function readArguments<Shape extends z.ZodRawShape>(
  argv: readonly string[],
  shape: Shape,
  { usage, takesWords = false }: { readonly usage: string; readonly takesWords?: boolean },
): { readonly values: z.infer<z.ZodObject<Shape>>; readonly words: readonly string[] } {
  if (argv.includes('--help') || argv.includes('-h')) throw new HelpAsked(usage);
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, schema] of Object.entries(shape)) options[name] = { type: schema === flag ? 'boolean' : 'string' };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: takesWords });
    const read = z.object(shape).safeParse(values);
    if (read.success) return { values: read.data, words: positionals };
    throw new Error(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  } catch (cause) {
    throw new ArgumentsError(`${cause instanceof Error ? cause.message : cause}\n${usage}`, { cause });
  }
}
