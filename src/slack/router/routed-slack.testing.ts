import type { App } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { botOf, startSlack } from '../../../sandbox/slack/local-slack.testing.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { newGate } from '../../lib/gate.testing.ts';
import { heard, silent } from '../../lib/logger.testing.ts';
import { unobserved } from '../../lib/logger.ts';
import { dbAnswering } from '../../store/store.testing.ts';
import { createCalls } from '../connection/calls.ts';
import { PRODUCTION, sleepingUntil, wordsOf } from '../slack.testing.ts';
import { registerRoutes } from './register.ts';
import type { Route } from './route.ts';

export const ONCALL = 'C0ONCALL';
const DIRECT = 'D0ANN';

/** The sandbox's Slack with a bot of these routes. Before each test nothing is open, and nothing was said yet. */
export class RoutedSlack {
  routes: readonly Route[] = [];
  /** A slow answer waits until this opens. */
  gate = newGate();
  /** Once this opens, a reply that isn't there yet says that it takes longer. */
  patience = newGate();
  /** The error with which everybody is refused; null if nobody is. */
  refusal: Error | null = null;
  readonly heard = heard();
  readonly ctx = {
    now: () => new Date(),
    environments: [PRODUCTION],
    workspace: {
      timeZoneOf: async () => null,
      namesOf: async () =>
        new Map([
          ['U0ANN', 'ann'],
          ['U0BEN', 'Ben'],
        ]),
    },
    accessControl: {
      authorize: async () => {
        if (this.refusal !== null) throw this.refusal;
      },
      canUse: async () => true,
    },
    db: dbAnswering(async () => []),
    operators: { isEverybody: false, users: [], groups: [] },
    logger: this.heard.logger,
    newReference: () => '7F3K2',
    storeCode: '1f2e3d4c',
    strangers: { suspect: () => {} },
    noteChannelId: async () => {},
    sleep: sleepingUntil(() => this.patience),
  };
  #running: { slack: LocalSlack; app: App } | undefined;
  /** The last messages that Ann saw before the test. */
  #before = new Map<string, string>();

  constructor() {
    beforeAll(async () => {
      const slack = await startSlack();
      const app = botOf(slack);
      this.#running = { slack, app };
      const { once, newerKinds } = createCalls(slack.apiUrl, this.ctx.storeCode, unobserved, silent);
      const postingClient = new WebClient(slack.botToken, once());
      registerRoutes({ ...this.ctx, newerKinds, postingClient }, app, this.routes);
      await app.start();
    });
    afterAll(async () => {
      await this.app.stop();
      await this.slack.close();
    });
    beforeEach(async () => {
      this.heard.log.length = 0;
      this.refusal = null;
      this.gate = newGate();
      this.patience = newGate();
      this.slack.faults.clear();
      this.#before = new Map([ONCALL, DIRECT].map((channel) => [channel, this.#last(channel)?.ts ?? '']));
      for (const { id } of this.ann().views().toReversed()) await this.ann().closes(id);
    });
  }

  get slack(): LocalSlack {
    return this.#started().slack;
  }

  get app(): App {
    return this.#started().app;
  }

  #started() {
    if (this.#running === undefined) throw new Error('Slack is started before all tests, not while they are declared');
    return this.#running;
  }

  ann = () => this.slack.workspace.as('U0ANN');

  #last = (channel: string) => this.ann().sees(channel).at(-1);

  /** Waits for the newest message that Ann has seen in the channel since the test began, and that contains these words. */
  newest(words: string, channel = ONCALL) {
    const look = () => {
      const last = this.#last(channel);
      const isNew = last !== undefined && last.ts > (this.#before.get(channel) ?? '');
      return isNew && `${last.text} ${wordsOf(last)}`.includes(words) ? last : undefined;
    };
    return this.slack.workspace.until(look, { what: words });
  }

  newestDirect = (words: string) => this.newest(words, DIRECT);

  viewSaying(words: string) {
    return this.#saying(words, () => this.ann().view());
  }

  homeSaying(words: string) {
    return this.#saying(words, () => this.ann().home());
  }

  #saying<V extends { view: unknown }>(words: string, look: () => V | undefined) {
    const find = () => {
      const shown = look();
      return shown !== undefined && JSON.stringify(shown.view).includes(words) ? shown : undefined;
    };
    return this.slack.workspace.until(find, { what: words });
  }
}
