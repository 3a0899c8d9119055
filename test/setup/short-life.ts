// How Node runs what lives for seconds only. V8 optimises the embedded database's WebAssembly after 1.8 MB of executed code,
// which costs more than a second of processor time per process and comes too late to pay; Node 24 waits as long as this.
export const SHORT_LIFE = ['--wasm-tiering-budget=13000000'];
