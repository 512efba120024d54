import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

/**
 * `npm run sbom`: prints the packages that Notif runs with as CycloneDX, from the lock file alone, without a network. npm's own `--omit
 * dev` also leaves out packages that both Notif and development need, such as zod; this leaves out only what npm marks as needed for
 * development alone.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NPM = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--offline'];
const DEVELOPMENT = 'cdx:npm:package:development';
const MOST_BYTES = 64 * 2 ** 20;

const Component = z.looseObject({
  'bom-ref': z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
});
const Bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string(), name: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const { stdout } = await promisify(execFile)('npm', NPM, { cwd: ROOT, maxBuffer: MOST_BYTES });
console.log(JSON.stringify(atRunTime(Bom.parse(JSON.parse(stdout))), null, 2));

function atRunTime(bom: z.infer<typeof Bom>): z.infer<typeof Bom> {
  const { component } = bom.metadata;
  const components = bom.components.filter(({ properties }) => !properties.some(({ name }) => name === DEVELOPMENT));
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  return {
    ...bom,
    // npm uses the folder's name.
    metadata: { ...bom.metadata, component: { ...component, name: 'notif' } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) })),
  };
}
