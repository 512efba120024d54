import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseOperators } from '../lib/people.ts';
import { systemCode } from '../lib/text/system-code.ts';

export interface ConfigProblem {
  readonly variable: string;
  /** Continues the variable's name: "is missing". */
  readonly problem: string;
  readonly example: string;
}

export type Variables = Readonly<Record<string, string>>;

export function problemsIn(error: z.ZodError | undefined, { shape }: z.ZodObject, prefix = ''): ConfigProblem[] {
  return (error?.issues ?? []).map(({ path: [first], message: problem }) => {
    const key = String(first);
    return { variable: prefix + key, problem, example: Reflect.get(shape[key] ?? {}, 'description') ?? '' };
  });
}

export const SECRETS = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'NOTIF_API_KEY',
  'NOTIF_HEARTBEAT_URL',
  'NOTIF_DEPLOY_TOKEN',
  'DATABASE_URL',
] as const;

const SECRET_FILE = new RegExp(`^(${SECRETS.join('|')}|NOTIF_[A-Z0-9_]+_API_KEY)_FILE$`);

export function variablesIn(env: NodeJS.ProcessEnv, readFile?: (path: string) => string) {
  const set = Object.entries(env)
    .map(([name, value = '']) => [name, value.trim().replace(/^(["'])(.*)\1$/s, '$2')] as const)
    .filter(([, value]) => value !== '');
  const names = new Set(set.map(([name]) => name));
  const problems: ConfigProblem[] = [];
  const unread = new Set<string>();
  const variables = set.flatMap(([variable, value]): [string, string][] => {
    const secret = SECRET_FILE.exec(variable)?.[1];
    if (secret === undefined) return [[variable, value]];
    const read = names.has(secret) ? `is set beside ${secret}: use one or the other` : contentOf(value, readFile);
    if (typeof read !== 'string') return [[secret, read.content]];
    problems.push({ variable, problem: read, example: `/run/secrets/${secret.toLowerCase()}` });
    unread.add(secret);
    return [];
  });
  return { variables: Object.fromEntries(variables), problems, unread };
}

export function contentOf(
  path: string,
  readFile = (path: string) => readFileSync(path, 'utf8'),
): string | { readonly content: string } {
  try {
    const content = readFile(path).trim();
    return content === '' ? 'names an empty file' : { content };
  } catch (error) {
    return `names a file that can't be read (${systemCode(error) ?? 'unknown'})`;
  }
}

const text = z.string({ error: 'is missing' });

export function matching(pattern: RegExp, problem: string): z.ZodString {
  return text.regex(pattern, { error: problem });
}

/** Sent in a header. */
export const secret = matching(
  /^[\x21-\x7e]+$/,
  'contains white space, an invisible or a non-ASCII character: copy it again',
);

export function wholeNumber(from: number, to: number, fallback: number) {
  const isInRange = (digits: string) => /^\d{1,9}$/.test(digits) && Number(digits) >= from && Number(digits) <= to;
  const error = `isn't a whole number from ${from} to ${to}`;
  return text.refine(isInRange, { error }).transform(Number).default(fallback);
}

export const yesOrNo = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'is neither true nor false' });

/** Addresses are shown and logged. */
export const address = text
  .refine((given) => /^https?:\/\/[^\s/\\]+/i.test(given) && !/\s/.test(given) && URL.canParse(given), {
    error: "isn't an http or https address",
    abort: true,
  })
  .refine((given) => !new URL(given).username && !new URL(given).password, {
    error: 'has a user name or password in it',
  });

export const baseUrl = address
  .regex(/^[^?#]*$/, { error: 'has a ? or # part: only the part before it belongs here', abort: true })
  .transform((given) => new URL(given).href.replace(/\/+$/, ''));

export const databaseAddress = matching(/^postgres(ql)?:\/\/\S+$/, "isn't a postgres:// address").refine(
  (given) => URL.canParse(given.replace('@/', '@localhost/')),
  { error: "isn't an address: special characters of a password have to be encoded (%40 for @, %2F for /)" },
);

export const operators = text
  .default('')
  .refine((list) => commaSeparated(list).every((entry) => entry === '*' || /^[UWS][A-Z0-9]{2,}$/.test(entry)), {
    error: "is neither * nor a list of Slack IDs of people (U…, W…) and user groups (S…): names don't work",
  })
  .transform(parseOperators);

export function commaSeparated(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
