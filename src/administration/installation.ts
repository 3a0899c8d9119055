// What an installation runs with, for who has to judge it: its version, the settings that matter for security, the ends
// of its certificates, and everything that the payment page loads. No secret is among it.

import { aList, aMoment, aNumber, anObject, aRecord, aText, aWord, orNull } from './verb/answers.ts';
import { InvalidInput } from './verb/invalid-input.ts';
import { defineVerb } from './verb/verb.ts';

const installationView = anObject({
  version: aText(),
  node: aText('The version of Node.'),
  mode: aWord(['sandbox', 'production']),
  publicAddress: orNull(aText('Of the interface; null while no gateway runs.')),
  localAddress: orNull(aText('The same without a proxy, as this machine reaches it.')),
  settings: aList(anObject({ name: aText(), value: orNull(aText('Null where it is not set.')) })),
  certificates: aList(
    anObject({
      servedAt: aWord(['interface', 'administrators']),
      subject: aText(),
      issuer: aText(),
      validFrom: aMoment(),
      validUntil: aMoment(),
      fingerprint: aText('SHA-256.'),
    }),
  ),
  pageHeaders: aRecord('What the payment page is sent with, by the code.'),
  pageAssets: aList(
    anObject({
      path: aText('Below the address of the interface.'),
      kind: aWord(['script', 'stylesheet', 'image']),
      type: aText(),
      bytes: aNumber(),
      integrity: aText('SHA-384, as browsers read it.'),
      endpointId: orNull(aNumber('Whose pages load it; null when all do.')),
      reason: aText('Why it is there.'),
    }),
    'Everything that the pages load.',
  ),
});

export const showInstallation = defineVerb({
  name: 'showInstallation',
  summary: 'show what the gateway runs with, and everything that the payment page loads',
  role: 'administrator',
  conduct: 'read',
  given: {},
  answer: installationView,
  run: async (_, { configuration, installation }) => {
    if (!installation) throw new InvalidInput('nothing is known of the installation here');
    return installation.look((await configuration.read()).looks);
  },
});
