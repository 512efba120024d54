import { expect } from 'vitest';
import { failed, undeliverable } from '../../sandbox/service/examples.ts';
import type { Faults } from '../../sandbox/service/faults.ts';
import { plantedSecrets } from '../../sandbox/service/provider-failures.ts';
import echoes from '../errors/echoes.json' with { type: 'json' };
import { textsWith } from './evidence.ts';
import { giveCredentials } from './give-credentials.ts';
import { ONCALL } from './person.ts';
import {
  CUSTOMER,
  CUSTOMERS_EVENT,
  indiscreet,
  payload,
  plantCauses,
  plantCustomer,
  plantHostile,
  plantSecretive,
  plantSetUp,
  TOO_MUCH,
} from './secretive-events.ts';
import { followTests, sendAgain, sendManyTests, sendTests } from './send-secrets.ts';
import { openWorldAsleep, type World } from './world.ts';

/** Secrets of the configuration, besides the working keys and tokens. */
export const CONFIGURED = {
  NOTIF_KEYLESS_API_KEY: 'refused-key-Ab12Cd34Ef56',
  NOTIF_API_KEYY: 'misspelled-key-77aa88bb',
};

/** Subscribers whose IDs are contacts, and the part of each ID that nobody else may see. */
const IDS = ['Anna.Private+orders@people.example', '+4917098765432'] as const;
export const CONTACTS = ['Private+orders', '17098765432'];

/** Ann pastes this as an ID by mistake. */
export const PASTED = 'pasted-by-mistake-5566ccdd';
const HOSTILE_EVENT = '65f2a1c0d4e5f60718293a4c';

/** Some of each kind: all of them are tested without a world. */
const ECHOED = echoes.leaks.filter((_, index) => index % 8 === 0);

/** What providers echo of people and messages; shorter parts can be in anything. */
export const ECHOES = ECHOED.flatMap(({ hidden }) => hidden.filter((part) => part.length > 7));

const PAGE = `<html><h1>Bad gateway</h1>${indiscreet}</html>`;

/** The fault of each environment's service, and what ann sees of it. */
const TROUBLES: Readonly<Record<string, readonly [fault: Parameters<Faults['set']>[1], what: string]>> = {
  broken: [{ kind: 'body', status: 500, body: TOO_MUCH }, 'an error of its own (500, error ID err-2f8c)'],
  strict: [
    { kind: 'body', status: 422, body: TOO_MUCH },
    'refused the request (422): events.0.payload: Rejected d•••@',
  ],
  proxied: [{ kind: 'body', status: 502, body: PAGE, contentType: 'text/html' }, 'a gateway or proxy'],
  babbling: [{ kind: 'body', status: 200, body: TOO_MUCH }, "its response didn't follow its contract (200"],
  keyless: [{ kind: 'slow', ms: 0 }, 'the API key was refused (401)'],
};

/** Opens a world full of secrets and hostile texts, visits every surface in it over HTTP, and stops the bot. */
export async function visitEverySurface(): Promise<World> {
  const world = await openWorldAsleep({
    mode: 'http',
    environments: ['production', ...Object.keys(TROUBLES)],
    variables: CONFIGURED,
    database: 'server',
  });
  plant(world);
  await world.start();
  for (const visit of VISITS) await visit(world);
  await world.stop();
  return world;
}

const VISITS: readonly ((world: World) => Promise<void>)[] = [
  readTheDigest,
  actOnAnIncident,
  listFailures,
  (world) => exploreCard(CUSTOMERS_EVENT, world),
  (world) => exploreCard(HOSTILE_EVENT, world),
  lookUpMany,
  listEverything,
  lookUpFromElsewhere,
  sendTests,
  sendManyTests,
  sendAgain,
  giveCredentials,
  meetTroubleAtServices,
  lookOver,
  followTests,
  meetTroubleAtSlack,
];

function plant({ service, serviceOf }: World): void {
  plantCustomer(service.world, CUSTOMER);
  plantSecretive(service.world, { _id: CUSTOMERS_EVENT, subscriber: CUSTOMER, workflow: 'password-reset' });
  plantSecretive(service.world, { subscriber: CUSTOMER, workflow: 'retired-welcome', transactionId: 'txn_retired' });
  for (const subscriber of ['reader-1', 'reader-2']) {
    plantSecretive(service.world, { subscriber, workflow: 'marketing-news', transactionId: 'txn_many' });
  }
  plantHostile(service.world, { _id: HOSTILE_EVENT });
  for (const subscriber of IDS) service.world.plantEvent(failed('email', { subscriber }));
  plantSetUp(service.world, CUSTOMER);
  plantCauses(service.world, ['bird', 'book', 'card', 'cart', 'cloud', 'earth', 'forest', 'robot'], {
    subscriber: CUSTOMER,
  });
  service.world.plantEvent(undeliverable({ subscriber: CUSTOMER, payload }));
  for (const { text: raw } of ECHOED) service.world.plantEvent(failed('email', { subscriber: CUSTOMER }, { raw }));
  service.world.plantEvent({ disguise: () => ({ _id: plantedSecrets.email, jobs: payload, transactionId: payload }) });
  for (const [environment, [fault]] of Object.entries(TROUBLES)) serviceOf(environment).faults.set('all', fault);
}

async function readTheDigest({ ann }: World): Promise<void> {
  const digest = await ann.sees('more incidents', ONCALL);
  await ann.clicks('Show all', digest);
  await ann.gets('Look up', ONCALL);
}

