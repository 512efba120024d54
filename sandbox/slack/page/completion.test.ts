import { describe, expect, it } from 'vitest';
import { commandBeingTyped, gestureFor, offerCommands } from './completion.ts';

const notif = { command: '/notif', description: 'Look up a notification', usageHint: 'help' };
const commands = [notif, { command: '/remind', description: 'Remind', usageHint: '' }];

describe('command completion', () => {
  it('offers the commands that begin like what was typed', () => {
    expect(offerCommands('/', commands)).toEqual(commands);
    expect(offerCommands('/no', commands)).toEqual([notif]);
  });

  it.each(['', 'hello', '/notif ', 'see /no'])('offers nothing for "%s"', (typed) => {
    expect(offerCommands(typed, commands)).toEqual([]);
  });

  it('knows whose arguments are being typed', () => {
    expect(commandBeingTyped('/notif fail', commands)).toBe(notif);
    expect(commandBeingTyped('/notif', commands)).toBeNull();
  });
});

describe('what sending does', () => {
  it('runs a command, or says the text', () => {
    expect(gestureFor(' /notif help ', 'C1', null)).toEqual({ do: 'command', channel: 'C1', text: '/notif help' });
    expect(gestureFor('hello', 'C1', null)).toEqual({ do: 'say', channel: 'C1', text: 'hello' });
  });

  it('only says in a thread', () => {
    expect(gestureFor('/notif', 'C1', '1.0')).toEqual({ do: 'say', channel: 'C1', text: '/notif', threadTs: '1.0' });
  });

  it('does nothing for blank text', () => {
    expect(gestureFor(' \n', 'C1', null)).toBeNull();
  });
});
