// The licence of this program, as the documents name it.

export const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
