import type { CallLog } from './calls.ts';
import type { SlackFaults } from './faults.ts';
import { Refusal } from './refusal.ts';
import { answer, type Reply, replyUnder } from './replies.ts';
import type { SlackState } from './state/slack-state.ts';

/** Handles uploads. Slack reports a failure only by a status outside 2xx. */
export class UploadApi {
  readonly #parts: { slack: SlackState; faults: SlackFaults; calls: CallLog };

  constructor(parts: { slack: SlackState; faults: SlackFaults; calls: CallLog }) {
    this.#parts = parts;
  }

  handle(ticket: string, content: Buffer): Reply {
    const { faults, calls } = this.#parts;
    const reply = replyUnder(faults.take('upload'), () => this.#carryOut(ticket, content));
    calls.record('upload', { bytes: content.length }, reply);
    return reply;
  }

  #carryOut(ticket: string, content: Buffer): Reply {
    try {
      this.#parts.slack.files.receive(ticket, content);
      return answer({ ok: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return answer({ ok: false, error: error.word }, error.word === 'invalid_ticket' ? 404 : 400);
    }
  }
}
