/**
 * The shapes of bookings, and what their lists offer.
 *
 * A time in which a room is taken.
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { compareExact, compareTimestamps, keepsChecks } from '../../platform/http/checks.ts';
import type { Checks } from '../../platform/http/checks.ts';
import { decimal } from '../../platform/http/exact-numbers.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import {
  described,
  itemShape,
  object,
  oneOf,
  optional,
  setExample,
  string,
  timestamp,
  uuid,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a booking. */
export const BookingBody = described(
  "Values that violate one of these rules are refused (422):\n\n- `ends_at`, `starts_at`: The end is after the start.\n- `status`, `price`: status != 'confirmed' or price > 0.00 and price != null must hold.\n- `deposit`, `price`: deposit = null or price != null and deposit <= price must hold.\n- `guest_id`, `host_id`: Nobody is a guest of themselves.",
  object({
    title: string({ maxLength: 100 }),
    status: optional(oneOf(['draft', 'confirmed', 'cancelled']), 'draft'),
    starts_at: timestamp(),
    ends_at: optional(timestamp()),
    price: optional(decimal({ precision: 10, scale: 2, minimum: '0.00' })),
    deposit: optional(decimal({ precision: 10, scale: 2, minimum: '0.00' })),
    host_id: optional(uuid()),
    guest_id: optional(uuid()),
  }),
);

setExample(BookingBody, {
  title: 'Title 1',
  status: 'draft',
  starts_at: '2026-01-31T12:00:00.000Z',
  ends_at: '2026-01-31T14:00:00.000Z',
  price: '1.50',
  deposit: null,
  host_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  guest_id: '01890a5d-ac96-774b-bcce-b302099a8057',
});

/** What is stored of a booking, with defaults and nulls filled in. */
export type BookingValues = Complete<Static<typeof BookingBody>>;

/** The checks of bookings, by the names of their constraints in the database. */
export const bookingChecks = {
  bookings__ends_after_start__rule: {
    members: ['ends_at', 'starts_at'],
    message: 'The end is after the start.',
    holds: (values) =>
      values.ends_at === null || compareTimestamps(values.ends_at, values.starts_at) > 0,
  },
  bookings__confirmed_has_price__rule: {
    members: ['status', 'price'],
    message: "status != 'confirmed' or price > 0.00 and price != null must hold.",
    holds: (values) =>
      values.status === null ||
      values.status !== 'confirmed' ||
      (values.price !== null && compareExact(values.price, '0.00') > 0),
  },
  bookings__deposit_within_price__rule: {
    members: ['deposit', 'price'],
    message: 'deposit = null or price != null and deposit <= price must hold.',
    holds: (values) =>
      values.deposit === null ||
      (values.price !== null && compareExact(values.deposit, values.price) <= 0),
  },
  bookings__other_guest__rule: {
    members: ['guest_id', 'host_id'],
    message: 'Nobody is a guest of themselves.',
    holds: (values) =>
      values.guest_id === null || values.host_id === null || values.guest_id !== values.host_id,
  },
} satisfies Checks<BookingValues>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over bookings must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const BookingComputed = object({});

/** A booking as clients read it. */
export const BookingShape = itemShape('Booking', 'A time in which a room is taken.', BookingBody, {
  computed: BookingComputed,
});

export interface Booking extends BookingValues, Complete<Static<typeof BookingComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const bookingBodies = bodyReader(BookingBody, BookingShape, {
  rules: [keepsChecks(bookingChecks)],
});

/** Who may do what with bookings. */
export const bookingPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const bookingLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(BookingShape.properties),
  sort: ['created_at'],
  filter: {},
};
