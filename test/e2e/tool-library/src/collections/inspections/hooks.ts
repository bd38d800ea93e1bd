/** Inspections name their inspector, and a tool that fails one cannot be lent. */
import type { Hooks } from '../../platform/database/hooks.ts';
import { findTool, updateTool } from '../tools/repository.ts';
import type { Inspection, InspectionValues } from './schema.ts';

export const inspectionHooks: Hooks<Inspection, InspectionValues> = {
  beforeCreate: (values, { principal }) => ({ ...values, inspector_id: principal?.userId ?? null }),
  async afterCreate({ tool_id: id, passed }, { principal, database }) {
    const { state } = await findTool(database, id);
    if (passed || state !== 'usable') return;
    await updateTool(database, id, undefined, (tool) => ({ ...tool, state: 'broken' }), {
      principal,
    });
  },
};
