/** The repository of customers: their columns, and the functions made of them. */
import type { OwnedResource } from '../../platform/database/owner-path.ts';
import type { ListTable } from '../../platform/database/pages.ts';
import { crudRepository } from '../../platform/database/repository.ts';
import type { SelectedColumns, WrittenColumns } from '../../platform/database/repository.ts';
import { isNumericId } from '../../platform/http/numeric-ids.ts';
import { customerHooks } from './hooks.ts';
import { CustomerComputed } from './schema.ts';
import type { Customer, CustomerValues } from './schema.ts';

export const CUSTOMER_RESOURCE: OwnedResource = {
  collection: 'customers',
  item: 'customer',
  anItem: 'a customer',
  table: '"customers"',
  revision: '"_revision"',
  isId: (text) => isNumericId(text, 'integer'),
  tombstones: '_numeric_tombstones',
  numericKey: 'customer_pkey',
  numbered: { table: '"public"."customer"', column: 'customer_id' },
  unique: {},
  owner: [
    { table: '"customers"', column: '"id"' },
    { table: '"memberships"', column: '"user_id"', key: '"customer_id"' },
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
  key: 'integer',
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
  hooks: () => customerHooks,
});
