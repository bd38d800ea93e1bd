/**
 * Preloaded into a service: while the file of FULL_DISK exists, writes to files fail as on a full disk, which only a superuser
 * could make for a test.
 */
import fs from 'node:fs';

const write = fs.writeSync;
fs.writeSync = (descriptor, ...rest) => {
  // The first three are the standard streams.
  if (descriptor > 2 && fs.existsSync(process.env.FULL_DISK)) {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -28 });
  }
  return write(descriptor, ...rest);
};
