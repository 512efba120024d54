import { Arguments, Refusal } from '../arguments.ts';
import { answer, type CallLog, type Reply, rateLimited, replyUnder } from '../calls.ts';
import type { SlackFaults } from '../faults.ts';
import { respond } from '../interactivity/writing.ts';
import type { Json } from '../page-protocol.ts';
import type { SlackState } from '../state/slack-state.ts';
import { checkAccess, METHODS, type Method, neededScope, scopesOf } from './methods.ts';
import { RateLimits } from './rate-limits.ts';

export interface ApiRequest {
  readonly method: string;
  readonly token: string | undefined;
  readonly args: Json;
}

export class WebApi {
  readonly #slack: SlackState;
  readonly #faults: SlackFaults;
  readonly #calls: CallLog;
  readonly #limits: RateLimits;

  constructor(parts: { slack: SlackState; faults: SlackFaults; calls: CallLog; now: () => number }) {
    this.#slack = parts.slack;
    this.#faults = parts.faults;
    this.#calls = parts.calls;
    this.#limits = new RateLimits(parts.now);
  }

  handle(request: ApiRequest): Reply {
    const reply = replyUnder(this.#faults.take(request.method), () => this.#limited(request));
    this.#calls.record(request.method, request.args, reply);
    return reply;
  }

  #limited(request: ApiRequest): Reply {
    const method = METHODS[request.method];
    if (method === undefined) return answer({ ok: false, error: 'unknown_method', req_method: request.method });
    const seconds = this.#faults.rateLimits ? this.#take(method, request) : undefined;
    return seconds === undefined ? this.#carryOut(method, request) : rateLimited(seconds);
  }

  /** Counts the call, or returns the seconds to wait. A person's ID and their direct message are one channel. */
  #take(method: Method, { method: name, args }: ApiRequest): number | undefined {
    if (method.tier !== 'messages') return this.#limits.takeCall(name, method.tier);
    const channel = String(args.channel);
    return this.#limits.takePost(this.#slack.conversations.find(channel)?.id ?? channel);
  }

  #carryOut(method: Method, request: ApiRequest): Reply {
    const args = new Arguments(request.args);
    const headers = scopeHeaders(method, request, args, this.#slack);
    const carryOut = () => {
      checkAccess(method, request.token, args, this.#slack);
      return method.handler(args, this.#slack);
    };
    return answerTo(carryOut, () => 200, headers);
  }
}

/** Answers with what `carryOut` returns, or with its refusal under the status for its code. */
function answerTo(carryOut: () => Json, statusOf: (word: string) => number, headers = {}): Reply {
  try {
    return answer({ ok: true, ...carryOut() }, 200, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer({ ok: false, error: error.word, ...error.details }, statusOf(error.word), headers);
  }
}

function scopeHeaders(method: Method, request: ApiRequest, args: Arguments, slack: SlackState): Record<string, string> {
  const accepted = neededScope(method, args, slack);
  return {
    'x-oauth-scopes': scopesOf(request.token, slack).join(','),
    ...(accepted === null ? {} : { 'x-accepted-oauth-scopes': accepted }),
  };
}

/** Codes for an address that leads nowhere; any other code is about what was sent to it. */
const ADDRESS_WORDS = new Set(['invalid_url', 'used_url', 'expired_url', 'invalid_ticket']);

const addressStatus = (word: string) => (ADDRESS_WORDS.has(word) ? 404 : 400);

/** Handles what is sent to the addresses that Slack hands out. It reports a refusal by a status outside 2xx. */
export class AddressApi {
  readonly #parts: { slack: SlackState; faults: SlackFaults; calls: CallLog };

  constructor(parts: { slack: SlackState; faults: SlackFaults; calls: CallLog }) {
    this.#parts = parts;
  }

  respond(id: string, args: Json): Reply {
    const { slack } = this.#parts;
    return this.#handle('response_url', args, () => {
      respond(new Arguments(args), slack.responseUrls.use(id), slack);
      return {};
    });
  }

  upload(ticket: string, content: Buffer): Reply {
    const { slack } = this.#parts;
    return this.#handle('upload', { bytes: content.length }, () => {
      slack.files.receive(ticket, content);
      return {};
    });
  }

  #handle(name: 'response_url' | 'upload', args: Json, carryOut: () => Json): Reply {
    const { faults, calls } = this.#parts;
    const reply = replyUnder(faults.take(name), () => answerTo(carryOut, addressStatus));
    calls.record(name, args, reply);
    return reply;
  }
}
