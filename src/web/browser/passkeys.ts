// Passkeys in the browser: asks our server what to ask for, asks the browser, and gives the answer back. Bytes travel
// as base64url in JSON.

type Options = Record<string, unknown> & { readonly challenge: string };
type Described = { readonly id: string };
type Reply = { readonly error?: string; readonly location?: string };

const GAVE_UP = 'That was broken off, or took too long. Try again.';

export function offerPasskeySignIn(place: HTMLElement): void {
  place.removeAttribute('hidden');
  place.querySelector('button')?.addEventListener('click', () =>
    attempt(place, async () => {
      const options = await post<Options>('/sign-in/passkey-options', {});
      const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: [] };
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
      const response = credential.response as AuthenticatorAssertionResponse;
      const answer = {
        ...commonParts(credential),
        response: {
          clientDataJSON: text(response.clientDataJSON),
          authenticatorData: text(response.authenticatorData),
          signature: text(response.signature),
          userHandle: response.userHandle ? text(response.userHandle) : undefined,
        },
      };
      return post<Reply>('/sign-in/passkey', { answer, to: place.dataset.to });
    }),
  );
}

export function offerNewPasskey(form: HTMLFormElement): void {
  form.removeAttribute('hidden');
  form.parentElement?.querySelector('[data-no-passkey]')?.setAttribute('hidden', '');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { mark, label } = Object.fromEntries(new FormData(form));
    void attempt(form, async () => {
      const options = await post<Options>('/account/passkeys/options', { mark });
      const user = options.user as Described;
      const known = (options.excludeCredentials ?? []) as readonly Described[];
      const publicKey = {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...user, id: bytes(user.id) },
        excludeCredentials: known.map((one) => ({ ...one, id: bytes(one.id), type: 'public-key' as const })),
      } as unknown as PublicKeyCredentialCreationOptions;
      const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
      const response = credential.response as AuthenticatorAttestationResponse;
      const answer = {
        ...commonParts(credential),
        response: {
          clientDataJSON: text(response.clientDataJSON),
          attestationObject: text(response.attestationObject),
          transports: response.getTransports?.() ?? [],
        },
      };
      return post<Reply>('/account/passkeys/add', { mark, label, answer });
    });
  });
}

function commonParts({ id, rawId, type, authenticatorAttachment }: PublicKeyCredential): object {
  return { id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults: {} };
}

/** Goes where the answer says, or tells what went wrong. */
async function attempt(place: HTMLElement, work: () => Promise<Reply>): Promise<void> {
  const trouble = place.querySelector<HTMLElement>('[data-passkey-trouble]');
  trouble?.setAttribute('hidden', '');
  const { location: next, error = GAVE_UP } = await work().catch((): Reply => ({}));
  if (next !== undefined) return location.assign(next);
  if (!trouble) return;
  trouble.textContent = error;
  trouble.removeAttribute('hidden');
}

async function post<T>(path: string, given: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(given) });
  return (await response.json()) as T;
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (one) => one.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
