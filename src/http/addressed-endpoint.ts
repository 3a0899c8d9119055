// Which endpoints a path leads to: one, or a group of which the request's currency picks one.

import { takesUnsignedForms } from '../domain/merchant/form-addresses.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import type { Parameters } from '../operations/form.ts';
import type { Operation } from '../operations/operation.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';

export function endpointsOf(target: PathTarget, configuration: LiveConfiguration): Endpoint[] {
  return target.kind === 'endpoint' ? [target.endpoint] : configuration.endpointsOf(target.group);
}

/** For requests without a currency any enabled endpoint of a group will do. */
export function endpointFor(
  target: PathTarget,
  { request }: Operation,
  parameters: Parameters,
  configuration: LiveConfiguration,
): Endpoint | undefined {
  if (target.kind === 'endpoint') return target.endpoint;
  const { fields } = request;
  const currency = parameters.get('currency');
  const picks = 'currency' in fields && ('amount' in fields || currency !== undefined);
  const fitting = configuration
    .endpointsOf(target.group)
    .filter((endpoint) => !picks || endpoint.currency === currency);
  return fitting.find((endpoint) => endpoint.enabled) ?? fitting[0];
}

/** Whether the endpoint that such a request is for, or one of its group, takes forms that nobody signed. */
export function takesUnsigned(
  target: PathTarget,
  operation: Operation,
  parameters: Parameters,
  configuration: LiveConfiguration,
): boolean {
  const picked = endpointFor(target, operation, parameters, configuration);
  return (picked ? [picked] : endpointsOf(target, configuration)).some(takesUnsignedForms);
}

/** Whether everything the path leads to is a sandbox: then there is nothing to hide. */
export function isSandbox(target: PathTarget | undefined, configuration: LiveConfiguration): boolean {
  return target ? endpointsOf(target, configuration).every((one) => one.sandbox) : configuration.isSandbox;
}

/**
 * Whether such a request is answered in the old form: the endpoint decides that it is for. While no currency picks one,
 * any endpoint of the group that has old clients does.
 */
export function hasLegacyReplies(
  target: PathTarget,
  operation: Operation,
  parameters: Parameters,
  configuration: LiveConfiguration,
): boolean {
  const isPicked = parameters.has('currency') && 'currency' in operation.request.fields;
  const picked = isPicked ? endpointFor(target, operation, parameters, configuration) : undefined;
  const deciding = picked ? [picked] : endpointsOf(target, configuration);
  return deciding.some((endpoint) => endpoint.legacyReplies);
}
