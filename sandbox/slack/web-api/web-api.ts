import { Arguments, Refusal } from '../arguments.ts';
import type { CallLog, Reply } from '../calls.ts';
import type { Fault, SlackFaults } from '../faults.ts';
import { respond } from '../interactivity/writing.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state.ts';
import { METHODS, type Method } from './methods.ts';

export const BOT_TOKEN = 'xoxb-sandbox-bot';
export const APP_TOKEN = 'xapp-sandbox-app';

const APP_SCOPES = ['connections:write'];

/** Errors of an address or upload that Slack answers with 404, as there is none by then; all others with 400. */
const ADDRESS_WORDS = ['invalid_url', 'used_url', 'expired_url', 'invalid_ticket'];

export class WebApi {
  readonly #slack: SlackState;
  readonly #faults: SlackFaults;
  readonly #calls: CallLog;

  constructor(slack: SlackState, faults: SlackFaults, calls: CallLog) {
    this.#slack = slack;
    this.#faults = faults;
    this.#calls = calls;
  }

  call(name: string, token: string | undefined, args: Json): Reply {
    return this.#handle(name, args, () => this.#carryOut(name, token, new Arguments(args)));
  }

  respond(id: string, args: Json): Reply {
    return this.#atAddress('response_url', args, () =>
      respond(new Arguments(args), this.#slack.useResponseUrl(id), this.#slack),
    );
  }

  upload(ticket: string, content: Buffer): Reply {
    return this.#atAddress('upload', { bytes: content.length }, () => this.#slack.receiveFile(ticket, content));
  }

  #atAddress(name: string, args: Json, carryOut: () => void): Reply {
    const statusOf = (word: string) => (ADDRESS_WORDS.includes(word) ? 404 : 400);
    return this.#handle(name, args, () => answerTo(() => void carryOut(), statusOf));
  }

  #handle(name: string, args: Json, carryOut: () => Reply): Reply {
    const fault = this.#faults.take(name);
    const reply = replyUnder(fault, carryOut);
    this.#calls.record(name, args, reply);
    if (fault === undefined && reply.kind === 'answer' && reply.body.ok === false)
      this.#slack.onRefusal(`Slack refused ${name}: ${JSON.stringify(reply.body)}`);
    return reply;
  }

  #carryOut(name: string, token: string | undefined, args: Arguments): Reply {
    const method = METHODS[name];
    if (method === undefined) return answer({ ok: false, error: 'unknown_method', req_method: name });
    const needed = typeof method.scope === 'function' ? method.scope(args, this.#slack) : method.scope;
    const provided = token === BOT_TOKEN ? [...this.#slack.scopes] : token === APP_TOKEN ? APP_SCOPES : [];
    const handleInScope = () => {
      checkToken(method, token);
      if (needed !== null && !provided.includes(needed))
        throw new Refusal('missing_scope', { needed, provided: provided.join(',') });
      return method.handler(args, this.#slack);
    };
    return answerTo(handleInScope, () => 200, {
      'x-oauth-scopes': provided.join(','),
      ...(needed !== null && { 'x-accepted-oauth-scopes': needed }),
    });
  }
}

function checkToken(method: Method, token: string | undefined): void {
  if (method.token === 'none') return;
  if (token === undefined) throw new Refusal('not_authed');
  if (token !== BOT_TOKEN && token !== APP_TOKEN) throw new Refusal('invalid_auth');
  if ((token === BOT_TOKEN) !== (method.token === 'bot')) throw new Refusal('not_allowed_token_type');
}

function answer(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'answer', status, headers, body };
}

function answerTo(carryOut: () => Json | undefined, statusOf: (word: string) => number, headers = {}): Reply {
  try {
    return answer({ ok: true, ...carryOut() }, 200, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer({ ok: false, error: error.word, ...error.details }, statusOf(error.word), headers);
  }
}

function replyUnder(fault: Fault | undefined, carryOut: () => Reply): Reply {
  if (fault === undefined) return carryOut();
  if (fault.kind === 'error') return answer({ ok: false, error: fault.error });
  if (fault.kind === 'rate-limited')
    return answer({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': String(fault.retryAfterSeconds) });
  if (fault.kind === 'http') return answer({ ok: false, error: 'internal_error' }, fault.status);
  if (fault.when === 'after') carryOut();
  return { kind: fault.kind };
}
