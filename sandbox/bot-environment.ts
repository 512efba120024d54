/** One of the bot's environments, at a local Notification Service. */
export interface LocalEnvironment {
  readonly name: string;
  readonly label: string;
  readonly url: string;
  readonly apiKey: string;
}

export interface BotSettings {
  readonly slack: { readonly apiUrl: string; readonly botToken: string; readonly appToken: string };
  readonly environments: readonly LocalEnvironment[];
  readonly dataFolder: string;
  readonly port: number;
}

/** Variables that the bot would read as its configuration. Those of the user, with real tokens and databases, must not reach a sandbox. */
const botsOwn = /^(NOTIF_|SLACK_|DATABASE_URL(_FILE)?$|PORT$|LOG_LEVEL$)/;

/** Returns the environment variables with which the bot uses the sandbox and nothing else. */
export function botEnvironment(own: NodeJS.ProcessEnv, settings: BotSettings): NodeJS.ProcessEnv {
  const { slack, environments, dataFolder, port } = settings;
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !botsOwn.test(name))),
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    NOTIF_ENVIRONMENTS: environments.map(({ name }) => name).join(','),
    ...Object.assign({}, ...environments.map(variablesOf)),
    NOTIF_DIGEST_CHANNEL: 'C0ONCALL',
    NOTIF_POLL_SECONDS: '10',
    NOTIF_OPERATORS: 'U0ANN',
    NOTIF_DATA_DIR: dataFolder,
    PORT: String(port),
  };
}

function variablesOf({ name, label, url, apiKey }: LocalEnvironment): NodeJS.ProcessEnv {
  const prefix = `NOTIF_${name.toUpperCase()}`;
  return { [`${prefix}_API_URL`]: url, [`${prefix}_API_KEY`]: apiKey, [`${prefix}_LABEL`]: label };
}
