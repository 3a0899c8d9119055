// What scripts send that ask without anybody having done something: it does not keep a session from ending.

export const BY_ITSELF = { 'Tender-Live': '1' } as const;
