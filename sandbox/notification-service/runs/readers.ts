import type { Message } from '../entities.ts';
import { wording } from '../wording.ts';
import { note, type Turn } from './run.ts';

/** The probabilities of what somebody who looks at a message does with it. */
const READ = 0.6;
const SNOOZED = 0.1;
const PRESSED = 0.2;

const SNOOZE_MS = 60_000;

/**
 * Plans what happens to a delivered message: an inbox message is seen, read, snoozed or answered; an email's provider reports that it was
 * opened. Randomness comes from `world.aside`, so the events are the same with and without readers.
 */
export function reachReader(turn: Turn, message: Message, at: number): void {
  const { world } = turn.run;
  if (message.channel === 'in_app' && world.likelihood('reader') > 0) message.cta = offeredActions;
  if (!world.aside.chance(world.likelihood('reader'))) return;
  const later = at + world.aside.between(5_000, 60_000);
  if (message.channel === 'in_app') world.agenda.plan(later, (time) => look(turn, message, time));
  if (message.channel === 'email') {
    const opened = { detail: wording.opened, status: 'ReadConfirmation', source: 'Webhook' } as const;
    world.agenda.plan(later, (time) => note(turn, time, opened, world.aside));
  }
}

function look({ run: { world } }: Turn, message: Message, at: number): void {
  const time = new Date(at).toISOString();
  Object.assign(message, { seen: true, lastSeenDate: time });
  if (world.aside.chance(SNOOZED)) snooze(message, at, world.agenda);
  else if (world.aside.chance(READ)) Object.assign(message, { read: true, lastReadDate: time });
  if (message.read && world.aside.chance(PRESSED)) press(message);
}

/** A snoozed message is delivered again when its time has come (contract, `deliveredAt`). */
function snooze(message: Message, at: number, agenda: Turn['run']['world']['agenda']): void {
  const until = new Date(at + SNOOZE_MS).toISOString();
  message.snoozedUntil = until;
  agenda.plan(at + SNOOZE_MS, () => {
    message.deliveredAt = [message.createdAt, until];
    delete message.snoozedUntil;
  });
}

function press(message: Message): void {
  message.cta = { ...message.cta, action: { ...buttons, status: 'done', result: { type: 'primary', payload: {} } } };
}

const buttons = {
  buttons: [
    { type: 'primary', content: 'Show it', resultContent: 'Shown' },
    { type: 'secondary', content: 'Not now' },
  ],
};

/** The buttons of an inbox message. */
const offeredActions = {
  type: 'redirect',
  data: { url: 'https://shop.sandbox.example/account' },
  action: { status: 'pending', ...buttons },
} as const;
