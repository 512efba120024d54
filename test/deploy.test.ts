import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ENVIRONMENT_VARIABLES } from '../src/config/environments.ts';
import { SECRETS } from '../src/config/secret-files.ts';
import { parseConfig, SETTINGS } from '../src/config.ts';
import { ROOT } from './source-code.ts';

const DEPLOY = join(ROOT, 'deploy');
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');
const require = createRequire(import.meta.url);

const VARIABLES = new Set([
  ...SETTINGS,
  'NOTIF_ENVIRONMENTS',
  'NODE_ENV',
  'MALLOC_TRIM_THRESHOLD_',
  ...SECRETS.map((secret) => `${secret}_FILE`),
  ...ENVIRONMENT_VARIABLES.map((key) => `NOTIF_${key}`),
]);

const Resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
});
const Container = z.object({
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/healthz') }) }),
  readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz') }) }),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const Deployment = z.object({
  spec: z.object({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        enableServiceLinks: z.boolean().default(true),
        containers: z.tuple([Container]),
      }),
    }),
  }),
});

const files = readdirSync(join(DEPLOY, 'kubernetes'));
const resources = files.flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => Resource.parse(document.toJS())),
);
const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind);

/** Validates a resource by Kubernetes' JSON Schema, which its class checks. Returns what it breaks, or null. */
function mistakesOf(resource: z.output<typeof Resource>): string | null {
  const { [resource.kind]: Kind } = z
    .record(
      z.string(),
      z.custom<new (given: object) => { validate(): void }>((value) => typeof value === 'function'),
    )
    .parse(require(`kubernetes-models/${resource.apiVersion}/${resource.kind}`));
  if (Kind === undefined) return `there is no ${resource.kind}`;
  try {
    new Kind(resource).validate();
    return null;
  } catch (error) {
    return String(error);
  }
}

