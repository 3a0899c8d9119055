// What the composition of the program needs of 3-D Secure: the directory server over HTTP, a look at one, and the
// simulated card networks.

export { type HttpDirectoryOptions, httpDirectory } from './http-directory.ts';
export { lookAtServer } from './look-at-server.ts';
export { NETWORK_FAULTS, type NetworkFaults, whyNotFaults } from './simulator/faults.ts';
export {
  type NetworksOptions,
  type RunningNetworks,
  startNetworks,
} from './simulator/networks.ts';
export { PUBLISHED_CARDS, TEST_CARDS } from './simulator/test-cards.ts';
