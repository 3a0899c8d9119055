// A new file, or one with a new name, survives a crash only when its folder is synced too.

import { open } from 'node:fs/promises';

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
