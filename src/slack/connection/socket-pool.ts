import type { SocketLink } from './socket-link.ts';

/** Two, so that one is open while the other is reopened. Slack allows ten, and sends each delivery over any of them. */
const SOCKETS = 2;

export class SocketPool {
  readonly #createLink: (onConnected: () => void) => SocketLink;
  #links: readonly SocketLink[] = [];

  constructor(createLink: (onConnected: () => void) => SocketLink) {
    this.#createLink = createLink;
  }

  /**
   * Resolves when the first socket is open, or the links were stopped. Later errors go to `onFatal`.
   * @throws SlackRefusedError if Slack refuses the app token.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    const connected = new Promise<void>((resolve) => {
      this.#links = Array.from({ length: SOCKETS }, () => this.#createLink(resolve));
    });
    const running = Promise.all(this.#links.map((link) => link.run()));
    await Promise.race([connected, running]);
    running.catch(onFatal);
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.close()));
  }

  isConnected(): boolean {
    return this.#links.some((link) => link.isConnected());
  }
}
