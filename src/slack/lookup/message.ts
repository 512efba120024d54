import type { Button } from '@slack/types';
import type { Seal } from '../../domain/access/seal.ts';
import type { Environment } from '../../domain/environment.ts';
import { type LookupTarget, MOST_RECOGNISED } from '../../domain/input/lookup-target.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { actions, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { lookUpButton, runButton } from '../blocks/buttons.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, type Markup, mrkdwn } from '../blocks/text.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { listButton, ownerName } from './list-message.ts';

export interface LookupChoice {
  readonly environment: Environment;
  readonly target: LookupTarget;
}

export interface ChoiceShown {
  /** Whether the text contains more of them. */
  readonly areMore: boolean;
  readonly audience: Audience;
  readonly now: Date;
  /** For an email address: Slack stores it in a button. */
  readonly seal: Seal;
}

export function choiceMessage(
  choices: readonly LookupChoice[],
  { areMore, audience, now, seal }: ChoiceShown,
): MessageContent {
  const count = areMore ? mrkdwn`More than ${choices.length} IDs` : mrkdwn`${choices.length} IDs`;
  const title = mrkdwn`${count} are in this text. Which one?`;
  const left = areMore ? [context(mrkdwn`These are the first ${MOST_RECOGNISED}. Ask for another by itself.`)] : [];
  return message(title, [
    section(title),
    ...choices.map((choice) =>
      section(mrkdwn`${badge(choice.environment)} · ${nameOf(choice, audience)}`, choiceButton(choice, now, seal)),
    ),
    ...left,
  ]);
}

function nameOf({ target }: LookupChoice, audience: Audience): Markup {
  return target.kind === 'subscriber' || target.kind === 'email'
    ? ownerName(target, audience)
    : idCode(target.id, audience);
}

function choiceButton({ environment: { name: environment }, target }: LookupChoice, now: Date, seal: Seal): Button {
  if (target.kind === 'event' || target.kind === 'transaction') return lookUpButton({ environment, target: target });
  return listButton('Look up', { environment, owner: target, before: now, end: null, from: 0 }, seal);
}

export function nothingToLookFor(): MessageContent {
  const what = mrkdwn`There is no ID in this text.`;
  const next = mrkdwn`Notif looks for event IDs (24 hex digits), transaction, subscriber and topic IDs with a digit in them, links to the dashboard, email addresses and ${code('subscriber:…')}. For any other ID: ${code('/notif event <id>')}. For everything else: ${code('/notif help')}.`;
  return whatNext(what, next);
}

export function formOfCommand(command: string, seal: Seal): MessageContent {
  const what = mrkdwn`${code(`/notif ${command}`, 200)} opens a form, and Slack opens forms only after a click.`;
  return message(what, [section(what), ...actions(runButton('Open form', command, seal))]);
}
