// Puts the parts together. Only this folder knows all of them; others import nothing of it but this file.

export { demo as DEMO_MERCHANT } from '../processing/node/demo.ts';
export { administrationOf } from './administration.ts';
export { type BankAloneOptions, bankFolder, openJournal, startBankAlone } from './bank.ts';
export { type HowToClose, type RunningGateway, startGateway } from './gateway.ts';
export { installationOffice } from './installation.ts';
export { clockOfData } from './sandbox/sandbox-clock.ts';
export { seedStoreWith } from './seeding.ts';
export type { Settings, Surroundings } from './settings.ts';
export { createKeyFile, migrateStore, openStore, type Store } from './store.ts';
export type { Crew, CrewAnswers, CrewTopic } from './workers/crew.ts';
export { startSharedOutside } from './workers/shared-outside.ts';
export { shareOfSettings } from './workers/worker-settings.ts';
