import { Arguments, Refusal } from '../arguments.ts';
import type { CallLog, Reply } from '../calls.ts';
import type { Fault, SlackFaults } from '../faults.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state.ts';
import { respond } from './chat.ts';
import { METHODS, type Method } from './methods.ts';

export const BOT_TOKEN = 'xoxb-sandbox-bot';
export const APP_TOKEN = 'xapp-sandbox-app';

const APP_SCOPES = ['connections:write'];

/** The errors of a response_url or upload for which Slack answers 404, as there is no such address (any more). Others are a 400. */
const NO_SUCH_ADDRESS = ['invalid_url', 'used_url', 'expired_url', 'invalid_ticket'];

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
    return this.#handle(name, args, () => this.#callMethod(name, token, new Arguments(args)));
  }

  respond(id: string, args: Json): Reply {
    return this.#atAddress('response_url', args, () =>
      respond(new Arguments(args), this.#slack.responseUrls.use(id), this.#slack),
    );
  }

  upload(ticket: string, content: Buffer): Reply {
    return this.#atAddress('upload', { bytes: content.length }, () => this.#slack.uploads.receive(ticket, content));
  }

  #atAddress(name: string, args: Json, act: () => void): Reply {
    const statusOf = (word: string) => (NO_SUCH_ADDRESS.includes(word) ? 404 : 400);
    return this.#handle(name, args, () => answerTo(() => void act(), statusOf));
  }

  #handle(name: string, args: Json, act: () => Reply): Reply {
    const fault = this.#faults.take(name);
    const reply = replyUnder(fault, act);
    this.#calls.record(name, args, reply);
    if (fault === undefined && reply.kind === 'answer' && reply.body.ok === false)
      this.#slack.onRefusal(`Slack refused ${name}: ${JSON.stringify(reply.body)}`);
    return reply;
  }

  #callMethod(name: string, token: string | undefined, args: Arguments): Reply {
    const method = METHODS[name];
    if (method === undefined) return answer({ ok: false, error: 'unknown_method', req_method: name });
    const needed = typeof method.scope === 'function' ? method.scope(args, this.#slack) : method.scope;
    const provided = this.#scopesOf(token);
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

  #scopesOf(token: string | undefined): readonly string[] {
    if (token === BOT_TOKEN) return [...this.#slack.scopes];
    return token === APP_TOKEN ? APP_SCOPES : [];
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

function answerTo(act: () => Json | undefined, statusOf: (word: string) => number, headers = {}): Reply {
  try {
    return answer({ ok: true, ...act() }, 200, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer({ ok: false, error: error.word, ...error.details }, statusOf(error.word), headers);
  }
}

function replyUnder(fault: Fault | undefined, act: () => Reply): Reply {
  if (fault === undefined) return act();
  if (fault.kind === 'error') return answer({ ok: false, error: fault.error });
  if (fault.kind === 'rate-limited')
    return answer({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': String(fault.retryAfterSeconds) });
  if (fault.kind === 'http') return answer({ ok: false, error: 'internal_error' }, fault.status);
  if (fault.when === 'after') act();
  return { kind: fault.kind };
}
