import type { Hooks } from '../../platform/database/hooks.ts';
import { unprocessable } from '../../platform/http/errors.ts';
import type { Book, BookValues } from './schema.ts';

function check(values: BookValues): BookValues {
  if (!/^\p{Lu}/u.test(values.title)) throw unprocessable('A title begins with a capital letter.');
  if (Number(values.price) < 1 || Number(values.price) % 0.5 !== 0) {
    throw unprocessable('A price is at least 1, and a multiple of 0.5.');
  }
  return values;
}

export const bookHooks: Hooks<Book, BookValues> = {
  beforeCreate(values) {
    if (values.status !== 'draft') throw unprocessable('A new book is a draft.');
    return check(values);
  },
  beforeUpdate: (values) => check(values),
};
