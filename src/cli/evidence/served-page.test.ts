import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { testAuthority } from '../../../test/certificates.ts';
import { lookAtPage, unlisted } from './served-page.ts';

const OURS = [{ path: '/assets/pages-1.js' }, { path: '/assets/pages-1.css' }];

describe('what a page loads beyond what is listed', () => {
  it.each([
    ['nothing', '<link rel="stylesheet" href="/paynet/assets/pages-1.css"><p>text</p>', []],
    ['our script', '<script src="/paynet/assets/pages-1.js" defer></script>', []],
    ['a script of others', '<script src="https://evil.example/x.js">', ['https://evil.example/x.js']],
    [
      'a script of others that is called as ours',
      '<script src="https://evil.example/assets/pages-1.js">',
      ['https://evil.example/assets/pages-1.js'],
    ],
    ['another script of ours', '<script src="/paynet/assets/other.js">', ['/paynet/assets/other.js']],
    ['a script within', '<script>steal()</script>', ['a script within it']],
    ['a frame', '<iframe src="https://evil.example/">', ['https://evil.example/']],
    ['a picture', '<img class="logo" src="//evil.example/p.gif">', ['//evil.example/p.gif']],
  ])('%s', (_, html, found) => {
    expect(unlisted(html, OURS)).toEqual(found);
  });
});

describe('a page that somebody changed on the way', () => {
  it('is told: missing headers, a foreign script, another content', async () => {
    const server = createServer((request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.end(request.url?.startsWith('/pay/') ? '<script src="https://evil.example/x.js">' : 'changed');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const asset = { kind: 'script', type: 'text/javascript', bytes: 1, endpointId: null, reason: 'x' } as const;
      const { findings, isSame } = await lookAtPage({ base, isLocal: true }, [
        { ...asset, path: '/assets/a.js', integrity: 'sha384-x' },
      ]);
      expect(isSame.get('/assets/a.js')).toBe(false);
      expect(findings).toEqual([
        'the page has no header content-security-policy',
        'the page has no header referrer-policy',
        'the page has no header cache-control',
        'the page loads https://evil.example/x.js, which is not ours',
        '/assets/a.js is served otherwise than the package has it',
      ]);
    } finally {
      server.close();
    }
  });

  it('is not looked at from outside under a certificate that nobody vouches for', async () => {
    const { certificate: cert, privateKey: key } = testAuthority('Nobody').issue('page', { at: 'IP:127.0.0.1' });
    const server = createSecureServer({ cert, key }, (_, response) => void response.end(''));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await expect(lookAtPage({ base, isLocal: false }, [])).rejects.toThrow(/cannot be looked at: .*certificate/);
      expect((await lookAtPage({ base, isLocal: true }, [])).findings).not.toEqual([]);
    } finally {
      server.close();
    }
  });
});
