// Sees to it that a file outlives the machine's next crash, or that a folder lists what was put into it.

import { open } from 'node:fs/promises';

export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
