// Turns Ctrl-C and similar signals into an AbortSignal, so that a script can stop its commands and tidy up first.
// The AbortSignal's reason is the name of the signal that arrived ("SIGTERM").

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function interruption() {
  const controller = new AbortController();
  const stop = (name) => controller.abort(name);
  for (const name of SIGNALS) process.on(name, stop);
  const release = () => {
    for (const name of SIGNALS) process.off(name, stop);
  };
  return { signal: controller.signal, release };
}
