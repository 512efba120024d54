import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTPModuleFunctions } from '@slack/bolt';
import type { Logger } from '../../domain/logger.ts';
import type { SlackDelivery } from './delivery.ts';
import { parseSlackRequest, type SlackRequest } from './slack-request.ts';

export interface HttpEntranceOptions {
  readonly signingSecret: string;
  readonly onDelivery: (delivery: SlackDelivery) => void;
  readonly logger: Logger;
  /** In milliseconds. */
  readonly now: () => number;
}

/** Slack's largest payload, a click in a full modal, is some 500 kB. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Before `start` and after `close`, deliveries get a 503, and Slack sends events again. The challenge is always
 * answered, because the address may be configured before Notif has reached Slack.
 */
export class HttpEntrance {
  readonly #options: HttpEntranceOptions;
  #isOpen = false;

  constructor(options: HttpEntranceOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#isOpen = true;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  isConnected(): boolean {
    return this.#isOpen;
  }

  /** Handles a request. Never rejects. */
  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (typeof body === 'number') {
      this.#options.logger.warn({ status: body }, 'A request to the request URL could not be taken');
      response.writeHead(body, { connection: 'close' }).end();
      return;
    }
    const { signingSecret, now } = this.#options;
    this.#answerRead(parseSlackRequest({ headers: request.headers, body }, signingSecret, now()), response);
  };

  #answerRead(read: SlackRequest, response: ServerResponse): void {
    switch (read.is) {
      case 'refused':
        this.#options.logger.warn({ reason: read.reason }, 'A request to the request URL was refused');
        response.writeHead(read.status).end();
        return;
      case 'certificate-check':
        response.writeHead(200).end();
        return;
      case 'challenge':
        sendJson(response, { challenge: read.challenge });
        return;
      case 'delivery':
        if (this.#isOpen) this.#options.onDelivery({ ...read.delivery, ...waysToEnd(response) });
        else response.writeHead(503).end();
    }
  }
}

/** As text, or the status to respond with. */
async function bodyOf(request: IncomingMessage): Promise<string | number> {
  if (request.method !== 'POST') return 405;
  try {
    return (await HTTPModuleFunctions.bufferIncomingMessage(request, MOST_BYTES)).rawBody.toString();
  } catch (error) {
    // The request broke off or is too long; its status says which.
    if (HTTPModuleFunctions.isRawBodyError(error)) return error.statusCode;
    throw error;
  }
}

function waysToEnd(response: ServerResponse): Pick<SlackDelivery, 'acknowledge' | 'abandon'> {
  return {
    acknowledge: async (acknowledgment) => {
      if (response.destroyed) throw new ConnectionClosedError();
      HTTPModuleFunctions.buildContentResponse(response, acknowledgment);
    },
    abandon: () => response.writeHead(500).end(),
  };
}

class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';

  constructor() {
    super('the connection on which a delivery came was closed before it was acknowledged');
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
