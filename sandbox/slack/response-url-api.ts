import { Arguments } from './arguments.ts';
import type { CallLog } from './calls.ts';
import type { SlackFaults } from './faults.ts';
import { respond } from './interactivity/respond.ts';
import type { Json } from './page-protocol.ts';
import { Refusal } from './refusal.ts';
import { answer, type Reply, replyUnder } from './replies.ts';
import type { SlackState } from './state/slack-state.ts';

/** Codes for an invalid URL; any other code is about the message. */
const ADDRESS_WORDS = new Set(['invalid_url', 'used_url', 'expired_url']);

/** Handles requests to a response_url: carries them out, or refuses them with a status outside 2xx, as Slack does. */
export class ResponseUrlApi {
  readonly #parts: { slack: SlackState; faults: SlackFaults; calls: CallLog };

  constructor(parts: { slack: SlackState; faults: SlackFaults; calls: CallLog }) {
    this.#parts = parts;
  }

  handle(id: string, args: Json): Reply {
    const { faults, calls } = this.#parts;
    const reply = replyUnder(faults.take('response_url'), () => this.#carryOut(id, args));
    calls.record('response_url', args, reply);
    return reply;
  }

  #carryOut(id: string, args: Json): Reply {
    const { slack } = this.#parts;
    try {
      respond(new Arguments(args), slack.responseUrls.use(id), slack);
      return answer({ ok: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return answer({ ok: false, error: error.word, ...error.details }, ADDRESS_WORDS.has(error.word) ? 404 : 400);
    }
  }
}
