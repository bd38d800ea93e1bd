/** Sends raw bytes, for requests that no HTTP client would send. */
import { connect } from 'node:net';

import type { Answer } from './service.ts';

export interface RawAnswer extends Answer {
  /** The reason phrase of the status line: `Not Found`. */
  readonly reason: string;
}

/**
 * Sends header lines, joined by CRLF, and a body.
 * @returns the response, read until the service closes the connection.
 */
export async function sendRaw(
  port: number,
  lines: readonly string[],
  body: string | Uint8Array = '',
): Promise<RawAnswer> {
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return parse(await exchange(port, Buffer.concat([head, Buffer.from(body)])));
}

function exchange(port: number, bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    // The service may close the connection before it has read all of a refused request.
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.setTimeout(5000, () => socket.destroy(new Error('the connection stayed open')));
  });
}

function parse(bytes: Buffer): RawAnswer {
  // `100 Continue` precedes the final response.
  const text = bytes.toString().replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, end).split('\r\n');
  const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? [];
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  return {
    status: Number(status),
    reason,
    headers,
    body: body === '' ? undefined : (JSON.parse(body) as unknown),
  };
}
