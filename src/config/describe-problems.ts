import type { ConfigError } from './problem.ts';

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
