import { InputError } from '../../domain/errors.ts';
import { examineSetUp, type SetUpParts } from '../../use-cases/doctor/examine-set-up.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { doctorMessage } from './message.ts';

const COMMAND = '/notif doctor';

/**
 * Every member can use it, operator or not: if nobody is an operator yet, someone must be able to find out why. Nothing
 * in it is secret: it names variables and scopes, never their values.
 */
export function doctorFlow(parts: SetUpParts): Flow {
  const doctor: Command = {
    word: 'doctor',
    usage: '',
    about: 'check the setup and see how to fix problems',
    examples: [],
    for: 'members',
    filters: [],
    environments: 'none',
    answer: async ({ words: [word] }, { reply }) => {
      if (word !== undefined)
        throw new InputError('doctor', `${COMMAND} looks at everything: leave ${word} out.`, COMMAND);
      await reply.show(doctorMessage(await examineSetUp(parts), parts.now()));
    },
  };
  return { commands: [doctor], routes: [] };
}