async function actOnAnIncident({ ann }: World): Promise<void> {
  const digest = await ann.sees('more incidents', ONCALL);
  await ann.clicks('View affected', digest);
  const affected = await ann.gets('Download CSV', ONCALL);
  await ann.clicks('View events', affected);
  await ann.clicks('Download CSV', affected);
  const list = await ann.sees('', ann.directMessages);
  const [file] = list.files;
  expect(textsWith(Object.values(plantedSecrets), [(await ann.opensFile(file?.name ?? '')).text])).toEqual([]);
  await ann.clicks('For the provider', affected);
  const forProvider = (await ann.sees('answers, times in UTC', ann.directMessages)).files[0]?.name ?? '';
  expect(textsWith(Object.values(plantedSecrets), [(await ann.opensFile(forProvider)).text])).toEqual([]);
  await ann.opens('Mute…', digest, 'For how long');
  await ann.submits();
  await ann.gets('🔕 Muted #', ONCALL);
  await ann.clicks('Acknowledge', digest);
  await ann.gets('👀 Acknowledged #', ONCALL);
}

async function listFailures({ ann, ben }: World): Promise<void> {
  await ann.asks(`/notif failures subscriber:${IDS[0]}`);
  const found = await ann.asks('/notif failures');
  await ann.clicks('Share', found);
  await ben.sees('Shared by');
  await ann.clicks('Load more', found);
  await ann.gets('events failed');
}

async function exploreCard(id: string, { ann, ben }: World): Promise<void> {
  const card = await ann.looksUp(id, `Event ${id}`);
  await ann.clicks('Share', card);
  await ben.sees(`Event ${id}`);
  await ann.clicks('Refresh', card);
  await ann.opens('View raw', card, 'without secrets and contacts');
}

async function lookUpMany({ ann, ben }: World): Promise<void> {
  const many = await ann.looksUp('txn_many', 'made 2 events');
  await ann.clicks('Share', many);
  await ben.sees('made 2 events');
  await ann.clicks('Look up', many, 'reader-1');
  await ann.gets('for reader-1');
}

async function listEverything({ ann, ben }: World): Promise<void> {
  const messages = await ann.asks(`/notif messages subscriber:${CUSTOMER}`);
  await ann.clicks('Share', messages);
  await ben.sees(`Subscriber ${CUSTOMER}`);
  await ann.asks('/notif messages');
  await ann.clicks('Share', await ann.asks('/notif integrations'));
  await ben.sees('only under conditions');
  const subscribed = await ann.asks('/notif topic confidants');
  expect(subscribed.words).toContain('D. G. · d•••@customer.sandbox.example');
  await ann.clicks('Share', subscribed);
  await ben.sees('topic confidants');
}

async function lookUpFromElsewhere({ ann, ben }: World): Promise<void> {
  await ben.types(`${plantedSecrets.email} asks about ${CUSTOMERS_EVENT}`, ONCALL);
  await ann.choosesMessageShortcut('look_up_notification', await ann.sees('asks about', ONCALL));
  const choice = await ann.gets('2 IDs are in this text', ONCALL);
  await ann.clicks('Look up', choice, 'Email');
  await ann.gets('Email d•••@', ONCALL);
  await ann.clicks('Look up', choice, CUSTOMERS_EVENT);
  await ann.gets(`for ${CUSTOMER}`, ONCALL);
  await ann.says(`@Notif who is ${plantedSecrets.email}?`, { channel: ONCALL });
  await ann.sees('Email d•••@', ONCALL);
  await ann.says(CUSTOMERS_EVENT, { channel: ann.directMessages });
  await ann.sees(`for ${CUSTOMER}`, ann.directMessages);
  await ann.choosesShortcut('find_notification');
  await ann.seesModal('Find a notification');
  await ann.fillsIn({ 'What to look for': CUSTOMERS_EVENT });
  await ann.submits();
  await ann.seesModal(`for ${CUSTOMER}`);
  await ann.looksUp(PASTED, 'No event found for');
  await ann.types(`/notif watch email:${plantedSecrets.email} min:99999 summary:off`, ONCALL);
  await ann.gets('Watching subscriber', ONCALL);
  await ann.types('/notif watch', ONCALL);
  await ann.clicks('Send a test alert to me', await ann.seesModal('How soon'));
  await ann.seesModal('Sent to your DMs');
  await ann.closesAll();
}

async function meetTroubleAtServices({ ann }: World): Promise<void> {
  for (const environment of Object.keys(TROUBLES)) {
    await ann.types(`/notif event ${CUSTOMERS_EVENT} env:${environment}`);
  }
  for (const [environment, [, what]] of Object.entries(TROUBLES)) {
    const message = await ann.sees(`⚠️ Couldn't read from ${environment}: `);
    expect(message.words).toContain(what);
  }
  await ann.types('/notif failures env:strict');
  await ann.gets('strict · nothing was checked');
}

async function lookOver({ ann }: World): Promise<void> {
  await ann.opensHome();
  await ann.seesHome('failing');
  const examined = await ann.asks('/notif doctor');
  expect(examined.words).toContain("Couldn't read from babbling");
}

async function meetTroubleAtSlack({ ann, slack: { faults }, log }: World): Promise<void> {
  faults.next('response_url', { kind: 'http', status: 500 });
  const card = await ann.looksUp(CUSTOMERS_EVENT, `for ${CUSTOMER}`);
  log.expects(/An interaction couldn't be answered/);
  faults.next('views.update', { kind: 'error', error: 'internal_error' });
  await ann.clicks('View raw', card);
  await log.until("An interaction couldn't be answered");
}
