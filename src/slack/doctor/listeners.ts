import { InputError } from '../../domain/errors.ts';
import { refuseOthers } from '../../domain/input/filters.ts';
import { examineSetUp, type SetUpParts } from '../../use-cases/health/examine-setup.ts';
import type { Command } from '../interactions/command.ts';
import type { Flow } from '../interactions/flow.ts';
import { doctorMessage } from './message.ts';

const COMMAND = '/notif doctor';

/** The checks of the setup: `/notif doctor`. */
export function doctorFlow(parts: SetUpParts): Flow {
  return { commands: [doctorCommand(parts)], routes: [] };
}

/**
 * `/notif doctor`. Every member may ask, operator or not: where nobody is an operator yet, somebody has to learn why, and nothing that it
 * says is secret: it names variables and scopes, never what is in them.
 */
function doctorCommand(parts: SetUpParts): Command {
  return {
    word: 'doctor',
    usage: '',
    about: 'check the setup and see how to fix problems',
    examples: [],
    for: 'members',
    answer: async ({ words, filters }, { reply }) => {
      const [word] = words;
      if (word !== undefined)
        throw new InputError('doctor', `${COMMAND} looks at everything: leave ${word} out.`, COMMAND);
      refuseOthers(filters, [], COMMAND);
      await reply.show(doctorMessage(await examineSetUp(parts), parts.now()));
    },
  };
}
