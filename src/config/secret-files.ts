import { systemCode } from '../lib/text/system-code.ts';
import type { ConfigProblem } from './problem.ts';
import { isQuoted, QUOTED } from './values.ts';

export const SECRETS = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'NOTIF_API_KEY',
  'NOTIF_HEARTBEAT_URL',
  'NOTIF_DEPLOY_TOKEN',
  'DATABASE_URL',
] as const;

const NAMES_FILE = new RegExp(`^(${SECRETS.join('|')}|NOTIF_[A-Z0-9_]+_API_KEY)_FILE$`);
const exampleOf = (secret: string): string => `/run/secrets/${secret.toLowerCase()}`;

type Variables = Readonly<Record<string, string>>;

export interface SecretsRead {
  /** Includes what the files hold, without the variables that name the files. */
  readonly variables: Record<string, string>;
  readonly problems: readonly ConfigProblem[];
  readonly fromFiles: ReadonlySet<string>;
  /** The variables whose files couldn't be read, and whose values are therefore unknown. */
  readonly unread: ReadonlySet<string>;
}

/** Trims what the files hold. `readFile` throws if there is no such file. */
export function withSecretFiles(variables: Variables, readFile: (path: string) => string): SecretsRead {
  const problems: ConfigProblem[] = [];
  const unread = new Set<string>();
  const fromFiles = new Set<string>();
  const read = Object.entries(variables).flatMap(([variable, value]): [string, string][] => {
    const secret = NAMES_FILE.exec(variable)?.[1];
    if (secret === undefined) return [[variable, value]];
    const { content, problem } = secretIn(value, variables[secret] !== undefined, secret, readFile);
    if (content !== null) {
      fromFiles.add(secret);
      return [[secret, content]];
    }
    problems.push({ variable, problem, example: exampleOf(secret) });
    unread.add(secret);
    return [];
  });
  return { variables: Object.fromEntries(read), problems, fromFiles, unread };
}

type SecretRead =
  | { readonly content: string; readonly problem?: never }
  | { readonly content: null; readonly problem: string };

function secretIn(path: string, isSet: boolean, secret: string, readFile: (path: string) => string): SecretRead {
  if (isSet) return { content: null, problem: `is set beside ${secret}: use one or the other` };
  if (isQuoted(path)) return { content: null, problem: QUOTED };
  try {
    const content = readFile(path).trim();
    return content === '' ? { content: null, problem: 'names an empty file' } : { content };
  } catch (error) {
    return { content: null, problem: `names a file that can't be read (${systemCode(error) ?? 'unknown'})` };
  }
}

export function variableAsSet(variable: string, fromFiles: ReadonlySet<string>): string {
  return fromFiles.has(variable) ? `${variable}_FILE` : variable;
}

export function problemAsSet(problem: ConfigProblem, fromFiles: ReadonlySet<string>): ConfigProblem {
  if (!fromFiles.has(problem.variable)) return problem;
  return {
    ...problem,
    variable: variableAsSet(problem.variable, fromFiles),
    problem: `names a file whose content ${problem.problem}`,
  };
}
