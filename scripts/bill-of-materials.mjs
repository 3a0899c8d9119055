// The package's bill of materials (SBOM): every package that is installed with it, as npm's own CycloneDX document of
// the lock file. Where each was downloaded from is left out: that tells about the builder and not about the package.
import { writeFileSync } from 'node:fs';
import { run } from './command.mjs';

const LIMIT_MS = 60_000;
const COMMAND = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
  '--omit',
  'dev',
];

export async function writeBillOfMaterials({ root, path, signal }) {
  const { code, output } = await run('npm', [...COMMAND, '--loglevel', 'silent'], {
    cwd: root,
    signal,
    limitMs: LIMIT_MS,
  });
  if (code !== 0) throw new Error(`npm could not list the packages:\n${output.trim()}`);
  const document = JSON.parse(output.slice(output.indexOf('{')));
  const { name, version } = document.metadata.component;
  document.metadata.component.name = /^pkg:npm\/([^@]+)@/.exec(document.metadata.component.purl)?.[1] ?? name;
  for (const component of [document.metadata.component, ...document.components]) delete component.externalReferences;
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  return { version, count: document.components.length };
}
