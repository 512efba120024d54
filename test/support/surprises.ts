import { plantedSecrets } from '../../sandbox/service/provider-failures.ts';
import type { LocalService } from '../../sandbox/service/server.ts';
import type { LocalSlack } from '../../sandbox/slack/server.ts';
import { NOT_HERE } from '../../sandbox/slack/validate/block-kit.ts';
import type { BotLog } from './bot-log.ts';
import { textOf } from './evidence.ts';

class SurpriseError extends Error {
  override readonly name = 'SurpriseError';

  constructor(surprises: readonly string[]) {
    super(`This is no part of the story:\n${surprises.join('\n')}`);
  }
}

export function failOnSurprises(log: BotLog, slack: LocalSlack, services: readonly LocalService[]): void {
  const secrets = [...Object.values(plantedSecrets), slack.botToken, slack.appToken, slack.signingSecret].concat(
    services.map(({ apiKey }) => apiKey),
  );
  const surprises = [...log.surprises(secrets), ...mistakes(slack), ...previews(slack), ...leaks(slack, secrets)];
  if (surprises.length > 0) throw new SurpriseError(surprises);
}

/** Slack's error codes for calls that a bot should never make, except with blocks that a workspace doesn't have yet. */
const MISTAKES = /^(invalid_(?!auth)|msg_|no_text|unknown_method|not_allowed_token_type|missing_argument)/;

function mistakes({ calls }: LocalSlack): readonly string[] {
  return calls
    .all()
    .filter(({ answer }) => MISTAKES.test(String(answer?.error ?? '')) && !JSON.stringify(answer).includes(NOT_HERE))
    .map(({ method, answer }) => `${method} was refused: ${JSON.stringify(answer)}`);
}

/** To preview a link, Slack requests its page, which Notif never wants. */
function previews({ calls }: LocalSlack): readonly string[] {
  return calls
    .of('chat.postMessage')
    .filter(({ args }) => `${args.unfurl_links} ${args.unfurl_media}` !== 'false false')
    .map(({ args }) => `a message asks for previews: ${args.text}`);
}

function leaks({ calls }: LocalSlack, secrets: readonly string[]): readonly string[] {
  return calls.all().flatMap((call) => {
    const said = textOf(call);
    return secrets.filter((secret) => said.includes(secret)).map((secret) => `${call.method} sent ${secret}: ${said}`);
  });
}
