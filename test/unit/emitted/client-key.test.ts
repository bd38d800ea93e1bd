/** Who counts as one client: the emitted function, against addresses written out by hand. */
import { expect, test } from 'vitest';

import { clientKey } from '../../../templates/service/src/platform/http/client-key.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  // As a socket that listens on both tells an IPv4 client.
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::6', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
])('%s is of the client %s', (address, client) => {
  expect(clientKey(address)).toBe(client);
});
