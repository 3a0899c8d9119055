import { describe, expect, it } from 'vitest';
import { BadDatabaseAddress, readDatabaseAddress } from './database-address.ts';

describe('the address of a database', () => {
  it.each([
    ['postgres://u:p@db/n', ['db:5432'], ['postgres://u:p@db/n'], undefined],
    ['postgresql://u@db:6000/n?target_session_attrs=primary', ['db:6000'], undefined, 'read-write'],
    [
      'postgres://u:p@a:1,b:2/n?x=y',
      ['a:1', 'b:2'],
      ['postgres://u:p@a:1/n?x=y', 'postgres://u:p@b:2/n?x=y'],
      'read-write',
    ],
    ['postgres://a,b/n?target_session_attrs=any', ['a:5432', 'b:5432'], undefined, 'any'],
    ['postgres://u:p,q@[::1]:7,[::2]/n', ['[::1]:7', '[::2]:5432'], undefined, 'read-write'],
    ['postgres:///n?host=/run/postgresql', ['/run/postgresql:5432'], undefined, undefined],
  ])('%s names %j', (address, places, urls, wants) => {
    const read = readDatabaseAddress(address);
    expect(read.hosts.map(({ place }) => place)).toEqual(places);
    if (urls) expect(read.hosts.map(({ url }) => url)).toEqual(urls);
    expect([read.name, read.wants]).toEqual(['n', wants]);
  });

  it.each([
    ['mysql://u@a/n', 'it must begin with postgres:// or postgresql://'],
    ['postgres://u:hunter2@a:1,,b:2/n', 'host 2 is empty'],
    ['postgres://u:hunter2@/n', 'the host is empty'],
    ['postgres://u:hunter2@/n?host=/run/postgresql', 'the host is empty'],
    ['postgres://u:hunter2@a:1,b:port/n', 'the port of host 2 is not a number from 1 to 65535'],
    ['postgres://u:hunter2@a:0/n', 'the port of the host is not a number from 1 to 65535'],
    ['postgres://u:hunter2@a b,c/n', 'host 1 is no name or address'],
    ['postgres://u:hunter2@a:1,b:2,a:1/n', 'host 3 is named twice'],
    ['postgres://u:hunter2@a,b,c,d,e,f,g,h,i/n', 'it names 9 hosts, and 8 are the most'],
    ['postgres://u:hunter2@x@a/n', 'an @ in the user or the password must be written as %40'],
    ['postgres://u:hunter2/x@a/n', 'a /, ? or @ in the user or the password must be written as %2F, %3F or %40'],
    ['postgres://u:hunter2#x@a/n', 'a # in it must be written as %23'],
    ['postgres://u:hunter2%@a/n', 'the user or the password cannot be read'],
    ['postgres://a,b/n?target_session_attrs=standby', 'target_session_attrs is none of any, read-write, primary'],
    ['postgres://a,b/n?host=c', 'several hosts are named before the /, without host= and port='],
    ['postgres:///n?host=/a,/b', 'several hosts are named before the /, not in host='],
    ['postgres://,b:x/n?target_session_attrs=x', 'host 1 is empty', 'port of host 2', 'target_session_attrs'],
  ])('%s is refused with every fault and without its password', (address, ...faults) => {
    const refusal = (() => {
      try {
        return readDatabaseAddress(address);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(BadDatabaseAddress);
    for (const fault of faults) expect((refusal as Error).message).toContain(fault);
    expect((refusal as Error).message).not.toContain('hunter2');
  });
});
