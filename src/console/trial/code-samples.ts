// The request that was tried, as programs to paste: each signs a new order with the key that stands at its beginning.

export type SampleRequest = {
  /** Of the operation with its endpoint. */
  readonly url: string;
  readonly endpointId: number;
  /** The amount as the control covers it. */
  readonly figure: string;
  /** Everything that is sent but `client_orderid` and `control`. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Undefined where it is for the reader to fill in. */
  readonly key: string | undefined;
};

const YOUR_KEY = 'your control key';
const ACCEPT = 'application/vnd.pay+json';

export type CodeSample = { readonly name: string; readonly text: string };

export function codeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { name: 'curl', text: curl(request) },
    { name: 'Node', text: node(request) },
    { name: 'PHP', text: php(request) },
    { name: 'Python', text: python(request) },
  ];
}

/** In single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl({ url, endpointId, figure, fields, key = YOUR_KEY }: SampleRequest): string {
  const given = fields.map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)} \\`);
  return [
    `KEY=${quoted(key)}`,
    'ORDER="try-$(date +%s)-$$"',
    `EMAIL=${quoted(emailOf(fields))}`,
    `CONTROL=$(printf '%s' "${endpointId}\${ORDER}${figure}\${EMAIL}\${KEY}" | openssl sha1 -r | cut -d' ' -f1)`,
    `curl -s ${quoted(url)} -H 'Accept: ${ACCEPT}' \\`,
    ...given,
    '  --data-urlencode "client_orderid=$ORDER" \\',
    '  --data-urlencode "control=$CONTROL"',
  ].join('\n');
}

const emailOf = (fields: SampleRequest['fields']) => fields.find(([name]) => name === 'email')?.[1] ?? '';

function node({ url, endpointId, figure, fields, key = YOUR_KEY }: SampleRequest): string {
  const given = fields.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return [
    "import { createHash } from 'node:crypto';",
    '',
    `const key = ${JSON.stringify(key)};`,
    'const fields = {',
    "  client_orderid: 'try-' + Date.now(),",
    ...given,
    '};',
    `const signed = \`${endpointId}\${fields.client_orderid}${figure}\${fields.email}\${key}\`;`,
    "const control = createHash('sha1').update(signed, 'utf8').digest('hex');",
    `const reply = await fetch(${JSON.stringify(url)}, {`,
    "  method: 'POST',",
    `  headers: { Accept: '${ACCEPT}' },`,
    '  body: new URLSearchParams({ ...fields, control }),',
    '});',
    'console.log(await reply.text());',
  ].join('\n');
}

/** In single quotes of PHP and Python alike. */
const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function php({ url, endpointId, figure, fields, key = YOUR_KEY }: SampleRequest): string {
  const given = fields.map(([name, value]) => `    ${literal(name)} => ${literal(value)},`);
  return [
    '<?php',
    `$key = ${literal(key)};`,
    '$fields = [',
    "    'client_orderid' => 'try-' . time() . '-' . getmypid(),",
    ...given,
    '];',
    `$signed = '${endpointId}' . $fields['client_orderid'] . '${figure}' . $fields['email'] . $key;`,
    "$fields['control'] = sha1($signed);",
    `$call = curl_init(${literal(url)});`,
    'curl_setopt_array($call, [',
    '    CURLOPT_POSTFIELDS => http_build_query($fields),',
    `    CURLOPT_HTTPHEADER => ['Accept: ${ACCEPT}'],`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    'echo curl_exec($call);',
  ].join('\n');
}

function python({ url, endpointId, figure, fields, key = YOUR_KEY }: SampleRequest): string {
  const given = fields.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`);
  return [
    'import hashlib, time, urllib.parse, urllib.request',
    '',
    `key = ${literal(key)}`,
    'fields = {',
    "    'client_orderid': f'try-{time.time_ns()}',",
    ...given,
    '}',
    `signed = '${endpointId}' + fields['client_orderid'] + '${figure}' + fields['email'] + key`,
    "fields['control'] = hashlib.sha1(signed.encode()).hexdigest()",
    'body = urllib.parse.urlencode(fields).encode()',
    `request = urllib.request.Request(${literal(url)}, body, {'Accept': '${ACCEPT}'})`,
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');
}
