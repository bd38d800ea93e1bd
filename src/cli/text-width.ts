/**
 * How wide a text is on a terminal, for the layout of help: the build puts this in place of the
 * package that yargs uses, which takes longer to start than all the rest of the command line.
 * Help is our own text, one column a character.
 */
import { stripVTControlCharacters } from 'node:util';

export default function textWidth(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
