import { setTimeout as pause } from 'node:timers/promises';
import { startLocalService } from '../sandbox/service/server.ts';
import { type LocalSlack, startLocalSlack } from '../sandbox/slack/server.ts';
import { type BuiltBot, buildBot, MANIFEST_FILE, withBuiltBot } from './built-bot.ts';
import { hexId } from './generated-events.ts';
import { pagesRead, withGeneratedService } from './ground.ts';
import { generationFor } from './poller.ts';
import { bucketsOf, quantileBound } from './prometheus.ts';
import type { BenchResult, Figure } from './result.ts';
import { maximum, median, percentile } from './statistics.ts';

/** Slack requires an acknowledgment within three seconds; Notif promises it sooner. */
const PROMISED_MS = 250;
const ROUNDS = 5;
const COMMANDS_AT_ONCE = 100;
const POLLED_EVENTS = 60_000;
const PAGE_SIZE = 50;

/** Milliseconds until Slack had each acknowledgment, by round, and the bound in Notif's own histogram that 99 of 100 don't exceed. */
interface Acknowledgments {
  rounds: readonly (readonly number[])[];
  insideP99: number;
}

/** Measures how soon a hundred commands at once are acknowledged: with an API that never responds, and while the first poll is running. */
export async function measure(): Promise<BenchResult> {
  await buildBot();
  return {
    name: `acknowledgment, ${COMMANDS_AT_ONCE} at once`,
    figures: [...figuresOf('API hanging', await whileApiHangs()), ...figuresOf('poll running', await whilePolling())],
  };
}

function figuresOf(situation: string, { rounds, insideP99 }: Acknowledgments): Figure[] {
  const p99 = median(rounds.map((round) => percentile(round, 0.99)));
  return [
    { label: `${situation}: in the bot, p99 at most`, value: insideP99, unit: 'ms' },
    { label: `${situation}: at Slack, median`, value: median(rounds.flat()), unit: 'ms' },
    { label: `${situation}: at Slack, p99, median of ${ROUNDS}`, value: p99, unit: 'ms', limit: PROMISED_MS },
    { label: `${situation}: at Slack, longest`, value: maximum(rounds.flat()), unit: 'ms' },
  ];
}

async function whileApiHangs(): Promise<Acknowledgments> {
  const service = await startLocalService();
  service.faults.set('all', { kind: 'hang' });
  try {
    return await withSlackAndBot(service.url, acknowledgmentsOf);
  } finally {
    await service.close();
  }
}

/** The first poll covers an hour in which everything failed. */
async function whilePolling(): Promise<Acknowledgments> {
  return withGeneratedService(generationFor(POLLED_EVENTS, 1, Date.now()), (url) =>
    withSlackAndBot(url, async (slack, bot) => {
      while ((await pagesRead(url)) === 0) await pause(10);
      const acknowledgments = await acknowledgmentsOf(slack, bot);
      if ((await pagesRead(url)) >= POLLED_EVENTS / PAGE_SIZE)
        throw new Error('The poll was over before the commands.');
      return acknowledgments;
    }),
  );
}

async function withSlackAndBot<Result>(
  serviceUrl: string,
  work: (slack: LocalSlack, bot: BuiltBot) => Promise<Result>,
): Promise<Result> {
  const slack = await startLocalSlack({ manifestFile: MANIFEST_FILE });
  try {
    return await withBuiltBot(slack, serviceUrl, (bot) => work(slack, bot));
  } finally {
    await slack.close();
  }
}

/** Each round of commands starts when the previous one is answered. */
async function acknowledgmentsOf(slack: LocalSlack, bot: BuiltBot): Promise<Acknowledgments> {
  const rounds: number[][] = [];
  while (rounds.length < ROUNDS) rounds.push(await commandsAtOnce(slack));
  const inside = bucketsOf(await bot.metrics(), 'notif_slack_acknowledgment_seconds');
  return { rounds, insideP99: quantileBound(inside, 0.99) * 1_000 };
}

/** Returns the milliseconds until each of a hundred lookups was acknowledged, once all are answered. */
async function commandsAtOnce(slack: LocalSlack): Promise<number[]> {
  const ann = slack.workspace.as('U0ANN');
  const answersBefore = slack.calls.of('response_url').length;
  const typed = Array.from({ length: COMMANDS_AT_ONCE }, (_, index) =>
    ann.types('C0ONCALL', `/notif event ${hexId(index)}`),
  );
  const acknowledged = await Promise.all(typed);
  const lost = acknowledged.find((interaction) => !interaction.ok);
  if (lost !== undefined) throw new Error(`A command was not acknowledged: ${JSON.stringify(lost)}`);
  await slack.workspace.until(() => slack.calls.of('response_url').length >= answersBefore + COMMANDS_AT_ONCE, {
    what: 'an answer to each command',
    timeoutMs: 60_000,
  });
  return acknowledged.map(({ ackMs }) => ackMs);
}
