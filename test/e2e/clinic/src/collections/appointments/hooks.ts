/** Of one practitioner, confirmed appointments do not overlap; requests may. A confirmed one is followed by a reminder. */
import type { Database } from '../../platform/database/database.ts';
import type { Hooks } from '../../platform/database/hooks.ts';
import { conflict } from '../../platform/http/errors.ts';
import { reminders } from '../../reminders.ts';
import type { Appointment, AppointmentValues } from './schema.ts';

/** The states in which an appointment takes the time of its practitioner. */
const TAKEN: readonly string[] = ['confirmed', 'checked_in'];

export const appointmentHooks: Hooks<Appointment, AppointmentValues> = {
  async beforeUpdate(values, { before, database }) {
    if (TAKEN.includes(values.state)) await refuseOverlaps(database, values, before.id);
    return values;
  },
  afterUpdate({ number, state }, { before, afterCommit }) {
    if (state !== 'confirmed' || before.state === 'confirmed') return;
    afterCommit(() => void reminders.push(number));
  },
};

/** @param own the id of the appointment itself. */
async function refuseOverlaps(
  database: Database,
  { practitioner_id: practitioner, starts_at: start, ends_at: end }: AppointmentValues,
  own: string,
): Promise<void> {
  // Changes of the appointments of one practitioner wait for each other.
  await database.query(
    { text: 'select 1 from "practitioners" where "id" = $1 for no key update' },
    [practitioner],
  );
  const [other] = await database.query<{ number: string }>(
    {
      text: `select "number" from "appointments"
        where "practitioner_id" = $1 and "starts_at" < $3 and "ends_at" > $2
          and "state" = any ($4) and "id" <> $5
        limit 1`,
    },
    [practitioner, start, end, TAKEN, own],
  );
  if (other !== undefined) throw conflict(`The practitioner has appointment ${other.number} then.`);
}
