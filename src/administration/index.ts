// Every verb of administration, once, and the nouns their commands begin with.

import { clearBankDay, readBankJournal, readSettlementPart, setBankFaults, showBankFaults } from './bank.ts';
import { dropArchivedMonth, listArchives } from './books/archives.ts';
import { listAudit, listAuditHashes } from './books/audit.ts';
import { readInstructions } from './books/reconcile.ts';
import { listRuns, showRun, stopRun, verifyInBackground } from './books/run-verbs.ts';
import { verifyPart, verifyStoredPart } from './books/verify.ts';
import { listCallbacks, replayCallback, replayFailedCallbacks, showCallback } from './callbacks.ts';
import { addBins, beginBins, useBins } from './cards/bins.ts';
import { deleteCardReference, listCardReferences } from './cards/cards.ts';
import { copyDatabase, writeHeap } from './database.ts';
import { showInstallation } from './installation.ts';
import { addKey, listKeys, retireKey, setKey } from './keys/keys.ts';
import { listTampered, rotateRecordKey, signRecords } from './keys/records.ts';
import {
  retireKeyEncryptionKey,
  rotateDataKey,
  rotateKeyEncryptionKey,
  rotateLinksKey,
  rotateLookupKey,
  showVault,
} from './keys/vault.ts';
import { addMerchantRows, beginMerchantImport, importMerchants } from './merchant-import/merchant-import.ts';
import { addEndpoint, listEndpoints, setEndpoint, showEndpoint } from './merchants/endpoints.ts';
import { addGroup, listGroups } from './merchants/groups.ts';
import { readLogo, setLook, showLook } from './merchants/looks.ts';
import { addMerchant, listMerchants, setMerchant, showMerchant } from './merchants/merchants.ts';
import { listBalances } from './money/balances.ts';
import { approveDeed, listDeeds, rejectDeed } from './money/deeds.ts';
import { captureOrder, returnOrder, voidOrder } from './money/follow-ups.ts';
import { approveWaitingPayout, bookReturnedPayout, listWaitingPayouts } from './money/payouts.ts';
import { showStatement } from './money/statements.ts';
import { listStuck, settleStuck } from './money/stuck.ts';
import { listNetworks, removeNetwork, setNetwork, showNetwork, testNetwork } from './networks/networks.ts';
import { listLooks } from './orders/looks-at-order.ts';
import { beginExport } from './orders/order-export.ts';
import { listOrders, showOrder } from './orders/orders.ts';
import { listRequests, listStrangers, showRequest } from './orders/requests.ts';
import { listFilters, removeFilter, saveFilter } from './orders/saved-filters.ts';
import { showOverview } from './overview/overview.ts';
import {
  addPerson,
  endSessions,
  listPeople,
  resetPerson,
  setPerson,
  showPerson,
  unlockPerson,
} from './people/people.ts';
import { addToken, listTokens, revokeToken } from './people/tokens.ts';
import { listRecurring, pauseRecurring, resumeRecurring, showRecurring, stopRecurring } from './recurring/recurring.ts';
import { moveClock, showClock } from './sandbox/clock.ts';
import { listenToCallbacks, takeHandedCallbacks } from './sandbox/listening.ts';
import { returnPayout } from './sandbox/returned-payouts.ts';
import { makeOrders, setNetworkFaults, showNetworkFaults, showSandbox } from './sandbox/sandbox.ts';
import { listStories, triggerStory } from './sandbox/stories.ts';
import { addBlock, listBlocks, removeBlock } from './screening/blocks.ts';
import { listLimits, removeLimit, setDuplicateGuard, setLimit } from './screening/limits.ts';
import { listConnectors, showConnector } from './terminals/connectors.ts';
import {
  addTerminal,
  listTerminals,
  readTerminalTrace,
  setTerminal,
  showTerminal,
  testTerminal,
} from './terminals/terminals.ts';
import { showRoute } from './terminals/where.ts';
import { showTrial, tryRequest } from './trial/trial.ts';

