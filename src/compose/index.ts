// Puts the parts together: the only folder that knows everybody, and all of it that others may know.

export { administrationOf } from './administration.ts';
export { type BankAloneOptions, bankFolder, openJournal, startBankAlone } from './bank.ts';
export { type RunningGateway, startGateway } from './gateway.ts';
export type { Settings, Surroundings } from './settings.ts';
export { createKeyFile, openStore, type Store } from './store.ts';
