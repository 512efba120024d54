import { type DoctorCtx, examineSetUp } from '../../../health/doctor.ts';
import { type CheckingCtx, checkAll, reportStatus } from '../../../health/status.ts';
import { InputError } from '../../../lib/errors.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import type { Command, Flow } from '../../router/command.ts';
import { doctorMessage } from './doctor-message.ts';
import { statusMessage } from './status-message.ts';

/**
 * Every member can use the doctor, operator or not: if nobody is an operator yet, someone must be able to find out why. Nothing
 * in it is secret: it names variables and scopes, never their values.
 */
export function statusFlow(ctx: CheckingCtx & DoctorCtx): Flow {
  const status = async () => statusMessage(await reportStatus(ctx, await checkAll(ctx)));
  const doctor = async () => doctorMessage(await examineSetUp(ctx), ctx.now());
  return {
    commands: [
      withoutWords(
        'status',
        'how far everything is checked, what is wrong and what to do about it',
        'everyone',
        status,
      ),
      withoutWords('doctor', 'check the setup and see how to fix problems', 'members', doctor),
    ],
    routes: [],
  };
}

function withoutWords(
  word: string,
  about: string,
  access: Command['for'],
  contentOf: () => Promise<MessageContent>,
): Command {
  return {
    ...{ word, about, usage: '', examples: [], filters: [], environments: 'none', for: access },
    answer: async ({ words: [extra] }, { reply }) => {
      const command = `/notif ${word}`;
      if (extra !== undefined)
        throw new InputError(word, `${command} is about everything: leave ${extra} out.`, command);
      await reply.show(await contentOf());
    },
  };
}
