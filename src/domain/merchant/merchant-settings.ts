// The settings of merchants (D-29); each has a column of its name in table `merchants`.

import { flag, line } from '../input-kinds.ts';
import { type SettingsOf, setting } from './setting.ts';
import {
  certificateFingerprint,
  listedAmount,
  networkAddress,
  operationName,
  several,
  state,
} from './setting-kinds.ts';

export const merchantSettings = [
  setting('name', line(100), { first: 'the login', says: 'name for people' }),
  setting('enabled', state, { default: true, option: false, title: 'State', says: 'take requests' }),
  setting('allowedAddresses', several(networkAddress, 'any'), {
    default: [],
    option: 'allow-address',
    title: 'Addresses',
    says: 'network addresses requests may come from',
  }),
  setting('allowedCertificates', several(certificateFingerprint, 'any'), {
    default: [],
    option: 'client-certificate',
    title: 'Certificates',
    says: 'fingerprints of client certificates, one of which every request must come with (mutual TLS)',
  }),
  setting('allowedOperations', several(operationName, 'all'), {
    default: [],
    option: 'allow-operation',
    title: 'Operations',
    says: 'operations that may be called, such as SALE,STATUS',
  }),
  setting('strictSigning', flag, {
    default: false,
    says: 'demand header X-Signature too, at all its endpoints',
  }),
  setting('secondPersonAbove', several(listedAmount), {
    default: [],
    title: 'Second person',
    says: 'amounts such as "500.00 EUR,600.00 USD" above which people move its money only two together',
  }),
] as const;

export type MerchantSettings = SettingsOf<typeof merchantSettings>;
