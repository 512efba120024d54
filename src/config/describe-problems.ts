import type { ConfigProblem } from './problem.ts';

/** Returns the text for someone who started Notif with an incomplete configuration: one problem per line, then where to find help. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  const lines = problems.map(
    ({ variable, problem, example }) => `  ${variable} ${problem}\n      for example: ${example}`,
  );
  return [
    "Notif can't start: some environment variables are missing or invalid.",
    '',
    ...lines,
    '',
    'docs/configuration.md describes every variable, docs/slack-app.md where the tokens come from.',
    'To try it without Slack or a service: npm run sandbox',
    '',
  ].join('\n');
}
