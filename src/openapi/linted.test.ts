// Both documents in the eyes of a linter that somebody else wrote, with all that it recommends. Spectral finds no fault
// with them either; it is not run here, because it is larger than all else that tests need together.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { administrationDocument } from './administration-document.ts';
import { openApiDocument } from './document.ts';

const ABOUT = { baseUrl: 'https://pay.tender.test/paynet', version: '1.2.3' };

const config = await createConfig({ extends: ['recommended'] });

async function faultsOf(document: object): Promise<string[]> {
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

type Whole = { readonly info: { license?: object }; readonly openapi: string; readonly servers: object };

describe('a linter', () => {
  it.each([
    ['the interface', openApiDocument(ABOUT)],
    ['administration', administrationDocument(ABOUT)],
  ])('finds nothing wrong with the document of %s', async (_, document) => {
    expect(await faultsOf(document)).toEqual([]);
  });

  it('finds what is wrong with a document that says less', async () => {
    const { info, openapi, servers } = openApiDocument(ABOUT) as Whole;
    const { license: _, ...less } = info;
    const faults = await faultsOf({ openapi, servers, paths: {}, info: less });
    expect(faults).toEqual([expect.stringMatching(/^info-license/)]);
    expect(await faultsOf({ openapi, servers, paths: {}, info })).toEqual([]);
  });
});
