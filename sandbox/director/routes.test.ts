import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { directorRoutes } from './routes.ts';
import { SCENARIOS } from './scenarios.ts';
import { openTheatre, type Theatre } from './testing.ts';

let theatre: Theatre;
beforeEach(async () => {
  theatre = await openTheatre(SCENARIOS);
  theatre.slack.mount('/director/', directorRoutes(theatre.director));
});
afterEach(() => theatre.close());

const direct = (name: string, direction: object, type = 'application/json') =>
  fetch(`${theatre.slack.url}/director/scenarios/${name}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: JSON.stringify(direction),
  });
const state = async () => (await fetch(`${theatre.slack.url}/director/state`)).json();
const outageIn = (answer: unknown) => expect.objectContaining({ name: 'provider-outage', play: answer });

describe("the director's routes", () => {
  test('start, speed up and stop a scenario, and return the state', async () => {
    const started = await direct('provider-outage', { do: 'start', seed: 7, speed: 4 });
    const play = { seed: 7, speed: 4, elapsedMs: 0, happening: ['Twilio refuses a wrong token'] };
    expect(await started.json()).toMatchObject({ scenarios: expect.arrayContaining([outageIn(play)]) });
    await direct('provider-outage', { do: 'set-speed', speed: 16 });
    expect(await state()).toMatchObject({ scenarios: expect.arrayContaining([outageIn({ ...play, speed: 16 })]) });
    await direct('provider-outage', { do: 'stop' });
    expect(await state()).toMatchObject({ scenarios: expect.arrayContaining([outageIn(null)]) });
  });

  test('stream the state at once and after each change', async () => {
    const { body } = await fetch(`${theatre.slack.url}/director/stream`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toMatch(/^event: state\ndata: \{"scenarios":.*\n\n$/);
    await direct('service-slow', { do: 'start' });
    expect((await reader?.read())?.value).toContain('Each answer takes');
    await reader?.cancel();
  });

  test.each([
    ['provider-outage', { do: 'dance' }, 400],
    ['provider-outage', { do: 'start', speed: 0 }, 400],
    ['flood', { do: 'start' }, 404],
  ])('reject %s %o with %i and a reason', async (name, direction, status) => {
    const answer = await direct(name, direction);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ message: expect.stringMatching(/\w/) });
  });

  test('reject what a form on another site could send', async () => {
    expect((await direct('calm', { do: 'start' }, 'text/plain')).status).toBe(415);
    expect((await fetch(`${theatre.slack.url}/director/elsewhere`)).status).toBe(404);
  });
});
