// A thread that runs one command of the built program after another. It reads most of the program once, where a thread
// or a process for each command would read all of it every time.
import { Readable, Writable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';

let commands = 0;

/** Collects what is written in place of a stream of the process. */
function sink(name) {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => Buffer.concat(chunks).toString();
}

parentPort.on('message', async ({ args, input }) => {
  process.argv = [process.argv[0], workerData.program, ...args];
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input === undefined ? [] : [input]),
    configurable: true,
  });
  const [stdout, stderr] = [sink('stdout'), sink('stderr')];
  const exit = process.exit;
  const tell = (code, isLast) => parentPort.postMessage({ code, stdout: stdout(), stderr: stderr(), isLast });
  process.exit = (code = process.exitCode ?? 0) => {
    tell(code, true);
    exit(code);
  };
  // The entry is evaluated anew under another address; what it imports is there already.
  await import(`${workerData.program}?${commands++}`);
  process.exit = exit;
  tell(process.exitCode ?? 0, false);
});
