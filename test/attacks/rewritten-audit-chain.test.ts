// The attack: somebody who rules the database cuts the end of the audit chain off, or writes it anew with fitting
// hashes, so that the chain by itself holds. The heads that were sent elsewhere tell.

import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createLine } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { hashOf } from '../../src/domain/audit.ts';
import { auditStore } from '../../src/storage/audit.ts';
import { describeGateway, until } from '../harness.ts';
import { tender } from '../scenarios/tender-process.ts';

const KEY = 'a key that signs heads';

describeGateway('who rewrites the audit chain', {}, (gateway) => {
  const datagrams: string[] = [];
  const streamed: string[] = [];
  const posted: { headers: IncomingHttpHeaders; body: string }[] = [];
  const closing: (() => void)[] = [];
  let folder: string;
  let file: string;

  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const options = { mode: 'sandbox', clock: gateway.clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };
  const rename = (name: string) => ask('setMerchant', { login: 'demo', name });
  const head = () => auditStore(gateway.database).head();
  const headNow = async () => {
    const { seq, hash } = await head();
    return `${seq}:${hash}`;
  };
  const verifyHeads = (heads = file) => {
    const where = gateway.databaseUrl === undefined ? [] : ['--database-url', gateway.databaseUrl];
    return tender(['audit', 'verify', '--heads', heads, '--data', gateway.dataFolder, ...where]);
  };
  const verifyAlone = async () => {
    const findings: string[] = [];
    for (let from: string | null = `audit:0:${'0'.repeat(64)}`; from !== null; ) {
      const part: { findings: readonly { cause: string }[]; next: string | null } = await ask('verifyPart', { from });
      findings.push(...part.findings.map(({ cause }) => cause));
      from = part.next;
    }
    return findings;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-heads-'));
    file = join(folder, 'heads');
    const udp = createSocket('udp4', (message) => datagrams.push(message.toString()));
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const tcp = createLine((socket) => socket.setEncoding('utf8').on('data', (text) => streamed.push(String(text))));
    const web = createServer(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      posted.push({ headers: request.headers, body });
      response.end();
    });
    for (const server of [tcp, web]) await once(server.listen(0, '127.0.0.1'), 'listening');
    closing.push(
      () => udp.close(),
      () => tcp.close(),
      () => web.close(),
    );
    const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;
    const auditHeadsKey = join(folder, 'key');
    await writeFile(auditHeadsKey, `${KEY}\n`);
    const auditHeads = [
      `file:${file}`,
      `syslog://127.0.0.1:${udp.address().port}`,
      `syslog+tcp://127.0.0.1:${portOf(tcp)}`,
      `http://127.0.0.1:${portOf(web)}/heads`,
    ];
    await gateway.restart({ auditHeads, auditHeadsKey });
    const isSent = async () => (await readFile(file, 'utf8').catch(() => '')).includes(await headNow());
    // Whatever the minute is, in which a head is sent again: a new one is sent at once.
    await gateway.clock.standStillFor(async () => {
      await until('the first head is in the file', isSent);
      for (const name of ['One', 'Two', 'Three']) await rename(name);
      await until('the head is in the file', isSent);
    });
  });

  afterAll(async () => {
    for (const close of closing) close();
    await rm(folder, { recursive: true, force: true });
  });

  it('cannot keep heads from a file, from syslog by datagram and stream, and from the web', async () => {
    const sent = await headNow();
    const isThere = () =>
      [datagrams, streamed, posted.map(({ body }) => body)].every((all) => all.some((one) => one.includes(sent)));
    await until('every place has the head', isThere);
    expect(datagrams.at(-1)).toMatch(/^<85>1 \d{4}-\d\d-\d\dT\S+ \S+ tender \d+ audit-head - head \d+:[0-9a-f]{64}$/);
    const [, length, message = ''] = /^(\d+) (<85>1 .*)$/s.exec(streamed.at(-1) ?? '') ?? [];
    expect(Buffer.byteLength(message)).toBe(Number(length));
    const { headers, body } = posted.at(-1) as (typeof posted)[number];
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', KEY).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  it('is not told when the chain is the one whose heads were kept', async () => {
    const { code, stdout } = await verifyHeads();
    expect(stdout).toContain('The chain is the one whose heads were kept.');
    expect(code).toBe(0);
  });

  it('is found when the end of the chain is cut off', async () => {
    const { seq } = await head();
    const kept = await gateway.query(`select * from audit_log where seq = ${seq}`);
    const cutTo = async (end: number) =>
      gateway.query(`update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = ${end})`);
    await cutTo(seq - 1);
    await gateway.query(`delete from audit_log where seq = ${seq}`);
    // By itself it is a whole chain.
    expect(await verifyAlone()).toEqual([]);
    const { code, stdout } = await verifyHeads();
    expect(stdout).toContain(`entry ${seq} was there when its hash was kept; the chain ends with entry ${seq - 1}`);
    expect(code).toBe(1);
    const [row] = kept as { at: Date; who: string; action: string; subject: string; details: string }[];
    const { at, who, action, subject, details } = row as NonNullable<typeof row>;
    await auditStore(gateway.database).append({ who, action, subject, details }, at.getTime());
    expect((await verifyHeads()).code).toBe(0);
  });

  it('is found when an entry is written anew with all that follow', async () => {
    const copy = join(folder, 'copy');
    // What was sent before; the gateway goes on to send heads of the new chain.
    await writeFile(copy, await readFile(file));
    const entries = await auditStore(gateway.database).following(0, 100);
    let previous = '0'.repeat(64);
    for (const entry of entries) {
      const changed = { ...entry, who: 'nobody', previous };
      const hash = hashOf(changed);
      await gateway.query(`update audit_log set who = 'nobody', previous = '\\x${previous}'::bytea,
        hash = '\\x${hash}'::bytea where seq = ${entry.seq}`);
      previous = hash;
    }
    await gateway.query(`update audit_head set hash = '\\x${previous}'::bytea`);
    expect(await verifyAlone()).toEqual([]);
    for (const heads of [copy, file]) {
      const { code, stdout } = await verifyHeads(heads);
      expect(stdout).toContain('is another one than the one whose hash was kept');
      expect(code).toBe(1);
    }
  });
});
