/** `TEXT_ROW_ID`: ids that are texts, which clients choose. */
import { isTextId } from '../http/text-ids.ts';
import type { RowId } from './row-id.ts';

export const TEXT_ROW_ID: RowId = {
  type: 'text',
  isId: isTextId,
  condition: '"id" = $1',
  tombstones: '_text_tombstones',
  tombstoneType: 'text',
};
