import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

it('counts what is under way until it ends, well or not', async () => {
  const inFlight = new InFlight();
  const [one, other] = [deferred(), deferred()];
  inFlight.track(one.promise);
  inFlight.track(other.promise);
  expect(inFlight.count).toBe(2);
  one.resolve();
  other.reject(new Error('broken'));
  await inFlight.drained();
  expect(inFlight.count).toBe(0);
});

it('is drained only when what was begun meanwhile has ended too', async () => {
  const inFlight = new InFlight();
  const [one, other] = [deferred(), deferred()];
  let isDrained = false;
  inFlight.track(one.promise);
  // Begun by the last one that ends, before whoever waits goes on.
  one.promise.then(() => inFlight.track(other.promise));
  const drained = inFlight.drained().then(() => {
    isDrained = true;
  });
  one.resolve();
  await new Promise(setImmediate);
  expect([inFlight.count, isDrained]).toEqual([1, false]);
  other.resolve();
  await drained;
  expect(inFlight.count).toBe(0);
});

it('is drained at once when nothing is under way', async () => {
  await new InFlight().drained();
});

function deferred() {
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
