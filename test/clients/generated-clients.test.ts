// Clients that others' generators make of /openapi.json: they are compiled, and pay. Only the control is made by hand,
// as the document says.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGateway, newOrderId, saleFields, sha1 } from '../harness.ts';
import { pythonGenerator, pythonOf, typescriptGenerator } from './generators.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const BY_TYPESCRIPT = `import type { paths } from './interface';
type Sale = paths['/api/v2/sale/{endpointId}']['post'];
type Body = Sale['requestBody']['content']['application/x-www-form-urlencoded'];
type Reply = Sale['responses'][200]['content']['application/vnd.pay+json'];
// @ts-expect-error: an address is a text, and not whatever one likes
export const wrong: NonNullable<Body['ipaddress']> = 7;
const [baseUrl, text] = process.argv.slice(2) as [string, string];
const body: Body = { ...JSON.parse(text), amount: 10.42 };
const endpointId: Sale['parameters']['path']['endpointId'] = 101;
const headers: Sale['parameters']['header'] = { Accept: 'application/vnd.pay+json' };
const form = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
const response = await fetch(\`\${baseUrl}/api/v2/sale/\${endpointId}\`, { method: 'POST', headers, body: form });
const reply: Reply = await response.json() as Reply;
console.log(JSON.stringify({ type: reply.type, order: reply['paynet-order-id'] }));
`;

const BY_PYTHON = `import json, sys
from tender_client import Client
from tender_client.api.v2 import sale
from tender_client.models import SaleRequest, SaleAccept
fields = json.loads(sys.argv[2])
body = SaleRequest.from_dict({**fields, "amount": 10.42})
reply = sale.sync(101, client=Client(base_url=sys.argv[1]), body=body, accept=SaleAccept.APPLICATIONVND_PAYJSON)
print(json.dumps({"type": reply.type_, "order": reply.paynet_order_id}))
`;

/** Said where people look, because the test passes. */
function notTried(why: string): void {
  process.stderr.write(`NOT TRIED: ${why}\n`);
}

describeGateway('a client that is generated from the document', {}, (gateway) => {
  const { demo } = gateway;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-clients-'));
    const document = await (await fetch(`${gateway.origin}/openapi.json`)).text();
    await writeFile(join(folder, 'openapi.json'), document);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function signedFields(): string {
    const { amount: _, ...fields } = { ...saleFields, client_orderid: newOrderId() };
    const control = sha1(`101${fields.client_orderid}1042${fields.email}${demo.key}`);
    return JSON.stringify({ ...fields, control });
  }

  async function expectPaid(fields: string, stdout: string): Promise<void> {
    expect(JSON.parse(stdout)).toEqual({ type: 'async-response', order: expect.stringMatching(/^\d+$/) });
    expect((await demo.untilFinal(JSON.parse(fields).client_orderid)).status).toBe('approved');
  }

  it('by openapi-typescript compiles and pays', async () => {
    const generator = await typescriptGenerator();
    if ('why' in generator) return notTried(generator.why);
    const here = join(folder, 'typescript');
    await mkdir(here);
    const [source, outfile] = [join(here, 'client.mts'), join(here, 'client.mjs')];
    await run(process.execPath, [generator.program, join(folder, 'openapi.json'), '-o', join(here, 'interface.d.ts')]);
    await writeFile(source, BY_TYPESCRIPT.replace("'./interface'", "'./interface.d.ts'"));
    const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    await run(process.execPath, [TSC, ...options, '--typeRoots', types, '--types', 'node', source], { cwd: here });
    await build({ entryPoints: [source], outfile, format: 'esm', platform: 'node' });
    const fields = signedFields();
    const { stdout } = await run(process.execPath, [outfile, demo.baseUrl, fields]);
    await expectPaid(fields, stdout);
  });

  it('by openapi-python-client pays', async () => {
    const generator = await pythonGenerator();
    if ('why' in generator) return notTried(generator.why);
    const here = join(folder, 'python');
    const given = ['generate', '--path', join(folder, 'openapi.json'), '--output-path', here];
    const { stdout: said } = await run(generator.program, given);
    // A generator leaves out what it cannot read, and says so.
    expect(said).not.toMatch(/WARNING parsing|ERROR parsing/);
    await writeFile(join(here, 'pay.py'), BY_PYTHON);
    const fields = signedFields();
    const python = pythonOf(generator.program);
    const { stdout } = await run(python, ['pay.py', demo.baseUrl, fields], { cwd: here });
    await expectPaid(fields, stdout);
  });
});
