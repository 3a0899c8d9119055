// How Node runs what lives for seconds or minutes only. V8 optimises a function of the embedded database's WebAssembly
// after 1.8 MB of executed code (Node 24: 13 MB), which costs up to a second of processor time per process and comes
// too late to pay.
export const SHORT_LIFE = ['--wasm-tiering-budget=1000000000'];
