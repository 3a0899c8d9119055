// The one way to post a form to the interface.

export type PostedForm = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

export const CLIENT_MEDIA_TYPE = 'application/vnd.pay+json';

/** Redirects are not followed: a signed form goes where it was meant for, or nowhere. */
export async function postForm(
  url: string,
  { body, headers, signal }: PostedForm,
  send: typeof globalThis.fetch = globalThis.fetch,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await send(url, {
    method: 'POST',
    headers: { accept: CLIENT_MEDIA_TYPE, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
    redirect: 'manual',
    signal,
  });
  return { status: response.status, text: await response.text() };
}
