import type { Socket } from './socket.ts';
import { type Attempts, backoffMs, pauseFor, untilConnected } from './until-connected.ts';

export interface SocketLinkOptions extends Attempts {
  readonly open: () => Promise<Socket>;
  /** Called once for each connection. */
  readonly onConnected: () => void;
  /** How long an ending connection stays open beside its replacement. */
  readonly overlapMs: number;
  readonly now: () => number;
}

/**
 * A second connection in a row that ends sooner than this counts as a failure, so that Notif doesn't loop if Slack accepts connections and
 * drops them at once.
 */
const SHORT_LIFE_MS = 5_000;

/** When Slack announces the connection's end, the next one is opened before it's closed. */
export class SocketLink {
  readonly #options: SocketLinkOptions;
  readonly #sockets = new Set<Socket>();

  constructor(options: SocketLinkOptions) {
    this.#options = options;
  }

  isConnected(): boolean {
    return this.#sockets.size > 0;
  }

  /**
   * Runs until the options' signal aborts.
   * @throws SlackRefusedError if Slack refuses the app token, at any connection.
   */
  async run(): Promise<void> {
    const { open, logger, signal, backoff, now } = this.#options;
    let previous: Socket | null = null;
    for (let shortLives = 0; !signal.aborted; ) {
      const socket = await untilConnected(open, this.#options);
      if (socket === null) return;
      this.#hold(socket);
      if (previous !== null) this.#closeSoon(previous);
      const openedAt = now();
      await socket.ending;
      const livedMs = now() - openedAt;
      if (!signal.aborted) logger.info({ livedMs }, 'A connection to Slack ends; opening the next');
      previous = socket;
      shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0;
      await pauseFor(backoffMs(Math.max(0, shortLives - 1), backoff), signal);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sockets].map((socket) => socket.close()));
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    void socket.closed.then(() => this.#sockets.delete(socket));
    this.#options.onConnected();
  }

  #closeSoon(socket: Socket): void {
    void pauseFor(this.#options.overlapMs, this.#options.signal).then(() => socket.close());
  }
}
