import { parseConfig } from './config.ts';
import { ConfigError, type ConfigProblem } from './lib/errors.ts';

export const slackOnly = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

/** All that is required. */
export const complete = { ...slackOnly, NOTIF_API_URL: 'https://api.example.com', NOTIF_API_KEY: 'the-key' };

export function problemsOf(env: NodeJS.ProcessEnv): readonly ConfigProblem[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
