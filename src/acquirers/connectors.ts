// Every connector, one line each. Nothing else outside a connector's own folder names it.

export { iso8583 } from './iso8583/iso8583.ts';
export { simulatorConnector } from './simulator/simulator.ts';
export { stripe } from './stripe/stripe.ts';
export { upstream } from './upstream/upstream.ts';
