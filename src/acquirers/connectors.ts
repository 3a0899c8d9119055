// Every connector, one line each. Nothing else outside a connector's own folder names it.

export { simulatorConnector } from './simulator/simulator.ts';
export { stripe } from './stripe/stripe.ts';
export { upstream } from './upstream/upstream.ts';
