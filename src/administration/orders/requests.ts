// Requests, as an operator sees them: those of merchants, those whose sender is not known, and one by the serial number
// that its reply carried.

import { serialNumbersSince } from '../../domain/ids/serial-times.ts';
import { UUID } from '../../domain/ids/uuid.ts';
import { flag, formed, id, wholeNumber } from '../../domain/input-kinds.ts';
import { writeMark } from '../../domain/search/mark.ts';
import { soughtText, timeFaults } from '../../domain/search/order-search.ts';
import { merchantIdsOf, onlyMerchant } from '../lookups.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { aPageOf, pageInputs, pageRowsOf, placeAfter, USUAL_PAGE } from '../verb/pages.ts';
import { minute } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';
import { requestLine, requestView, strangerView } from './order-answers.ts';
import { timeFilters } from './order-filters.ts';
import { requestText } from './order-text.ts';
import { viewOfRequest, viewOfStranger } from './order-views.ts';

const LONGEST_OPERATION = 40;
const MOST_STATUS = 599;
const MOST_CODE = 99_999;
/** Later than any request. */
const FAR = Date.UTC(9999, 0, 1);

const requestFilters = {
  endpointId: mayGive(id, 'only those sent to this endpoint or group', { as: '--endpoint <id>' }),
  operation: mayGive(soughtText('the name of an operation', LONGEST_OPERATION), 'only those for this operation', {
    as: '--operation <name>',
  }),
  httpStatus: mayGive(wholeNumber(100, MOST_STATUS), 'only those answered with this status of HTTP', {
    as: '--http-status <number>',
  }),
  errorCode: mayGive(wholeNumber(0, MOST_CODE), 'only those refused with this error code', {
    as: '--error-code <number>',
  }),
};

export const listRequests = defineReading({
  name: 'listRequests',
  command: 'request list',
  summary: "find merchants' requests, also refused ones, the newest first",
  merchants: 'own',
  example: 'tender request list --merchant shop --refused --from 2027-01-31',
  given: {
    login: onlyMerchant,
    orderId: mayGive(id, 'only those about this order', { as: '--order <id>' }),
    ...requestFilters,
    refused: mayGive(flag, 'only those that were refused', { as: '--refused' }),
    ...timeFilters,
    ...pageInputs,
  },
  answer: aPageOf(requestLine),
  run: async (given, { configuration, timelines }) => {
    const { login, orderId, endpointId, httpStatus, errorCode, refused, from, to, after, limit = USUAL_PAGE } = given;
    const [operation, pathId] = [given.operation?.toUpperCase(), endpointId?.toString()];
    const search = { orderId, operation, httpStatus, errorCode, refused, pathId, from, to };
    const faults = timeFaults(search);
    if (faults.length > 0) throw new InvalidInput(...faults);
    const all = await configuration.read();
    const sought = { login, search };
    const [before = serialNumbersSince(to ?? FAR)] = placeAfter(sought, after, ['string']) ?? [];
    const { found, next } = await timelines.requests({
      merchantIds: merchantIdsOf(login, all),
      search,
      from: serialNumbersSince(from ?? 0),
      before: String(before),
      limit,
    });
    return { found: found.map((line) => viewOfRequest(line, all)), next: next && writeMark(sought, [next]) };
  },
  show: pageRowsOf(
    {
      'SERIAL NUMBER': (one) => one.serialNumber,
      AT: (one) => minute(one.at),
      MERCHANT: (one) => one.login,
      OPERATION: (one) => one.operation,
      ORDER: (one) => one.orderId,
      HTTP: (one) => one.httpStatus,
      ERROR: (one) => one.errorCode,
    },
    'There are no such requests.',
  ),
});

export const listStrangers = defineReading({
  name: 'listStrangers',
  command: 'request strangers',
  summary: 'find requests whose sender is not known, such as wrongly signed ones, the newest first',
  merchants: 'own',
  example: 'tender request strangers --endpoint 101 --from 2027-01-31',
  given: { ...requestFilters, ...timeFilters, ...pageInputs },
  answer: aPageOf(strangerView),
  run: async (given, { timelines }) => {
    const { endpointId, httpStatus, errorCode, from, to, after, limit = USUAL_PAGE } = given;
    const search = { operation: given.operation?.toUpperCase(), httpStatus, errorCode, from, to };
    const faults = timeFaults(search);
    if (faults.length > 0) throw new InvalidInput(...faults);
    const sought = { endpointId, search, strangers: true };
    const [before = serialNumbersSince(to ?? FAR)] = placeAfter(sought, after, ['string']) ?? [];
    const { found, next } = await timelines.strangers({
      pathIds: endpointId === undefined ? undefined : [String(endpointId)],
      search,
      from: serialNumbersSince(from ?? 0),
      before: String(before),
      limit,
    });
    return { found: found.map(viewOfStranger), next: next && writeMark(sought, [next]) };
  },
  show: pageRowsOf(
    {
      'SERIAL NUMBER': (one) => one.serialNumber,
      AT: (one) => minute(one.at),
      FROM: (one) => one.from,
      OPERATION: (one) => one.operation,
      PATH: (one) => one.pathId,
      HTTP: (one) => one.httpStatus,
      ERROR: (one) => one.errorCode,
    },
    'There are no such requests.',
  ),
});

export const showRequest = defineVerb({
  name: 'showRequest',
  command: 'request show',
  summary: 'show a request, also one that was refused, without its secrets',
  merchants: 'own',
  example: 'tender request show 0197a5c2-6f8e-4c1b-9f0a-3d2e1b4c5a69',
  role: 'operator',
  conduct: 'cards',
  given: {
    serialNumber: mustGive(formed(UUID, 'the serial-number of a reply'), 'the serial-number of its reply', {
      as: '<serial-number>',
      told: true,
    }),
  },
  answer: requestView,
  run: async ({ serialNumber }, { configuration, timelines }) => {
    const request = await timelines.findRequest(serialNumber);
    if (request) return viewOfRequest(request, await configuration.read());
    throw new InvalidInput(`the journal has no request ${serialNumber.toLowerCase()}`);
  },
  show: requestText,
});
