import type { KnownBlock } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { LookupTarget } from '../../domain/ids.ts';
import type { FoundNothing } from '../../domain/looked-up.ts';
import type { Audience } from '../../domain/shown-id.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { isForEveryone, lookUpButton } from '../blocks/lookup-button.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, mrkdwn } from '../blocks/text.ts';

/** No event and no transaction has this id; `elsewhere` are the environments that know it. */
export function nothingFound(
  { environment, target }: FoundNothing,
  elsewhere: readonly Environment[],
  audience: Audience,
): MessageContent {
  const what = mrkdwn`${badge(environment)} has no event and no transaction ${idCode(target.id, audience)}.`;
  const next =
    elsewhere.length === 0
      ? mrkdwn`It may be older than the service keeps, or not be listed yet: a new one takes a moment.`
      : mrkdwn`It exists in ${joined(elsewhere.map(badge), ', ')}.`;
  return message(mrkdwn`${what} ${next}`, [
    section(joined([what, next], '\n')),
    ...(audience === 'requester' || isForEveryone({ environment: environment.name, target }) ? elsewhere : []).map(
      (other) => wayTo(other, target),
    ),
  ]);
}

function wayTo(environment: Environment, target: LookupTarget): KnownBlock {
  return section(mrkdwn`In ${badge(environment)}`, lookUpButton({ environment: environment.name, target }, 'Show'));
}
