// Says what a launcher or script is busy with before the program itself can: on a terminal one line that moves and then
// goes, elsewhere a line at the beginning and one now and then.

const MOVES_EVERY_MS = 1_000;
const LINE_EVERY_MS = 10_000;

/** Shows `what`, such as "building", while the work lasts, and resolves or rejects as it does. */
export async function whileBusy(what, { say, stream = process.stderr }, work) {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const isSeen = stream.isTTY === true;
  if (isSeen) stream.write(`${what}…`);
  else say(`${what}…`);
  const tell = () => (isSeen ? stream.write(`\r${what}… ${seconds()} s\u001b[K`) : say(`${what}… ${seconds()} s`));
  const telling = setInterval(tell, isSeen ? MOVES_EVERY_MS : LINE_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(telling);
    if (isSeen) stream.write('\r\u001b[K');
  }
}
