import type { SectionBlock } from '@slack/types';
import { targetOf } from '../../../domain/lookups/looked-up.ts';
import type { ListedEvent } from '../../../domain/lookups/transaction.ts';
import { section } from '../blocks.ts';
import { lookUpButton } from '../buttons/lookup-button.ts';
import { channelVia } from '../incident/channel-name.ts';
import { outcomeWord } from '../incident/verdict-word.ts';
import { code, type Markup, mrkdwn } from '../text.ts';
import { time } from '../times.ts';

export function eventRow(listed: ListedEvent, environment: string): SectionBlock {
  const target = targetOf({ id: listed.eventId, transactionId: listed.transactionId });
  return section(eventLine(listed), lookUpButton({ environment, target }));
}

function eventLine({ outcome, subscriberId, createdAt, cause }: ListedEvent): Markup {
  const whom = subscriberId === null ? mrkdwn`(no subscriber)` : code(subscriberId);
  const why = cause === null ? mrkdwn`` : mrkdwn`\n${channelVia(cause.channel, cause.provider)}: ${cause.text}`;
  return mrkdwn`${outcomeWord(outcome)} · ${whom} · ${time(createdAt, 'day')}${why}`;
}
