import { InputError } from '../../domain/errors.ts';
import { type CheckedStatusParts, checkAndReportStatus } from '../../use-cases/health/report-status.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { statusMessage } from './message.ts';

const COMMAND = '/notif status';

export function statusFlow(parts: CheckedStatusParts): Flow {
  const status: Command = {
    word: 'status',
    usage: '',
    about: 'how far everything is checked, what is wrong and what to do about it',
    examples: [],
    for: 'everyone',
    filters: [],
    environments: 'none',
    answer: async ({ words: [word] }, { reply }) => {
      if (word !== undefined)
        throw new InputError('status', `${COMMAND} is about everything: leave ${word} out.`, COMMAND);
      await reply.show(statusMessage(await checkAndReportStatus(parts)));
    },
  };
  return { commands: [status], routes: [] };
}
