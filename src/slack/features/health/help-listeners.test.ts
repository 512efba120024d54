import { describe, expect, test } from 'vitest';
import type { Logger } from '../../../lib/logger.ts';
import { createSeal } from '../../../lib/seal.ts';
import { dbAnswering } from '../../../store/store.testing.ts';
import type { Command } from '../../router/command.ts';
import type { CommandInteraction } from '../../router/interaction.ts';
import { runCommand } from '../../router/notif-command.ts';
import { PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { helpFlow } from './help-listeners.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const away = (): Promise<string | null> => Promise.reject(new Error('the database is away'));

async function answers(text: string, environmentOf: () => Promise<string | null>, channelId = 'C0ONCALL') {
  const shown: string[] = [];
  const ctx = {
    environments: [PRODUCTION, STAGING],
    accessControl: { authorize: async () => {}, canUse: async () => 'yes' as const },
    db: dbAnswering(async () => {
      const environment = await environmentOf();
      return environment === null ? [] : [['key', { environment, by: 'U0ANN', at: '2026-03-04' }, null]];
    }),
    logger: silent,
    seal: createSeal('xoxb-secret'),
    workspace: { timeZoneOf: async () => null },
    showNumbered: async () => {},
  };
  const interaction: CommandInteraction = {
    ...{ userId: 'U0ANN', channelId, threadTs: null, answerUrl: null, text },
    openModal: () => Promise.reject(new Error('no form is opened')),
    reply: {
      show: async (content) => void shown.push(wordsOf(content)),
      replace: async () => {},
      stillWorking: async () => {},
      endWait: async () => {},
      share: null,
    },
  };
  const health: Command = {
    ...{
      word: 'health',
      usage: '',
      about: 'how it is',
      examples: [],
      for: 'everyone',
      environments: 'none',
      filters: [],
    },
    answer: async () => void shown.push('It is unwell.'),
  };
  const commands = [health, ...helpFlow(ctx, [health]).commands];
  await runCommand(ctx, interaction, commands, async () => null);
  return shown.join('\n');
}

describe('help names the environment that commands use', () => {
  const none = async () => null;
  const staging = async () => 'staging';

  test("in a channel, the channel's own or the first", async () => {
    expect(await answers('help', staging)).toContain('commands in this channel use staging; others: env:production.');
    expect(await answers('help', none)).toContain('commands in this channel use production; others: env:staging.');
  });

  test('in a direct message, without speaking of a channel', async () => {
    expect(await answers('help', none, 'D0ANN')).toContain(
      'Without env:, commands use production; others: env:staging.',
    );
  });

  test("unless the database doesn't respond", async () => {
    expect(await answers('help', away)).toContain('Environments: env:production, env:staging.');
  });
});

test("a command that takes no environment answers while the database doesn't respond", async () => {
  expect(await answers('health', away)).toBe('It is unwell.');
});
