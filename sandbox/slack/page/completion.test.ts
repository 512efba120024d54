import { describe, expect, test } from 'vitest';
import { actFor, commandBeingTyped, offerCommands, offerPeople } from './composer.tsx';

const notif = { command: '/notif', description: 'Look up a notification', usageHint: 'help' };
const commands = [notif, { command: '/remind', description: 'Remind', usageHint: '' }];

describe('command completion', () => {
  test('offers the commands that begin with the typed text', () => {
    expect(offerCommands('/', commands).map(({ name }) => name)).toEqual(['/notif', '/remind']);
    const offer = { name: '/notif', usage: 'help', description: 'Look up a notification', completed: '/notif ' };
    expect(offerCommands('/no', commands)).toEqual([{ ...offer, isTyped: false }]);
    expect(offerCommands('/notif', commands)).toEqual([{ ...offer, isTyped: true }]);
  });

  test.each(['', 'hello', '/notif ', 'see /no'])('offers nothing for "%s"', (typed) => {
    expect(offerCommands(typed, commands)).toEqual([]);
  });

  test('finds the command whose arguments are being typed', () => {
    expect(commandBeingTyped('/notif fail', commands)).toBe(notif);
    expect(commandBeingTyped('/notif', commands)).toBeNull();
  });
});

describe('completion of names', () => {
  const people = [
    { id: 'U0ANN', name: 'ann', isBot: false, standing: 'member' as const },
    { id: 'U0BOT', name: 'Notif', isBot: true, standing: 'member' as const },
  ];

  test('offers people whose names begin with the end of the text', () => {
    expect(offerPeople('@', people).map(({ name }) => name)).toEqual(['@ann', '@Notif']);
    expect(offerPeople('ask @no', people)).toMatchObject([{ completed: 'ask @Notif ', isTyped: false }]);
    expect(offerPeople('@notif', people)).toMatchObject([{ completed: '@Notif ', isTyped: true }]);
  });

  test.each(['', '@ann ', 'ann@no', '@zoe'])('offers nobody for "%s"', (typed) => {
    expect(offerPeople(typed, people)).toEqual([]);
  });
});

describe('sending from the composer', () => {
  test('runs a command or posts the text', () => {
    expect(actFor(' /notif help ', 'C1', null)).toEqual({ do: 'command', channel: 'C1', text: '/notif help' });
    expect(actFor('hello', 'C1', null)).toEqual({ do: 'say', channel: 'C1', text: 'hello' });
  });

  test('uses the open thread', () => {
    expect(actFor('hi', 'C1', '1.0')).toEqual({ do: 'say', channel: 'C1', text: 'hi', threadTs: '1.0' });
    expect(actFor('/notif', 'C1', '1.0')).toMatchObject({ do: 'command', threadTs: '1.0' });
  });

  test('does nothing for blank text', () => {
    expect(actFor(' \n', 'C1', null)).toBeNull();
  });
});
