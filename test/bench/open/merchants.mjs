// Merchants beside the demo one, each with a key and an endpoint, as an operator makes them: from a table.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../scripts/command.mjs';

const LIMIT_MS = 60_000;

/** At a running gateway, found by its data folder; they sell in dollars like the demo merchant. */
export async function addMerchants(logins, { root, env, folder, signal }) {
  const table = join(folder, 'merchants.csv');
  const keys = join(folder, 'merchant-keys.csv');
  const rows = logins.map((login, index) => `${login},${login},USD,${FIRST_ENDPOINT + index},on`);
  await writeFile(table, ['login,merchant_name,currency,endpoint_id,endpoint_enabled', ...rows, ''].join('\n'));
  const tender = join(root, 'bin/tender.mjs');
  const { code, output } = await run(process.execPath, [tender, 'merchant', 'import', table, '--keys', keys], {
    ...{ signal, limitMs: LIMIT_MS, cwd: root, env: { ...process.env, ...env } },
  });
  if (code !== 0) throw new Error(`the merchants could not be made:\n${output}`);
  const made = (await readFile(keys, 'utf8')).split('\n').map((line) => line.split(','));
  return logins.map((login, index) => {
    const controlKey = made
      .find(([name]) => name === login)
      ?.at(-1)
      ?.trim();
    if (!controlKey) throw new Error(`no key was made for ${login}`);
    return { login, endpointId: String(FIRST_ENDPOINT + index), controlKey };
  });
}

const FIRST_ENDPOINT = 7001;
