/** `bySearch`: the parameter `q` of lists. It selects the items that have all of its words. */
import { WORDS } from '../openapi/parameters.ts';
import { badRequest } from './errors.ts';
import type { ListParameter } from './list.ts';
import { searchWords } from './search-words.ts';

export const bySearch: ListParameter = {
  read: (text) => {
    if (text === undefined) return {};
    const words = searchWords(text);
    if (words.length === 0) throw badRequest('The parameter "q" holds no word to search for.');
    return { words };
  },
  schema: WORDS,
};