export const verbs = [
  addMerchant,
  setMerchant,
  listMerchants,
  showMerchant,
  beginMerchantImport,
  addMerchantRows,
  importMerchants,
  addEndpoint,
  setEndpoint,
  listEndpoints,
  showEndpoint,
  showLook,
  setLook,
  readLogo,
  showRoute,
  addGroup,
  listGroups,
  addKey,
  listKeys,
  setKey,
  retireKey,
  addTerminal,
  setTerminal,
  listTerminals,
  showTerminal,
  testTerminal,
  readTerminalTrace,
  listConnectors,
  showConnector,
  showVault,
  rotateDataKey,
  rotateKeyEncryptionKey,
  retireKeyEncryptionKey,
  rotateLinksKey,
  rotateLookupKey,
  listTampered,
  signRecords,
  rotateRecordKey,
  setNetwork,
  listNetworks,
  showNetwork,
  removeNetwork,
  testNetwork,
  listWaitingPayouts,
  approveWaitingPayout,
  bookReturnedPayout,
  listRecurring,
  showRecurring,
  pauseRecurring,
  resumeRecurring,
  stopRecurring,
  setLimit,
  removeLimit,
  setDuplicateGuard,
  listLimits,
  addBlock,
  removeBlock,
  listBlocks,
  listCardReferences,
  deleteCardReference,
  listCallbacks,
  showCallback,
  replayCallback,
  replayFailedCallbacks,
  listOrders,
  showOrder,
  listLooks,
  beginExport,
  listFilters,
  saveFilter,
  removeFilter,
  captureOrder,
  voidOrder,
  returnOrder,
  listBalances,
  showStatement,
  showOverview,
  listDeeds,
  approveDeed,
  rejectDeed,
  listRequests,
  listStrangers,
  showRequest,
  showTrial,
  tryRequest,
  beginBins,
  addBins,
  useBins,
  copyDatabase,
  writeHeap,
  showBankFaults,
  setBankFaults,
  clearBankDay,
  readSettlementPart,
  readBankJournal,
  readInstructions,
  listStuck,
  settleStuck,
  listAudit,
  addPerson,
  listPeople,
  showPerson,
  setPerson,
  resetPerson,
  unlockPerson,
  endSessions,
  addToken,
  listTokens,
  revokeToken,
  listAuditHashes,
  verifyPart,
  verifyStoredPart,
  listArchives,
  dropArchivedMonth,
  verifyInBackground,
  listRuns,
  showRun,
  stopRun,
  showInstallation,
  showSandbox,
  showNetworkFaults,
  setNetworkFaults,
  showClock,
  moveClock,
  makeOrders,
  listStories,
  triggerStory,
  returnPayout,
  listenToCallbacks,
  takeHandedCallbacks,
] as const;

/** The words commands begin with, and what they are about. */
export const nouns = {
  merchant: 'add, list and change merchants',
  endpoint: 'add, list and change endpoints',
  group: 'add and list endpoint groups',
  key: 'add, list, limit and retire the keys merchants sign with',
  terminal: 'add, change and try the ways to banks',
  connector: 'see which kinds of banks terminals can reach',
  vault: 'see and change the keys that card numbers are sealed under',
  archive: 'write months of requests and of changes of orders into files, and read them',
  record: 'see whether somebody has written into the database, and accept what is there',
  network: 'name the directory servers of card brands, and look at them',
  payout: 'list and approve payouts that wait for a confirmation',
  recurring: 'list, show, pause, resume and stop recurring payments',
  limit: 'limit how often and how much the same payer may pay at an endpoint',
  block: 'block cards, issuers, e-mail addresses, internet addresses and countries',
  card: 'list and delete the references merchants have for stored cards',
  bins: 'tell which bank issued a card',
  callback: 'list, show and repeat callbacks to merchants',
  order: 'find orders, show everything that happened to one, and capture, void or return one',
  deed: 'approve or reject what takes a second person',
  request: 'find requests, and show what one asked for and what it was told',
  stuck: 'list and settle transactions the bank gave no answer about',
  person: 'add people who work with the gateway, and say what they may do',
  token: 'make, list and revoke the tokens that programs of people use',
  clock: 'see the clock of a sandbox, and put it forward',
  audit: 'see who changed what and who looked at cards',
} as const;
