// Endpoint groups: one id for several endpoints of a merchant; the order's currency chooses among them.

import { id, listed } from '../../domain/input-kinds.ts';
import type { EndpointGroup } from '../../domain/merchant/merchant.ts';
import { shown } from '../../domain/text.ts';
import type { Configuration } from '../../storage/configuration.ts';
import { loginOf, merchantLogin, merchantOf, newPathId } from '../lookups.ts';
import { type Answered, aList, aNumber, anObject, aText, told } from '../verb/answers.ts';
import { mayGive, mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { rowsOf } from '../verb/table.ts';
import { defineReading, defineVerb } from '../verb/verb.ts';

const groupView = anObject({
  groupId: told(aNumber(), 'group'),
  login: told(aText(), 'merchant'),
  endpoints: aList(anObject({ endpointId: aNumber(), currency: aText() })),
});

type GroupView = Answered<typeof groupView>;

export const addGroup = defineVerb({
  name: 'addGroup',
  command: 'group add',
  summary: 'put endpoints of a merchant under one id',
  role: 'administrator',
  conduct: 'change',
  given: {
    login: mustGive(merchantLogin, 'the merchant', { as: '<login>', told: 'merchant' }),
    endpointIds: mayGive(listed(id), 'endpoints of different currencies, such as 101,104', {
      as: '--endpoints <ids>',
      told: true,
    }),
    groupId: mayGive(id, 'its id in the path; the next free one when left out', { as: '--id <number>', told: 'group' }),
  },
  answer: groupView,
  run: async ({ login, endpointIds = [], groupId }, { configuration }) => {
    const before = await configuration.read();
    const { merchantId } = merchantOf(login, before);
    const members = membersOf(endpointIds, merchantId, before);
    const group = { groupId: newPathId(groupId, before), merchantId, endpointIds: members };
    await configuration.addGroup(group);
    return viewOf(group, before);
  },
  show: (group) => `Added group ${group.groupId} to merchant ${group.login}: ${listedOf(group.endpoints)}.`,
});

export const listGroups = defineReading({
  name: 'listGroups',
  command: 'group list',
  summary: 'list the groups of a merchant, or all',
  merchants: 'own',
  given: { login: mayGive(merchantLogin, 'only those of this merchant', { as: '[login]' }) },
  answer: aList(groupView),
  run: async ({ login }, { configuration }) => {
    const all = await configuration.read();
    const only = login === undefined ? undefined : merchantOf(login, all).merchantId;
    return all.groups
      .filter(({ merchantId }) => only === undefined || merchantId === only)
      .map((group) => viewOf(group, all));
  },
  show: rowsOf(
    {
      ID: (one) => one.groupId,
      MERCHANT: (one) => one.login,
      ENDPOINTS: (one) => listedOf(one.endpoints),
    },
    'There are no groups; add one with: tender group add <login> --endpoints 101,102',
  ),
});

function membersOf(endpointIds: readonly number[], merchantId: number, { endpoints }: Configuration): number[] {
  const own = endpoints.filter((one) => one.merchantId === merchantId);
  const there = listedOf(own) || 'none yet';
  const members = endpointIds.map((endpointId) => {
    const endpoint = own.find((one) => one.endpointId === endpointId);
    if (endpoint) return endpoint;
    throw new InvalidInput(`the merchant has no endpoint ${shown(endpointId)}; it has ${there}`);
  });
  if (members.length === 0) throw new InvalidInput(`at least one endpoint is needed; the merchant has ${there}`);
  for (const [index, { endpointId, currency }] of members.entries()) {
    const earlier = members.slice(0, index).find((one) => one.currency === currency);
    if (earlier) {
      const both = `${earlier.endpointId} and ${endpointId}`;
      throw new InvalidInput(`${both} both take ${currency}, and the currency must choose the endpoint`);
    }
  }
  return members.map((one) => one.endpointId);
}

function listedOf(endpoints: GroupView['endpoints']): string {
  return endpoints.map(({ endpointId, currency }) => `${endpointId} ${currency}`).join(', ');
}

function viewOf({ groupId, merchantId, endpointIds }: EndpointGroup, all: Configuration): GroupView {
  const endpoints = endpointIds.map((endpointId) => ({
    endpointId,
    currency: all.endpoints.find((one) => one.endpointId === endpointId)?.currency ?? '',
  }));
  return { groupId, login: loginOf(merchantId, all), endpoints };
}
