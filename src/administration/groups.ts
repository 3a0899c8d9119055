// Endpoint groups: one id for several endpoints of a merchant; the order's currency chooses among them.

import type { EndpointGroup } from '../domain/merchant/merchant.ts';
import type { Configuration } from '../storage/configuration.ts';
import type { AdministrationParts } from './administration.ts';
import { newPathId } from './endpoints.ts';
import { type Given, listOf, shown, Unfit } from './given.ts';
import { loginOf, merchantOf } from './merchants.ts';

export type GroupView = {
  readonly groupId: number;
  readonly login: string;
  readonly endpoints: readonly { readonly endpointId: number; readonly currency: string }[];
};

export function groupVerbs({ configuration, changed }: AdministrationParts) {
  return {
    async addGroup(given: Given): Promise<GroupView> {
      const before = await configuration.read();
      const { merchantId } = merchantOf(given, before);
      const endpointIds = endpointsFor(given, merchantId, before);
      const group = { groupId: newPathId(given, 'groupId', before), merchantId, endpointIds };
      await configuration.addGroup(group);
      await changed();
      return viewOf(group, before);
    },

    async listGroups(given: Given): Promise<GroupView[]> {
      const all = await configuration.read();
      const only = given.login === undefined ? undefined : merchantOf(given, all).merchantId;
      return all.groups
        .filter(({ merchantId }) => only === undefined || merchantId === only)
        .map((group) => viewOf(group, all));
    },
  };
}

function endpointsFor(given: Given, merchantId: number, { endpoints }: Configuration): number[] {
  const own = endpoints.filter((one) => one.merchantId === merchantId);
  const members = listOf(given, 'endpointIds', (entry) => {
    const endpoint = own.find((one) => one.endpointId === entry);
    if (endpoint) return endpoint;
    throw new Unfit(`the merchant has no endpoint ${shown(entry)}; it has ${listed(own)}`);
  });
  if (members === undefined || members.length === 0) {
    throw new Unfit(`at least one endpoint is needed; the merchant has ${listed(own)}`);
  }
  for (const [index, { endpointId, currency }] of members.entries()) {
    const earlier = members.slice(0, index).find((one) => one.currency === currency);
    if (earlier) {
      const both = `${earlier.endpointId} and ${endpointId}`;
      throw new Unfit(`${both} both take ${currency}, and the currency must choose the endpoint`);
    }
  }
  return members.map((one) => one.endpointId);
}

function listed(endpoints: readonly { readonly endpointId: number; readonly currency: string }[]): string {
  return endpoints.map(({ endpointId, currency }) => `${endpointId} ${currency}`).join(', ') || 'none yet';
}

function viewOf({ groupId, merchantId, endpointIds }: EndpointGroup, all: Configuration): GroupView {
  const login = loginOf(merchantId, all);
  const endpoints = endpointIds.map((endpointId) => ({
    endpointId,
    currency: all.endpoints.find((one) => one.endpointId === endpointId)?.currency ?? '',
  }));
  return { groupId, login, endpoints };
}
