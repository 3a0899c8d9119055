// Trials: files that try at length, on whole installations, what cheaper files hold. Together they take a fifth of the
// processor time of all tests. A plain `npm test` leaves them out and says so; `npm test -- --all`, CI, and whoever
// names one run them.

type Trial = { readonly file: string; readonly triesAtLength: string };

export const TRIALS: readonly Trial[] = [
  {
    file: 'test/scenarios/package.test.ts',
    triesAtLength: 'what bin/, dist/ and src/client/bundle.test.ts offer, packed and installed in another folder',
  },
  {
    file: 'test/clients/generated-clients.test.ts',
    triesAtLength: 'the OpenAPI document of scenarios/docs and public-clients, by generators of two other languages',
  },
  {
    file: 'test/chaos/chaos.test.ts',
    triesAtLength: 'every disturbance on whole installations at once; chaos/stories and the simulation have each alone',
  },
  {
    file: 'test/crash/ids.test.ts',
    triesAtLength: 'the counter of contracts/id-counter and scenarios/ids under load, by three nodes that are killed',
  },
  {
    file: 'test/crash/iso8583.test.ts',
    triesAtLength: 'reversals of contracts/iso8583 and connectors, by a gateway that is killed again and again',
  },
  {
    file: 'test/scenarios/moving.test.ts',
    triesAtLength: 'contracts/export and scenarios/encrypted-exports, by command and while merchants sell',
  },
  {
    file: 'test/simulation/broken-variants.test.ts',
    triesAtLength: 'simulation/simulation, which must notice each protection of the gateway that is switched off',
  },
];
