import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError, type ConfigProblem, systemCode } from '../lib/errors.ts';
import { parseOperators } from '../lib/workspace.ts';

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
  'NOTIF_ALERTMANAGER_URL',
  'NOTIF_ALERTMANAGER_TOKEN',
  'NOTIF_ALERTMANAGER_PASSWORD',
  'DATABASE_URL',
];

const SECRET_FILE = new RegExp(`^(${SECRETS.join('|')}|NOTIF_[A-Z0-9_]+_API_KEY)_FILE$`);

export type Variables = Readonly<Record<string, string>>;

export function variablesIn(env: NodeJS.ProcessEnv): Variables {
  const set = Object.entries(env).map(([name, value]) => [name, plainValue(value)] as const);
  const given = new Map(set.filter(([, value]) => value !== ''));
  const variables = [...given].map(([variable, value]) => {
    const secret = SECRET_FILE.exec(variable)?.[1];
    if (secret === undefined) return [variable, value];
    const example = `/run/secrets/${secret.toLowerCase()}`;
    const problem = `is set beside ${secret}: use one or the other`;
    if (given.has(secret)) throw new ConfigError([{ variable, problem, example }]);
    return [secret, fileContent(value, variable, example)];
  });
  return Object.fromEntries(variables);
}

/** `"4000" ` is `4000`: some ways of setting variables keep quotes and blanks. */
export const plainValue = (value = ''): string => value.replace(/^\s*(["'])(.*)\1\s*$/s, '$2').trim();

export function fileContent(path: string, variable: string, example: string): string {
  let problem = 'names an empty file';
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    problem = `names a file that can't be read (${systemCode(error)})`;
  }
  throw new ConfigError([{ variable, problem, example }]);
}

export const anyValue = z.string({ error: 'is missing' });

export const matching = (pattern: RegExp, error: string): z.ZodString => anyValue.regex(pattern, { error });

/** Headers take only these characters. */
export const secret = matching(
  /^[\x21-\x7e]+$/,
  'contains white space, an invisible or a non-ASCII character: copy it again',
);

export const tokenWith = (start: string, name: string): z.ZodString =>
  secret.startsWith(start, { error: `isn't ${name}, which starts with ${start}` });

export function wholeNumber(
  from: number,
  to: number,
  fallback: number,
): z.ZodDefault<z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>> {
  const isInRange = (digits: string) => /^\d{1,9}$/.test(digits) && Number(digits) >= from && Number(digits) <= to;
  const error = `isn't a whole number from ${from} to ${to}`;
  return anyValue.refine(isInRange, { error }).transform(Number).default(fallback);
}

export const yesOrNo = z
  .stringbool({ truthy: ['true'], falsy: ['false'], error: 'is neither true nor false' })
  .optional();

const anyAddress = anyValue.refine(
  (given) => /^https?:\/\/[^\s/\\]+/i.test(given) && !/\s/.test(given) && URL.canParse(given),
  { error: "isn't an http or https address", abort: true },
);

/** An address has no password, since it is shown and logged. */
export const address = anyAddress.refine((given) => !new URL(given).username && !new URL(given).password, {
  error: 'has a user name or password in it',
});

const WITHOUT_QUERY = /^[^?#]*$/;
const HAS_QUERY = { error: 'has a ? or # part: only the part before it belongs here', abort: true };

const baseOf = (given: string) => new URL(given).href.replace(/\/+$/, '');

export const baseUrl = address.regex(WITHOUT_QUERY, HAS_QUERY).transform(baseOf);

/** Takes the login out of the address, and decodes it: `user:password`. */
export const baseUrlWithLogin = anyAddress
  .regex(WITHOUT_QUERY, HAS_QUERY)
  .refine((given) => !new URL(given).pathname.includes('@') && loginIn(given) !== null, {
    error: "has a user name or password whose special characters aren't encoded (%40 for @, %2F for /, %25 for %)",
    abort: true,
  })
  .transform((given) => {
    const { protocol, host, pathname } = new URL(given);
    return { url: baseOf(`${protocol}//${host}${pathname}`), login: loginIn(given) || null };
  });

/** Returns null if it can't be decoded, and '' if there is none. */
function loginIn(given: string): string | null {
  const { username, password } = new URL(given);
  try {
    return username + password === '' ? '' : [username, password].map(decodeURIComponent).join(':');
  } catch {
    return null;
  }
}

export const maybeUrl = baseUrl.optional().describe('https://notifications.example.com');

/** Of a password with an unencoded #, / or ?, what stands before that would be taken for the host, which errors name. */
export const databaseAddress = matching(
  /^postgres(?:ql)?:\/\/[^\s/?#]+(?:[/?][^\s#@]*)?$/,
  "isn't a postgres:// address with the special characters of a password encoded (%40 for @, %2F for /, %23 for #)",
);

export const operators = anyValue
  .default('')
  .transform(parseOperators)
  .refine(({ users, groups }) => [...users, ...groups].every((id) => /^[UWS][A-Z0-9]{2,}$/.test(id)), {
    error: "is neither * nor a list of Slack IDs of people (U…, W…) and user groups (S…): names don't work",
  });
