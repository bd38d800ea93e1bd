/** Days and moments as texts (RFC 3339), each in the one form in which the service answers it. */

const DAY = 86_400_000;
/** The first of the days that tests send. */
const FIRST_DAY = Date.UTC(2026, 0, 31);

/** Whether a text is a day that exists, from 0001-01-01 to 9999-12-31. */
export function isDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const TIMESTAMP =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

/** A moment in UTC with `Z` and three digits of a second, or six where the last are not zero. */
export function canonicalTimestamp(text: string): string | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null || !isDate(parts[1]!)) return undefined;
  const [hour, minute, second] = [Number(parts[2]), Number(parts[3]), Number(parts[4])];
  const [offsetHour, offsetMinute] = [Number(parts[7] ?? 0), Number(parts[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) {
    return undefined;
  }
  const offset = (parts[6] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const moment = new Date(`${parts[1]}T00:00:00.000Z`);
  moment.setUTCHours(hour, minute - offset, second);
  const year = moment.getUTCFullYear();
  if (year < 1 || year > 9999) return undefined;
  const micros = (parts[5] ?? '').padEnd(6, '0');
  const fraction = micros.endsWith('000') ? micros.slice(0, 3) : micros;
  return `${moment.toISOString().slice(0, 19)}.${fraction}Z`;
}

/** The day before (-1) or after (1) a day. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** The next microsecond before or after a moment, where the years reach that far. */
export function addMicrosecond(moment: string, step: 1 | -1): string | undefined {
  const digits = moment.slice(20, -1).padEnd(6, '0');
  const micros =
    BigInt(Date.parse(`${moment.slice(0, 19)}Z`)) * 1000n + BigInt(digits) + BigInt(step);
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const time = new Date(Number((micros - rest) / 1000n));
  if (time.getUTCFullYear() < 1 || time.getUTCFullYear() > 9999) return undefined;
  return `${time.toISOString().slice(0, 19)}.${String(rest).padStart(6, '0')}Z`;
}

/** Different days within bounds. */
export const sampleDays = (minimum: string, maximum: string, count: number): string[] =>
  samples(
    FIRST_DAY,
    DAY,
    count,
    (time) => new Date(time).toISOString().slice(0, 10),
    minimum,
    maximum,
  );

/** Different moments, an hour apart; those at the ends of the bounds may lie outside of them. */
export const sampleMoments = (minimum: string, maximum: string, count: number): string[] =>
  samples(
    FIRST_DAY + DAY / 2,
    DAY / 24,
    count,
    (time) => new Date(time).toISOString(),
    minimum,
    maximum,
  );

/** Steps from a start upwards, or within the bounds where the start lies outside. */
function samples(
  start: number,
  step: number,
  count: number,
  shown: (time: number) => string,
  minimum: string,
  maximum: string,
): string[] {
  const [low, high] = [Date.parse(minimum), Date.parse(maximum)];
  const first = start >= low && start <= high ? start : low;
  const found: string[] = [];
  for (let time = first; time <= high && found.length < count; time += step)
    found.push(shown(time));
  for (let time = first - step; time >= low && found.length < count; time -= step) {
    found.push(shown(time));
  }
  if (found.length === 1 && high > low) found.push(shown(high));
  return found;
}
