/** `next` is what to do where no other input helps. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly field: string;
  readonly example: string | null;
  readonly next: string | null;

  constructor(field: string, message: string, example: string | null = null, next: string | null = null) {
    super(message);
    this.field = field;
    this.example = example;
    this.next = next;
  }
}

export function withExample({ message, example }: InputError): string {
  return example === null ? message : `${message} For example: ${example.replaceAll('\n', ', ')}`;
}

export class NotOperatorError extends Error {
  override readonly name = 'NotOperatorError';
}

export class NotAuthorizedError extends InputError {
  constructor(membership: 'guest' | 'stranger', mayLook: boolean) {
    const who = membership === 'guest' ? 'Guests' : 'People from other organizations';
    const cannot = mayLook ? 'can only look things up here' : "can't use Notif in this workspace";
    super('person', `${who} ${cannot}.`, null, 'Ask a member of the workspace.');
  }
}

/** Slack didn't say who is in the user group, or without one who somebody is. */
export class PersonUnknownError extends Error {
  override readonly name = 'PersonUnknownError';
  /** Slack's code, or another word for why: 'missing_scope'. */
  readonly reason: string;
  readonly group: string | null;

  constructor(reason: string, { group = null, cause }: { group?: string | null; cause?: unknown } = {}) {
    super(`Slack didn't say who ${group === null ? 'somebody is' : `is in user group ${group}`}: ${reason}`, { cause });
    this.reason = reason;
    this.group = group;
  }
}

export interface Explanation {
  what: string;
  next: string;
}

export const STORE_TROUBLES = {
  'not-answering': {
    what: "Notif's database isn't responding.",
    next: "Try again in a minute, then ask Notif's admins (docs/runbook.md).",
  },
  refused: {
    what: "The database refuses Notif's login, or a right that it needs.",
    next: "Tell Notif's admins: the user and password of DATABASE_URL, and its rights (docs/configuration.md).",
  },
  damaged: {
    what: "Notif's database is damaged, or its tables are gone.",
    next: "Tell Notif's admins (docs/runbook.md).",
  },
  'read-only': {
    what: "Notif's database accepts no changes right now.",
    next: 'Lookups work; changes do once the database accepts them (docs/runbook.md).',
  },
};

export type StoreTrouble = keyof typeof STORE_TROUBLES;

/** A failed write may have been stored. */
export class StoreTroubleError extends Error {
  override readonly name = 'StoreTroubleError';
  readonly trouble: StoreTrouble;

  constructor(trouble: StoreTrouble, cause?: unknown) {
    const { what, next } = STORE_TROUBLES[trouble];
    super(`${what} ${next}`, { cause });
    this.trouble = trouble;
  }
}

/** PostgreSQL's 57014 cancels a slow statement: the database is available. */
export function isStoreAway(err: unknown): err is StoreTroubleError {
  return err instanceof StoreTroubleError && systemCode(err.cause) !== '57014';
}

export interface ConfigProblem {
  variable: string;
  /** Follows the variable's name: "is missing". */
  problem: string;
  example: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const list = problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ');
    super(`Some environment variables are missing or invalid: ${list}`);
    this.problems = problems;
  }
}

export function systemCode(error: unknown): string | null {
  const code: unknown = withCode(error)?.code;
  return typeof code === 'string' ? code : null;
}

function withCode(error: unknown): (Error & { code: unknown }) | null {
  if (!(error instanceof Error)) return null;
  return 'code' in error && typeof error.code === 'string' ? error : withCode(error.cause);
}

/** ETIMEDOUT isn't one of them: it can also end an open connection. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ERR_PROXY .*|CERT_.*|UNABLE_TO_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SSL_WRONG_VERSION_NUMBER)$/;

export function wasNeverConnected(error: unknown): boolean {
  const coded = withCode(error);
  if (coded === null) return false;
  return Reflect.get(coded, 'syscall') === 'connect' || NOT_CONNECTED.test(String(coded.code));
}
