import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import type { TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import { NoProgressMessageError, type ProgressReporter } from '../../use-cases/triggers/run-trigger.ts';
import type { ProgressMessage } from '../../use-cases/triggers/trigger-events.ts';
import { sendable } from '../blocks/sendable.ts';
import { PASSING_ERRORS } from '../passing-errors.ts';
import { progressMessage } from './message.ts';

export interface ReporterParts {
  /** For edits, which are safe to repeat. */
  readonly client: WebClient;
  /** Tries each call once: a repeated post would be a second message. */
  readonly deliveryClient: WebClient;
  readonly environments: readonly Environment[];
  readonly logger: Logger;
}

/** Creates what shows the progress of triggers in the direct messages of the person who sent them. Failed edits are logged. */
export function createProgressReporter({
  client,
  deliveryClient,
  environments,
  logger,
}: ReporterParts): ProgressReporter {
  const shown = new Map<string, string>();
  const contentOf = (run: TriggerRun, progress: TriggerProgress) =>
    progressMessage(run, progress, environmentNamed(run.environment, environments));
  return {
    open: async (run, progress) => {
      const { text, blocks } = sendable(contentOf(run, progress));
      const post = { channel: run.actor, text, blocks: [...blocks], unfurl_links: false, unfurl_media: false };
      const posted = await deliveryClient.chat.postMessage(post).catch((error: unknown) => {
        throw isRefusal(error) ? new NoProgressMessageError(error) : error;
      });
      const { channel, ts } = posted;
      if (channel === undefined || ts === undefined) throw new NoProgressMessageError('the answer names no message');
      const message = { channel, ts };
      shown.set(keyOf(message), JSON.stringify(blocks));
      return message;
    },
    update: async (message, run, progress) => {
      const content = contentOf(run, progress);
      const drawn = JSON.stringify(content.blocks);
      const isChanged = shown.get(keyOf(message)) !== drawn;
      if (progress.phase === 'following') shown.set(keyOf(message), drawn);
      else shown.delete(keyOf(message));
      if (!isChanged) return 'done';
      try {
        const { text, blocks } = sendable(content);
        await client.chat.update({ ...message, text, blocks: [...blocks] });
        return 'done';
      } catch (error) {
        shown.delete(keyOf(message));
        logger.warn({ err: error, environment: run.environment }, 'the progress of a trigger could not be shown');
        return isRefusal(error) ? 'done' : 'later';
      }
    },
  };
}

/** Returns whether Slack won't ever take a message or an edit. */
function isRefusal(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && !PASSING_ERRORS.has(error.data.error);
}

function keyOf({ channel, ts }: ProgressMessage): string {
  return `${channel} ${ts}`;
}
