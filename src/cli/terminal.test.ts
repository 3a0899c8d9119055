import { afterEach, expect, it, vi } from 'vitest';
import { say } from './terminal.ts';

afterEach(() => vi.restoreAllMocks());

it('what is said tells the terminal nothing, whoever wrote it', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  say('an order of \u001b[2J\u202emoc.elpmaxe');
  expect(written).toHaveBeenCalledWith('an order of \\u001b[2J\\u202emoc.elpmaxe\n');
});
