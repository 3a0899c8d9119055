// Whether this Node is new enough, by the "engines" entry of package.json; asked before anything newer is loaded.
import { readFileSync } from 'node:fs';

/** A sentence for the user when this Node is too old, otherwise undefined. */
export function tooOldNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const required = engines.node.replace('>=', '');
  const [major, minor] = numbersOf(process.versions.node);
  const [requiredMajor, requiredMinor] = numbersOf(required);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined;
  return `Node ${required} or newer is needed; this is Node ${process.versions.node}.`;
}

function numbersOf(version) {
  return version.split('.').map(Number);
}
