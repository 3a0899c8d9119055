// Replies as they come from a socket: as much of HTTP as a load generator needs.

export const HEAD_END = '\r\n\r\n';

/** Whether the bytes are a whole reply. */
export function isComplete(reply) {
  const headEnd = reply.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(reply.latin1Slice(0, headEnd))?.[1];
  return reply.length >= headEnd + HEAD_END.length + Number(length);
}

export function statusOf(reply) {
  return Number(reply.latin1Slice(9, 12));
}

export function bodyOf(reply) {
  return reply.subarray(reply.indexOf(HEAD_END) + HEAD_END.length).toString();
}

/** The ids of the order that a reply to a sale names. */
export function acceptedOrder(reply) {
  const body = JSON.parse(bodyOf(reply));
  return { clientOrderId: body['merchant-order-id'], orderId: body['paynet-order-id'] };
}
