import { systemCode } from '../lib/text/system-code.ts';
import type { ConfigProblem } from './values.ts';

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

type Variables = Readonly<Record<string, string>>;

/** Each `<SECRET>_FILE` becomes its secret, with what the file holds, trimmed. `unread`: the secrets whose files couldn't be read. */
export function withSecretFiles(variables: Variables, readFile: (path: string) => string) {
  const problems: ConfigProblem[] = [];
  const read = new Map<string, string>();
  const unread = new Set<string>();
  for (const [variable, value] of Object.entries(variables)) {
    const secret = SECRET_FILE.exec(variable)?.[1];
    const { content = null, problem = null } =
      secret === undefined
        ? { content: value }
        : variables[secret] !== undefined
          ? { problem: `is set beside ${secret}: use one or the other` }
          : contentOf(value, readFile);
    if (content !== null) read.set(secret ?? variable, content);
    if (secret === undefined || problem === null) continue;
    problems.push({ variable, problem, example: `/run/secrets/${secret.toLowerCase()}` });
    unread.add(secret);
  }
  return { variables: Object.fromEntries(read), problems, unread };
}

function contentOf(path: string, readFile: (path: string) => string): { content?: string; problem?: string } {
  try {
    const content = readFile(path).trim();
    return content === '' ? { problem: 'names an empty file' } : { content };
  } catch (error) {
    return { problem: `names a file that can't be read (${systemCode(error) ?? 'unknown'})` };
  }
}
