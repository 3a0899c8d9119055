// What is told of a request to who runs the gateway, as a line of the log and as a span: ids, names and outcomes, and
// nothing that was sent.

import type { IncomingMessage } from 'node:http';
import { readTraceparent } from '../domain/trace-context.ts';
import type { Operation } from '../operations/operation.ts';
import type { LogFields } from '../telemetry/log.ts';
import type { SpanEnd } from '../telemetry/tracing.ts';
import type { Outcome } from './pipe.ts';

type Told = { readonly operation: string | undefined; readonly outcome: Outcome; readonly milliseconds: number };

export function loggedRequest(
  request: IncomingMessage,
  { operation = 'none', outcome, milliseconds }: Told,
): LogFields {
  const { status, merchantId, errorCode, reply } = outcome;
  const orderId = orderIn(reply);
  const trace = readTraceparent(request.headers.traceparent);
  return {
    operation,
    method: methodOf(request.method),
    status,
    outcome: outcomeIn(reply),
    milliseconds: Math.round(milliseconds),
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(orderId === undefined ? {} : { orderId: Number(orderId) }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(trace && { traceId: trace.traceId }),
  };
}

type Answered = Omit<Told, 'operation'> & {
  readonly method: string | undefined;
  readonly basePath: string;
  readonly operation: Operation | undefined;
};

export function requestSpan({ method, basePath, operation, outcome, milliseconds }: Answered): SpanEnd {
  const { status, merchantId, errorCode, reply } = outcome;
  const route = operation && `${basePath}${operation.path}/{endpointId}`;
  return {
    name: [methodOf(method), route].filter(Boolean).join(' '),
    milliseconds,
    isError: status >= 500,
    attributes: {
      'http.request.method': methodOf(method),
      'http.route': route,
      'http.response.status_code': status,
      'tender.operation': operation?.name,
      'tender.merchant_id': merchantId,
      'tender.order_id': orderIn(reply),
      'tender.outcome': outcomeIn(reply),
      'tender.error_code': errorCode,
    },
  };
}

/** Anybody may write any word there. */
function methodOf(method = ''): string {
  return ['GET', 'HEAD', 'POST'].includes(method) ? method : '_OTHER';
}

function orderIn(reply: object): string | undefined {
  const id = (reply as { readonly 'paynet-order-id'?: unknown })['paynet-order-id'];
  return typeof id === 'string' && /^\d{1,16}$/.test(id) ? id : undefined;
}

/** The status of the order, or the type of the reply: both are words of ours. */
function outcomeIn(reply: object): string {
  const { status, type } = reply as { readonly status?: unknown; readonly type?: unknown };
  return String(status ?? type ?? 'answered');
}
