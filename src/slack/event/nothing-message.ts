import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { LookupTarget } from '../../domain/ids.ts';
import type { FoundNothing } from '../../domain/looked-up.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { lookUpButton } from '../blocks/lookup-button.ts';
import { code, joined, mrkdwn } from '../blocks/text.ts';

/** No event and no transaction has this id; `elsewhere` are the environments that know it. */
export function nothingFound({ environment, target }: FoundNothing, elsewhere: readonly Environment[]): MessageContent {
  const what = mrkdwn`${badge(environment)} has no event and no transaction ${code(target.id)}.`;
  const next =
    elsewhere.length === 0
      ? mrkdwn`It may be older than the service keeps, or not be listed yet: a new one takes a moment.`
      : mrkdwn`It exists in ${joined(elsewhere.map(badge), ', ')}.`;
  return message(mrkdwn`${what} ${next}`, [
    section(joined([what, next], '\n')),
    ...elsewhere.map((other) => wayTo(other, target)),
  ]);
}

function wayTo(environment: Environment, target: LookupTarget): KnownBlock {
  return section(mrkdwn`In ${badge(environment)}`, lookUpButton({ environment: environment.name, target }, 'Show'));
}
