// Whose results of 3-D Secure are heard, where not everybody's are: senders are known by the subject or the fingerprint
// of the certificate that they show to the proxy.

import type { ClientCertificate } from '../route.ts';

/** SHA-1 or SHA-256, with or without colons. */
const FINGERPRINT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function knownSenders(listed: readonly string[]): (certificate: ClientCertificate | undefined) => boolean {
  const fingerprints = new Set(listed.map(digitsOf).filter((digits) => FINGERPRINT.test(digits)));
  const subjects = new Set(listed.map((one) => one.trim()).filter((one) => !FINGERPRINT.test(digitsOf(one))));
  return (certificate) => {
    const { subject = '', fingerprint = '' } = certificate ?? {};
    return subjects.has(subject.trim()) || fingerprints.has(digitsOf(fingerprint));
  };
}

function digitsOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').trim().toLowerCase();
}
