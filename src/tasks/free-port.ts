/** Finds a port of the loopback interface. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A port that nothing listens on at the moment. */
export const freePort = async (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
