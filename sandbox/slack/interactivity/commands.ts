import { Arguments } from '../arguments.ts';
import type { Acknowledged } from '../delivery.ts';
import type { SlashCommand } from '../manifest.ts';
import { Refusal } from '../refusal.ts';
import type { SeedPerson } from '../seed.ts';
import type { Channel } from '../state/conversations.ts';
import type { ReplyTarget } from '../state/response-urls.ts';
import type { SlackState } from '../state/slack-state.ts';
import { escapeMentions } from './escape-mentions.ts';
import { failed, type Interaction } from './interaction.ts';
import { slashCommand } from './payloads.ts';
import { respond } from './respond.ts';

/** Refuses a line that starts with a slash in a thread, where Slack accepts no app's command. */
export async function refuseInThread(line: string): Promise<Interaction> {
  return failed('not_supported_in_threads', `${line.split(' ')[0]} is not supported in threads. Sorry!`);
}

/** Sends a person's line that starts with a slash. The bot's answer in its acknowledgment appears at once. */
export async function typeCommand(
  { person, channel, line }: { person: SeedPerson; channel: Channel; line: string },
  slack: SlackState,
): Promise<Interaction> {
  const [word = '', ...rest] = line.split(' ');
  const command = slack.manifest.features.slash_commands.find((each) => each.command === word);
  if (command === undefined) return failed('invalid_command', `${word} is not a valid command.`);
  const target = { person: person.id, channel: channel.id, sourceTs: null };
  const typed = { person, channel, command: word, text: textFor(command, rest.join(' ').trim(), slack) };
  const triggerId = slack.triggers.issue(person.id);
  const payload = slashCommand({ ...typed, triggerId, responseUrl: slack.responseUrls.issue(target) }, slack);
  const delivery = await slack.bot.deliver('slash_commands', payload);
  if (!delivery.ok) return failed(delivery.error, `${word} failed with the error "${delivery.error}"`, delivery.ackMs);
  return showAcknowledgment(word, delivery, target, slack);
}

function textFor(command: SlashCommand, text: string, slack: SlackState): string {
  return command.should_escape ? escapeMentions(text, slack) : text;
}

function showAcknowledgment(word: string, delivery: Acknowledged, target: ReplyTarget, slack: SlackState): Interaction {
  const { ackMs } = delivery;
  const response = new Arguments(delivery.response);
  const isEmpty = !response.text('text') && !response.has('blocks') && !response.has('attachments');
  if (isEmpty) return { ok: true, ackMs };
  try {
    respond(response, target, slack);
    return { ok: true, ackMs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failed(error.word, `${word} failed with the error "invalid_command_response" (${error.word})`, ackMs);
  }
}
