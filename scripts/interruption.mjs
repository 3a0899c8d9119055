// Turns Ctrl-C and its relatives into an AbortSignal, so that a script can stop its commands and tidy up first.
// The signal's reason is the name of what arrived ("SIGTERM").

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
