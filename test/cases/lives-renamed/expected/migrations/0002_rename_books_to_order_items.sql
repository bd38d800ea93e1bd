-- after: 0001_initial fb422c08ef1f1eeb715818a2feae9ebc6101ba10eb257f176a20601d90178994

-- Renames the collection books to order_items.

set local lock_timeout = '10s';

alter table "books" rename to "order_items";

alter index "books__pkey" rename to "order_items__pkey";

alter index "books__created_at__sort" rename to "order_items__created_at__sort";

drop trigger "_bury" on "order_items";
create trigger "_bury" after delete on "order_items"
  for each row execute function "_bury"('order_items');

alter table "order_items" rename constraint "books__title__check" to "order_items__title__check";

alter table "order_items" rename constraint "books__price__check" to "order_items__price__check";

update "_tombstones" set "collection" = case "collection" when 'books' then 'order_items' end
where "collection" in ('books');
