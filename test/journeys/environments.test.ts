import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { GENERAL } from '../support/person.ts';
import { HOUR, inWorld, type World } from '../support/world.ts';

/** Deploys the bot with other names of environments, each with the address and key of the first. */
async function deployed({ variables, start }: World, ...names: string[]): Promise<void> {
  for (const name of names) {
    const own = Object.entries(variables).flatMap(([variable, value]) => {
      const renamed = variable.replace('_PRODUCTION_', `_${name.toUpperCase()}_`);
      return renamed === variable ? [] : [[renamed, value]];
    });
    Object.assign(variables, Object.fromEntries(own), { [`NOTIF_${name.toUpperCase()}_LABEL`]: name });
  }
  Object.assign(variables, { NOTIF_ENVIRONMENTS: names.join() });
  await start();
}

test(
  'an environment that is deployed under another name hours later keeps its incidents and watches, and can’t have two names',
  inWorld({}, async (world) => {
    const { ann, service, log, polls, passes, stop } = world;
    await ann.types('/notif watch env:production', GENERAL);
    await ann.sees('created a watch here', GENERAL);
    const fails = (n: number) => service.world.plantEvent(failed('email', { subscriber: `user-${n}` }));
    for (const n of [1, 2, 3]) fails(n);
    await polls();
    await ann.sees('#1', GENERAL);
    await ann.asks('/notif ack #1');
    await stop();
    passes(3 * HOUR);
    fails(4);
    await deployed(world, 'live');
    await log.until('Environment goes on under its new name');
    const told = await ann.sees('production is called live now.', GENERAL);
    expect(told.words).toContain("This channel's watch follows:");
    expect(told.words).toContain('All failures in environment live');
    await polls('live');
    const { words } = await ann.asks('/notif failures since:6h');
    expect(words).toContain('· #1');
    expect(words).toMatch(/live since .* 4 of 4 events failed/);
    const listed = await ann.asks('/notif watches', GENERAL);
    expect(listed.words).toContain('All failures in environment live');
    expect((await ann.asks('/notif timeline #1')).words).toMatch(/acknowledged/i);

    await stop();
    await deployed(world, 'live', 'copy');
    await log.until("Events couldn't be read");
    const status = await ann.asks('/notif status');
    expect(status.words).toContain("its API key is another environment's (live)");
    const doctor = await ann.asks('/notif doctor');
    expect(doctor.words).toContain('Check NOTIF_COPY_API_KEY; an environment that was set up anew needs a new name');
  }),
);
