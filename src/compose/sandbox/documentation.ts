// The documentation at /docs: a sandbox serves it, with what "Try it" signs with, production only when it is asked to.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demo, demoIn } from '../../processing/node/demo.ts';
import type { LiveConfiguration } from '../../processing/node/live-configuration.ts';
import { PACKAGE_ROOT } from '../../storage/connection/package-root.ts';
import { Documentation, type SandboxFacts } from '../../web/docs/docs-route.ts';
import type { PartOptions } from '../part-options.ts';
import { servesDocs } from '../settings.ts';

export function servesDocumentation(
  { settings, addresses }: PartOptions,
  configuration: LiveConfiguration,
): Documentation | undefined {
  if (!servesDocs(settings)) return undefined;
  const facts = async (): Promise<SandboxFacts | undefined> => {
    const there = settings.mode === 'sandbox' ? demoIn(configuration) : undefined;
    if (!there) return undefined;
    const { login, controlKey } = demo;
    const privateKey = await readFile(join(settings.dataFolder, 'demo-private-key.pem'), 'utf8').catch(() => undefined);
    return { basePath: addresses.basePath, login, controlKey, privateKey, endpoints: there.endpoints };
  };
  const origin = () => (settings.mode === 'sandbox' ? new URL(addresses.base).origin : undefined);
  return new Documentation({ root: PACKAGE_ROOT, facts, origin });
}
