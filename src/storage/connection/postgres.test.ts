import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { checkedWhenSecure, describeServer, isPlainElsewhere } from './postgres.ts';

const server = (number: number) => ({ query: async () => [{ number }] }) as unknown as Database;

it('takes PostgreSQL from version 14 on', async () => {
  await describeServer(server(140_000));
  await describeServer(server(180_001));
  await expect(describeServer(server(130_022))).rejects.toThrow('PostgreSQL 14 or newer is needed, the server is 13');
});

it.each([
  ['postgres://u@h/n?sslmode=require', 'postgres://u@h/n?sslmode=verify-full'],
  ['postgres://u@h/n?a=b&sslmode=verify-ca&c=d', 'postgres://u@h/n?a=b&sslmode=verify-full&c=d'],
  ['postgres://u@h/n?sslmode=verify-full', 'postgres://u@h/n?sslmode=verify-full'],
  ['postgres://u@h/n?sslmode=disable', 'postgres://u@h/n?sslmode=disable'],
  ['postgres://u@h/n', 'postgres://u@h/n'],
])('%s is opened as %s', (url, opened) => {
  expect(checkedWhenSecure(url)).toBe(opened);
});

it.each([
  ['postgres://u@db.example/n', true],
  ['postgres://u@db.example/n?sslmode=disable', true],
  ['postgres://u@db.example/n?sslmode=verify-full', false],
  ['postgres://u@localhost/n', false],
  ['postgres://u@127.0.0.1/n', false],
  ['postgres://u@[::1]/n', false],
  ['postgres:///n?host=/run/postgresql', false],
])('whether %s is reached over a network without TLS: %s', (url, isPlain) => {
  expect(isPlainElsewhere(url)).toBe(isPlain);
});
