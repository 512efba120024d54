import type { WebClient } from '@slack/web-api';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import type { TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import type { ProgressReporter } from '../../use-cases/triggers/run-trigger.ts';
import type { ProgressMessage } from '../../use-cases/triggers/trigger-events.ts';
import type { LongValues } from '../interactions/replies/long-values.ts';
import { progressMessage } from './message.ts';

export interface ReporterParts {
  /** For edits, which are safe to repeat. */
  readonly client: WebClient;
  /** Tries each call once: a repeated post would be a second message. */
  readonly deliveryClient: WebClient;
  /** Fits the values of buttons, because an event's ID can be longer than Slack allows. */
  readonly values: Pick<LongValues, 'fitted'>;
  readonly environments: readonly Environment[];
  readonly logger: Logger;
}

/** Slack posted a message but didn't say which. */
class NoMessageError extends Error {
  override readonly name = 'NoMessageError';

  constructor() {
    super('the answer to chat.postMessage names no message');
  }
}

/**
 * Creates what shows the progress of triggers in the direct messages of the person who sent them. A failed edit is logged: the next one
 * shows more.
 */
export function createProgressReporter({
  client,
  deliveryClient,
  values,
  environments,
  logger,
}: ReporterParts): ProgressReporter {
  const shown = new Map<string, string>();
  const contentOf = (run: TriggerRun, progress: TriggerProgress) =>
    progressMessage(run, progress, environmentNamed(run.environment, environments));
  return {
    open: async (run, progress) => {
      const { text, blocks } = await values.fitted(contentOf(run, progress));
      const posted = await deliveryClient.chat.postMessage({
        channel: run.actor,
        text,
        blocks: [...blocks],
        unfurl_links: false,
        unfurl_media: false,
      });
      if (posted.channel === undefined || posted.ts === undefined) throw new NoMessageError();
      const message = { channel: posted.channel, ts: posted.ts };
      shown.set(keyOf(message), JSON.stringify(blocks));
      return message;
    },
    update: async (message, run, progress) => {
      const content = contentOf(run, progress);
      const drawn = JSON.stringify(content.blocks);
      const isChanged = shown.get(keyOf(message)) !== drawn;
      if (progress.phase === 'following') shown.set(keyOf(message), drawn);
      else shown.delete(keyOf(message));
      if (!isChanged) return;
      try {
        const { text, blocks } = await values.fitted(content);
        await client.chat.update({ ...message, text, blocks: [...blocks] });
      } catch (error) {
        shown.delete(keyOf(message));
        logger.warn({ err: error, environment: run.environment }, 'the progress of a trigger could not be shown');
      }
    },
  };
}

function keyOf({ channel, ts }: ProgressMessage): string {
  return `${channel} ${ts}`;
}
