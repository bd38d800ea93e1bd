/** Durations in the order of their length. */

/** The seconds of a duration in its canonical form: of `PT1H30M` they are 5400. */
export function secondsOf(duration: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
