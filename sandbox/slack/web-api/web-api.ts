import { Arguments } from '../arguments.ts';
import type { CallLog } from '../calls.ts';
import type { SlackFaults } from '../faults.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { answer, type Reply, rateLimited, replyUnder } from '../replies.ts';
import type { SlackState } from '../state/slack-state.ts';
import { checkAccess, neededScope, scopesOf } from './access.ts';
import { METHODS, type Method } from './methods.ts';
import { RateLimits } from './rate-limits.ts';

export interface ApiRequest {
  readonly method: string;
  readonly token: string | undefined;
  readonly args: Json;
}

/** The Web API: receives a call, answers as Slack or a planned fault would, and records the call. */
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
    try {
      checkAccess(method, request.token, args, this.#slack);
      return answer({ ok: true, ...method.handler(args, this.#slack) }, 200, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return answer({ ok: false, error: error.word, ...error.details }, 200, headers);
    }
  }
}

function scopeHeaders(method: Method, request: ApiRequest, args: Arguments, slack: SlackState): Record<string, string> {
  const accepted = neededScope(method, args, slack);
  return {
    'x-oauth-scopes': scopesOf(request.token, slack).join(','),
    ...(accepted === null ? {} : { 'x-accepted-oauth-scopes': accepted }),
  };
}
