import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { clockTime, SPEEDS } from './director/protocol.ts';
import { SCENARIOS } from './director/scenarios.ts';

/** The message is for the user. */
export class ArgumentsError extends Error {
  override readonly name = 'ArgumentsError';
}

/** Thrown for --help and --list. The message is what was asked for. */
export class Asked extends Error {
  override readonly name = 'Asked';
}

const flag = z.boolean().default(false);
const port = z.coerce.number().int().min(1).max(65_535);
const wholeNumber = z.coerce.number().int().min(0);
const seed = wholeNumber.max(2 ** 32 - 1);
const names = SCENARIOS.map(({ name }) => name);

export const PAGE_PORT = 4600;

const COMMANDS = {
  sandbox: {
    usage: `Usage: npm run sandbox -- [--scenario NAME] [--seed N] [--speed 1|4|16] [--page-port N] [--service-port N] [--keep]
       npm run sandbox -- --list
--scenario      what goes wrong first, at once; --list names the scenarios (default: provider-outage, after 25 s)
--seed, --speed of that scenario
--page-port     where the page is (${PAGE_PORT}); --service-port where production is (4010). The next free port is taken
--keep          keep what the bot stored at the last run`,
    options: {
      'page-port': port.default(PAGE_PORT),
      /** Staging needs a port above production's. */
      'service-port': port.max(65_534).default(4010),
      keep: flag,
      scenario: z.enum(names, `takes one of ${names.join(', ')}`).optional(),
      seed: seed.default(1),
      speed: z.coerce.number().pipe(z.literal(SPEEDS)).default(1),
      list: flag,
    },
  },
  service: {
    usage: 'Usage: npm run sandbox:service -- [--port N] [--seed N]',
    options: { port: port.default(4010), seed: seed.default(1) },
  },
  transcript: {
    usage: `Usage: npm run sandbox:transcript -- [--channel oncall] [--as ann] [--port ${PAGE_PORT}] [--once]
Prints a conversation of a running sandbox, message by message with every change, until Ctrl-C; with --once what is there now.`,
    options: {
      port: port.default(PAGE_PORT),
      as: z.string().default('ann'),
      channel: z.string().default('oncall'),
      once: flag,
    },
  },
};

type Options<Name extends keyof typeof COMMANDS> = z.infer<z.ZodObject<(typeof COMMANDS)[Name]['options']>>;
export type SandboxOptions = Options<'sandbox'>;
export type ServiceOptions = Options<'service'>;
export type TranscriptOptions = Options<'transcript'>;

/**
 * Parses a command's options; all but a flag take a value.
 *
 * @throws Asked; ArgumentsError with the usage for an unknown or invalid argument.
 */
export function readOptions<Name extends keyof typeof COMMANDS>(name: Name, argv: readonly string[]): Options<Name>;
export function readOptions(name: keyof typeof COMMANDS, argv: readonly string[]): object {
  const { usage, options } = COMMANDS[name];
  if (argv.includes('--help') || argv.includes('-h')) throw new Asked(usage);
  if (name === 'sandbox' && argv.includes('--list')) throw new Asked(SCENARIOS.map(lineOf).join('\n'));
  const kinds: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, schema] of Object.entries(options))
    kinds[option] = { type: schema === flag ? 'boolean' : 'string' };
  try {
    const read = z.object(options).safeParse(parseArgs({ args: [...argv], options: kinds }).values);
    if (read.success) return read.data;
    throw new Error(read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  } catch (cause) {
    throw new ArgumentsError(`${cause instanceof Error ? cause.message : cause}\n${usage}`, { cause });
  }
}

function lineOf({ name, minutes, description }: (typeof SCENARIOS)[number]): string {
  const width = Math.max(...names.map(({ length }) => length));
  return `${name.padEnd(width)}  ${clockTime(minutes * 60_000).padStart(5)}  ${description}`;
}
