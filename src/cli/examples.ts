// How commands are written that bring no example of their own, by what stands behind `tender`; and what their arguments
// are, where their names alone would have to say it.

import type { Command } from 'commander';
import { withExample } from './administration-command.ts';

const EXAMPLES: Readonly<Record<string, string>> = {
  start: 'tender start --port 8080 --data data',
  'merchant add': 'tender merchant add acme --name "Acme Ltd"',
  'merchant set': 'tender merchant set acme --allow-address 203.0.113.7',
  'merchant disable': 'tender merchant disable acme',
  'merchant enable': 'tender merchant enable acme',
  'merchant strict': 'tender merchant strict acme',
  'merchant list': 'tender merchant list --json',
  'merchant show': 'tender merchant show acme',
  'endpoint add': 'tender endpoint add acme --currency EUR --name "Acme in euros"',
  'endpoint set': 'tender endpoint set 101 --maximum 500.00',
  'endpoint list': 'tender endpoint list acme',
  'endpoint show': 'tender endpoint show 101',
  'group add': 'tender group add acme --endpoints 101,102',
  'group list': 'tender group list acme',
  'key list': 'tender key list acme',
  'key set': 'tender key set acme control-2 --operations SALE,STATUS',
  'key retire': 'tender key retire acme control-1 --at 2027-01-31T18:00:00Z',
  'key add': 'tender key add acme --rsa acme-public.pem',
  'terminal disable': 'tender terminal disable acme-bank',
  'terminal enable': 'tender terminal enable acme-bank',
  'terminal list': 'tender terminal list',
  'terminal show': 'tender terminal show acme-bank',
  'terminal trace': 'tender terminal trace acme-bank',
  'terminal set': 'tender terminal set acme-bank --set port=8583',
  'terminal test': 'tender terminal test acme-bank',
  'connector list': 'tender connector list',
  'connector show': 'tender connector show <name>',
  'vault status': 'tender vault status',
  'vault rotate': 'tender vault rotate --kek',
  'vault create-key-file': 'tender vault create-key-file /etc/tender/keys',
  'network list': 'tender network list',
  'network show': 'tender network show VISA',
  'network remove': 'tender network remove VISA',
  'network test': 'tender network test VISA',
  'payout list': 'tender payout list --merchant acme',
  'deed list': 'tender deed list --merchant acme',
  'networks faults': 'tender networks faults --results late',
  'networks transcript': 'tender networks transcript',
  'networks cards': 'tender networks cards',
  'person list': 'tender person list',
  'person show': 'tender person show ann',
  'person set': 'tender person set ann --role auditor',
  'person disable': 'tender person disable ann',
  'person enable': 'tender person enable ann',
  'person reset': 'tender person reset ann',
  'person unlock': 'tender person unlock ann',
  'person sign-out': 'tender person sign-out ann',
  'token list': 'tender token list ann',
  'token revoke': 'tender token revoke 7',
  help: 'tender help sale',
};

const ARGUMENTS: Readonly<Record<string, string>> = {
  'key add': "the merchant's login",
  'terminal test': "the terminal's name",
  'vault create-key-file': 'the file, which must not exist yet',
  export: 'the file to write, which must not exist yet',
  import: 'a file that "tender export" has written',
  scan: 'files and folders to look into, instead of the gateway',
  evidence: 'the folder to write into, empty or new',
  help: 'a command',
};

/** Completes the help of commands, once all of them are there. */
export function addExamples(command: Command, path = ''): void {
  const example = EXAMPLES[path];
  if (example !== undefined) withExample(command, example);
  for (const argument of command.registeredArguments) argument.description ||= ARGUMENTS[path] ?? '';
  for (const one of command.commands) addExamples(one, `${path} ${one.name()}`.trim());
}
