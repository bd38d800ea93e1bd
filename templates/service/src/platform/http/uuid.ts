/** UUIDs (RFC 9562). */
import { uuidv7 } from 'uuidv7';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new id for an item: a UUID of version 7, increasing within this process. */
export const newId = (): string => uuidv7();

/** Whether the text is a UUID of any version, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);
