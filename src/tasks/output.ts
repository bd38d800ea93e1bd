/** What is worth showing of what a program said. */

const MOST = 12;

/** The last lines that say something. */
export function lastLines(output: string | undefined): readonly string[] {
  return (output ?? '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-MOST);
}