describe('deploy/kubernetes', () => {
  test.each(resources)('has a valid $kind', (resource) => {
    expect(mistakesOf(resource)).toBeNull();
  });

  test('is rejected with an invalid value', () => {
    const [deployment] = ofKind('Deployment');
    if (deployment === undefined) throw new Error('There is no Deployment.');
    expect(mistakesOf({ ...deployment, spec: { replicas: 'two' } })).toContain('replicas');
  });

  test('runs two replicas with probes, resources and a disruption budget, and gives them time to stop', () => {
    const { spec } = Deployment.parse(ofKind('Deployment')[0]);
    expect(spec.replicas).toBe(2);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(20);
    expect(ofKind('PodDisruptionBudget')).toMatchObject([{ spec: { minAvailable: 1, selector: spec.selector } }]);
    expect(ofKind('Service')).toMatchObject([{ spec: { selector: spec.selector.matchLabels } }]);
    expect(ofKind('NetworkPolicy')).toMatchObject([{ spec: { podSelector: spec.selector } }]);
  });

  test('lets a node be drained while no replica is ready, as when the database is away: none of them does anything then', () => {
    expect(ofKind('PodDisruptionBudget')).toMatchObject([{ spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }]);
  });

  test('lets in only whom it names: /metrics and /deploys answer on the same port', () => {
    const Rule = z.object({ from: z.array(z.looseObject({})).min(1) });
    const { spec } = z.object({ spec: z.object({ ingress: z.array(Rule) }) }).parse(ofKind('NetworkPolicy')[0]);
    expect(spec.ingress).toHaveLength(1);
  });

  test("gets no variables of its own Service, such as NOTIF_PORT, which look like mistyped ones of Notif's", () => {
    const { spec } = Deployment.parse(ofKind('Deployment')[0]);
    expect(ofKind('Service').map(({ metadata }) => metadata.name)).toEqual(['notif']);
    expect(spec.template.spec.enableServiceLinks).toBe(false);
  });

  test('sets only variables that Notif reads, and secrets only by file', () => {
    const [container] = Deployment.parse(ofKind('Deployment')[0]).spec.template.spec.containers;
    const names = [
      ...container.env.map(({ name }) => name),
      ...Object.keys(z.object({ data: z.record(z.string(), z.string()) }).parse(ofKind('ConfigMap')[0]).data),
    ];
    expect(names.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(names.filter((name) => SECRETS.some((secret) => secret === name))).toEqual([]);
    expect(ofKind('Secret')).toEqual([]);
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(container.env.every(({ value }) => mounted.some((path) => value.startsWith(`${path}/`)))).toBe(true);
  });
});

describe('deploy/README.md', () => {
  test("keeps the secrets' files writable for their owner: a container sees a file replaced in place, not a new one of its name", () => {
    expect(read('README.md')).toMatch(/^chmod 644 secrets\/\*/m);
    expect(read('README.md')).toContain("printf %s 'the new key' > secrets/notif_api_key");
  });

  test('says how to replace one environment by several: the two styles beside each other are refused', () => {
    const example = /```\n(NOTIF_ENVIRONMENTS=[^`]+)```/.exec(read('README.md'))?.[1] ?? '';
    const set = Object.fromEntries(
      example
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };
    const { environments, warnings } = parseConfig({ ...slack, ...set }, () => 'the-key');
    expect(environments.map(({ environment }) => environment.name)).toEqual(['production', 'staging']);
    expect(warnings).toEqual([]);
    expect(() => parseConfig({ ...slack, ...set, NOTIF_API_KEY_FILE: '/run/key' }, () => 'the-key')).toThrow(
      'NOTIF_API_KEY_FILE is set beside NOTIF_ENVIRONMENTS',
    );
  });

  test('starts Notif by systemd once its settings and secrets are there', () => {
    const [, steps = ''] = read('README.md').split('## systemd');
    const inOrder = ['/etc/notif/notif.env ', 'notif_api_key; do', 'systemctl enable --now'].map((step) =>
      steps.indexOf(step),
    );
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
    expect(inOrder).not.toContain(-1);
  });

  test("has a container of the README's restarted, gives it time to stop and publishes its port to this machine alone", () => {
    const [run = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').match(/docker run .+/) ?? [];
    expect(run).toContain('--restart unless-stopped');
    // A port that Docker publishes on every address gets past the machine's firewall, and /metrics asks for no password.
    expect(run).toContain(' -p 127.0.0.1:3000:3000 ');
    expect(Number(/--stop-timeout (\d+)/.exec(run)?.[1])).toBeGreaterThan(20);
  });

  test('sends signals in a container by its shell: the image has no program for that', () => {
    expect(read('README.md')).toContain("kubectl --namespace notif exec <pod> -- sh -c 'kill -HUP 1'");
    expect(read('README.md')).toContain("docker compose exec notif sh -c 'kill -HUP 1'");
  });

  test('never signals by docker kill, after which Docker starts a container no more by unless-stopped (moby#41302)', () => {
    expect(read('compose.yml')).toContain('restart: unless-stopped');
    expect(read('README.md')).not.toContain('kill --signal');
  });
});

describe('deploy/compose.yml', () => {
  const compose = z
    .object({
      services: z.record(
        z.string(),
        z.looseObject({
          secrets: z.array(z.string()).optional(),
          volumes: z.array(z.string()).optional(),
          environment: z.record(z.string(), z.string()).optional(),
        }),
      ),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(read('compose.yml')));
  const services = Object.values(compose.services);

  test('refers only to secrets and volumes that it defines and to files that exist', () => {
    expect(services.flatMap(({ secrets = [] }) => secrets).filter((secret) => !(secret in compose.secrets))).toEqual(
      [],
    );
    const sources = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    for (const source of sources) {
      if (source.startsWith('.')) expect(() => readFileSync(join(DEPLOY, source))).not.toThrow();
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  test('sets only variables that Notif reads, and secrets only by file', () => {
    const set = Object.keys(compose.services.notif?.environment ?? {});
    const example = read('notif.env.example').match(/^[A-Z_]+(?==)/gm) ?? [];
    expect([...set, ...example].filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect([...set, ...example].filter((name) => SECRETS.some((secret) => secret === name))).toEqual([]);
  });

  test('starts Notif when PostgreSQL answers by TCP: while the image sets it up, it answers on a Unix socket alone', () => {
    const Postgres = z.object({ healthcheck: z.object({ test: z.array(z.string()) }) });
    expect(Postgres.parse(compose.services.postgres).healthcheck.test).toContain('--host=127.0.0.1');
  });

  test("scrapes Notif's port and loads the alerts", () => {
    expect(parse(read('prometheus.yml'))).toMatchObject({
      rule_files: ['alerts.yml'],
      scrape_configs: [{ static_configs: [{ targets: ['notif:3000'] }] }],
    });
  });
});

describe('deploy/systemd', () => {
  const unit = read('systemd/notif.service');

  test('sets only variables that Notif reads, and reloads by SIGHUP', () => {
    const names = [...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(unit).toContain('ExecReload=/bin/kill -HUP $MAINPID');
  });

  test("finds its credentials by their folder's path: systemd before 251 passes %d on as it is", () => {
    const settings = unit.split('\n').filter((line) => !line.startsWith('#'));
    expect(settings.filter((line) => line.includes('%d'))).toEqual([]);
    expect(read('README.md')).not.toContain('%d');
    const credentials = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name);
    const used = [...unit.matchAll(/^Environment=\w+=\/run\/credentials\/%n\/(\w+)$/gm)].map(([, name]) => name);
    expect(used).toEqual(credentials);
  });

  test('has only lines that systemd can parse', () => {
    const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.filter((line) => !/^(?:\[(?:Unit|Service|Install)\]|[A-Z][A-Za-z]+=\S.*)$/.test(line))).toEqual([]);
  });
});
