// Generators of clients, and readers of messages, that somebody else wrote. They are larger than all that tests need
// otherwise, and one of them wants an older TypeScript than ours, so they are installed when they are used, in a folder
// that is kept. Where their registry does not answer, whoever asked is told why.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tender-generators/', import.meta.url));
const INSTALLED_WITHIN_MS = 90_000;

/** The program, or why there is none. */
type Installed = { readonly program: string } | { readonly why: string };

async function installed(
  name: string,
  program: string,
  install: (folder: string) => Promise<unknown>,
): Promise<Installed> {
  const folder = join(CACHE, name);
  const path = join(folder, program);
  if (existsSync(join(folder, 'whole'))) return { program: path };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await install(folder);
    await writeFile(join(folder, 'whole'), '');
    return { program: path };
  } catch (error) {
    return { why: `${name} cannot be installed: ${String((error as Error).message).split('\n')[0]}` };
  }
}

export function typescriptGenerator(): Promise<Installed> {
  return installed('openapi-typescript-7.13.0', 'node_modules/openapi-typescript/bin/cli.js', async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
    const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
    await run('npm', ['install', ...options, ...packages], { cwd: folder, timeout: INSTALLED_WITHIN_MS });
  });
}

export function pythonGenerator(): Promise<Installed> {
  return installed('openapi-python-client-0.29.1', 'bin/openapi-python-client', async (folder) => {
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALLED_WITHIN_MS });
    const pip = join(folder, 'bin/pip');
    await run(pip, ['install', '--quiet', 'openapi-python-client==0.29.1'], { timeout: INSTALLED_WITHIN_MS });
  });
}

/** A Python that has OpenTelemetry's own definitions of its messages. */
export function otlpPython(): Promise<Installed> {
  return installed('opentelemetry-proto-1.45.2', 'bin/python', async (folder) => {
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALLED_WITHIN_MS });
    const pip = join(folder, 'bin/pip');
    await run(pip, ['install', '--quiet', 'opentelemetry-proto==1.45.2'], { timeout: INSTALLED_WITHIN_MS });
  });
}

/** The Python that the generator of Python was installed for: it has what its clients need. */
export function pythonOf(generator: string): string {
  return join(dirname(generator), 'python');
}
