/** Arguments that cannot be meant. The message is a sentence for the person, with the usage. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

/** How a command is used was asked for. The message is the usage. */
export class HelpAsked extends Error {
  override readonly name = 'HelpAsked';
}

/** Throws HelpAsked where `--help` or `-h` is among the arguments. */
export function answerHelp(argv: readonly string[], usage: string): void {
  if (argv.includes('--help') || argv.includes('-h')) throw new HelpAsked(usage);
}

interface Range {
  readonly lowest: number;
  readonly highest: number;
  readonly usage: string;
}

/** A whole number of a range, both ends included. Throws ArgumentsError. */
export function readNumber(name: string, value: string, { lowest, highest, usage }: Range): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= lowest && number <= highest) return number;
  throw new ArgumentsError(`${name} takes a number from ${lowest} to ${highest}, not "${value}".\n${usage}`);
}

/** One of the choices. Throws ArgumentsError, which names them. */
export function readChoice(name: string, value: string, choices: readonly string[], usage: string): string {
  if (choices.includes(value)) return value;
  throw new ArgumentsError(`${name} takes one of ${choices.join(', ')}, not "${value}".\n${usage}`);
}

/** What was wrong, in words, with arguments that couldn't be read at all. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
