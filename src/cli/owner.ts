/** The process that runs this, for what it leaves on disk while it is at work. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

import type { Owner } from '../disk/staging.ts';
import type { World } from './world.ts';

export const ownerOf = ({ pid }: World): Owner => ({
  pid,
  host: hostname(),
  random: randomBytes(4).toString('hex'),
});
