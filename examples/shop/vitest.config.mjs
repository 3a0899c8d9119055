// A gateway starts within a few seconds, the first one on a machine within some more.

export default {
  test: { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } },
};
