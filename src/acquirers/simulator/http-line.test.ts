import { describe, expect, it } from 'vitest';
import { readConnectorSettings } from '../connector.ts';
import { ConnectionRefused } from './bank-line.ts';
import { httpLine } from './http-line.ts';
import { simulatorConnector } from './simulator.ts';

describe('the line to a simulated bank of its own', () => {
  it.each([
    // No name server is asked about a name with an empty part.
    ['http://no..where:8090', "the name of the bank's host is unknown"],
    ['http://127.0.0.1:1', 'the bank refused the connection'],
  ])('says why there is no connection to %s', async (url, reason) => {
    const line = httpLine(url);
    const asked = line.inquire('0-1', { signal: new AbortController().signal });
    await expect(asked).rejects.toThrow(new ConnectionRefused(reason));
    await line.close();
  });

  it.each(['https://localhost:8090', 'ftp://localhost', 'localhost:8090'])('does not go by %s', (url) => {
    expect(readConnectorSettings(simulatorConnector, { url })).toEqual({
      faults: [`url: an address such as http://localhost:8090 is needed, not "${url}"`],
    });
  });
});
