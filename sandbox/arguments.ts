import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { minutesAndSeconds, SPEEDS } from './director/protocol.ts';
import { SCENARIOS } from './director/scenarios.ts';
import { UserError } from './this-machine.ts';

const flag = z.boolean().default(false);
const port = z.coerce.number().int().min(1).max(65_535);
const seed = z.coerce.number().int().min(0);
const names = SCENARIOS.map(({ name }) => name);

/** Where the page is unless the port is taken. */
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
      // Staging's service gets the next port.
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

export type Options<Name extends keyof typeof COMMANDS> = z.infer<z.ZodObject<(typeof COMMANDS)[Name]['options']>>;

/** Throws a UserError for an invalid argument, and with what `--help` and `--list` ask for. */
export function readOptions<Name extends keyof typeof COMMANDS>(name: Name, argv: readonly string[]): Options<Name>;
export function readOptions(name: keyof typeof COMMANDS, argv: readonly string[]): object {
  const { usage, options } = COMMANDS[name];
  if (argv.includes('--help') || argv.includes('-h')) throw new UserError(usage, 0);
  if (name === 'sandbox' && argv.includes('--list')) throw new UserError(SCENARIOS.map(lineOf).join('\n'), 0);
  const kinds: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, schema] of Object.entries(options))
    kinds[option] = { type: schema === flag ? 'boolean' : 'string' };
  try {
    return z.object(options).parse(parseArgs({ args: [...argv], options: kinds }).values);
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error && error.message;
    throw new UserError(`${why}\n${usage}`);
  }
}

function lineOf({ name, minutes, description }: (typeof SCENARIOS)[number]): string {
  const width = Math.max(...names.map(({ length }) => length));
  return `${name.padEnd(width)}  ${minutesAndSeconds(minutes * 60_000).padStart(5)}  ${description}`;
}
