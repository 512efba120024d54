export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

/** Thrown if the usage was requested. The message is the usage. */
export class HelpAsked extends Error {
  override readonly name = 'HelpAsked';
}

/** Throws HelpAsked if the arguments have `--help` or `-h`. */
export function answerHelp(argv: readonly string[], usage: string): void {
  if (argv.includes('--help') || argv.includes('-h')) throw new HelpAsked(usage);
}

interface Range {
  readonly lowest: number;
  readonly highest: number;
  readonly usage: string;
}

/** Parses a whole number within a range, both ends included. Throws ArgumentsError. */
export function readNumber(name: string, value: string, { lowest, highest, usage }: Range): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= lowest && number <= highest) return number;
  throw new ArgumentsError(`${name} takes a number from ${lowest} to ${highest}, not "${value}".\n${usage}`);
}

/** Parses one of the choices. Throws ArgumentsError, which lists them. */
export function readChoice(name: string, value: string, choices: readonly string[], usage: string): string {
  if (choices.includes(value)) return value;
  throw new ArgumentsError(`${name} takes one of ${choices.join(', ')}, not "${value}".\n${usage}`);
}

/** Returns what was wrong with arguments that couldn't be parsed at all. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
