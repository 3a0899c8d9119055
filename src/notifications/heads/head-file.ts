// A file that heads of the audit chain are appended to, each on disk before the next: on another disk, or one that can
// only be appended to.

import { open } from 'node:fs/promises';
import { headText, type SentHead } from '../../domain/audit-heads.ts';

export function fileOfHeads(path: string) {
  return {
    name: `file:${path}`,
    async send(head: SentHead): Promise<void> {
      const file = await open(path, 'a', 0o600);
      try {
        await file.write(`${new Date(head.at).toISOString()} ${headText(head)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
