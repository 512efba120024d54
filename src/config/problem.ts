import type { z } from 'zod';
import type { ConfigWarning } from './warnings.ts';

/** A problem with one variable. Never contains the variable's value: the list is printed and may be pasted anywhere. */
export interface ConfigProblem {
  readonly variable: string;
  /** Continues the variable's name: "is missing". */
  readonly problem: string;
  readonly example: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];
  /** The variables that are set and not used: a mistyped one may be why another is missing. */
  readonly unused: readonly ConfigWarning[];

  constructor(
    problems: readonly ConfigProblem[],
    { unused = [], ...options }: ErrorOptions & { readonly unused?: readonly ConfigWarning[] } = {},
  ) {
    const found = problems.map(({ variable, problem }) => `${variable} ${problem}`).join('; ');
    super(`Some environment variables are missing or invalid: ${found}`, options);
    this.problems = problems;
    this.unused = unused;
  }
}

export function problemsOf(
  error: z.ZodError | undefined,
  examples: Readonly<Record<string, string>>,
  prefix = '',
): ConfigProblem[] {
  return (error?.issues ?? []).map((issue) => {
    const key = String(issue.path[0]);
    return { variable: `${prefix}${key}`, problem: issue.message, example: examples[key] ?? '' };
  });
}

export function describeProblems({ problems, unused }: Pick<ConfigError, 'problems' | 'unused'>): string {
  const lines = problems.map(
    ({ variable, problem, example }) => `  ${variable} ${problem}\n      for example: ${example}`,
  );
  const also = unused.map(({ variable, warning }) => `  ${variable} ${warning}`);
  return [
    "Notif can't start: some environment variables are missing or invalid.",
    '',
    ...lines,
    '',
    ...(also.length === 0 ? [] : ['These are set, too:', '', ...also, '']),
    'docs/configuration.md describes every variable, docs/slack-app.md where the tokens come from.',
    'To try it without Slack or a service: npm run sandbox',
    '',
  ].join('\n');
}
