import { describe, expect, test } from 'vitest';
import { actFor, commandsFor } from './composer.tsx';

const commands = [
  { command: '/notif', description: 'Look up a notification', usageHint: 'help' },
  { command: '/remind', description: 'Remind', usageHint: '' },
];

test('explains the commands that the text begins or names', () => {
  const names = (typed: string) => commandsFor(typed, commands).map(({ command }) => command);
  expect(names('/')).toEqual(['/notif', '/remind']);
  expect(names('/notif fail')).toEqual(['/notif']);
  expect(names('/no fail')).toEqual([]);
  expect(names('see /no')).toEqual([]);
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
