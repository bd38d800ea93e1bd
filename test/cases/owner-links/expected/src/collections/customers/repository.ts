/** The repository of customers: their columns, and the functions made of them. */
import { existingTable } from '../../platform/database/existing-table.ts';
import { cannotAssignId, numericRowId } from '../../platform/database/numeric-row-id.ts';
import { ownerOfRow } from '../../platform/database/owner-path.ts';
import type { OwnedResource } from '../../platform/database/owner-path.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { customerHooks } from './hooks.ts';
import { CustomerComputed } from './schema.ts';
import type { Customer, CustomerValues } from './schema.ts';

/** What ids are. */
const ROW_ID = numericRowId('integer', {
  key: 'customer_pkey',
  table: '"public"."customer"',
  column: 'customer_id',
});

export const CUSTOMER_RESOURCE: OwnedResource = {
  collection: 'customers',
  item: 'customer',
  anItem: 'a customer',
  table: '"customers"',
  revision: '"_revision"',
  id: ROW_ID,
  unique: {},
  violations: [cannotAssignId],
  owner: [
    { table: '"customers"', column: '"id"' },
    { table: '"memberships"', column: '"user_id"', link: '"customer_id"' },
  ],
};

/** The SQL expressions of selected members. */
const COLUMNS: SelectedColumns<Customer> = {
  id: '"customers"."id"::text',
  name: '"customers"."name"::text',
};

/** The values of written columns. */
const WRITTEN: WrittenColumns<CustomerValues> = {
  name: (values) => values.name,
};

const LISTS: ListTable = {
  name: '"customers"',
  id: ROW_ID,
  members: COLUMNS,
  largest: 32,
  unbounded: ['name', ...Object.keys(CustomerComputed.properties)],
  columns: {
    name: {
      name: '"customers"."name"',
      type: 'text',
      order: (value: string) => [`left(${value}, 200)`],
    },
  },
};

export const {
  list: listCustomers,
  find: findCustomer,
  create: createCustomer,
  update: updateCustomer,
  delete: deleteCustomer,
} = crudRepository<Customer, CustomerValues>({
  resource: CUSTOMER_RESOURCE,
  lists: LISTS,
  written: WRITTEN,
  table: existingTable(),
  owner: ownerOfRow(CUSTOMER_RESOURCE.owner),
  hooks: () => customerHooks,
});
