-- The schema that the service begins with.

-- Items that were removed: they answer 410, and their ids are never used again.
create table "_tombstones" (
  "id" uuid primary key,
  "collection" text not null,
  "removed_at" timestamptz not null default now()
);

-- What every process of the service shares, and nobody else knows.
create table "_secrets" (
  "name" text primary key,
  "value" text not null
);
insert into "_secrets" ("name", "value")
values ('cursor', gen_random_uuid()::text || gen_random_uuid()::text);

-- Answers to creations that may be asked for again, by digests of who asked where with which key,
-- and of what was said. They are kept for a day.
create table "_answers" (
  "id" text collate "C" primary key,
  "content" text collate "C" not null,
  "status" integer not null,
  "location" text not null,
  "etag" text,
  "body" text not null,
  "created_at" timestamptz not null default now()
);
create index "_answers__created_at__idx"
  on "_answers" ("created_at");

-- A new identifier for rows that are inserted by SQL: a UUID of version 7, from the time in microseconds.
create or replace function "_new_id"() returns uuid language sql volatile as $$
  select (
    lpad(to_hex("now" / 1000), 12, '0')
    || '7' || lpad(to_hex("now" % 1000 * 4096 / 1000), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16)
  )::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as "now") as "clock"
$$;

-- The SHA-256 of a text that is too long for an index.
create or replace function "_digest"("value" text) returns bytea
  language sql immutable strict parallel safe as $$
  select sha256(convert_to("value", 'UTF8'))
$$;

-- What usernames are compared by: two that look the same are the same. Characters that are not shown
-- (Default_Ignorable_Code_Point, and separators of lines) are left out, and the rest is in NFKC.
create or replace function "_username_key"("username" text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  -- No other encoding has these characters.
  if getdatabaseencoding() <> 'UTF8' then
    return "username";
  end if;
  return normalize(
    regexp_replace(
      "username",
      '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]',
      '',
      'g'
    ),
    nfkc
  );
end
$$;

-- Each change gives a row a later time than it had: the time is its revision. Migrations that fill a
-- column turn this off.
create or replace function "_touch"() returns trigger language plpgsql as $$
begin
  if current_setting('service.touch', true) is distinct from 'off' then
    new."updated_at" := greatest(clock_timestamp(), old."updated_at" + interval '1 microsecond');
  end if;
  return new;
end
$$;

-- The removal of a user clears the hidden owner of items, which is no change of these.
create or replace function "_untouch_owner"() returns trigger language plpgsql as $$
begin
  new."updated_at" := old."updated_at";
  return new;
end
$$;

-- Neither is it a change of an item when the words of its texts are indexed. The arguments are the
-- columns with words.
create or replace function "_untouch_words"() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'updated_at' - tg_argv = to_jsonb(old) - 'updated_at' - tg_argv then
    new."updated_at" := old."updated_at";
  end if;
  return new;
end
$$;

-- SQL changed a searched text and gave no words: an empty word in the column that the argument names
-- asks the service to index the row.
create or replace function "_mark_unindexed"() returns trigger language plpgsql as $$
begin
  return jsonb_populate_record(
    new,
    jsonb_build_object(tg_argv[0], to_jsonb(new) -> tg_argv[0] || '[""]')
  );
end
$$;

-- Whatever removes rows, a cascade too, leaves a tombstone of each.
create or replace function "_bury"() returns trigger language plpgsql as $$
begin
  insert into "_tombstones" ("id", "collection") select "id", tg_argv[0] from "_removed";
  return null;
end
$$;

-- Who may show a credential. A password is kept as its argon2id hash, a token as its SHA-256.
create table "users" (
  "id" uuid default "_new_id"() primary key,
  "username" text collate "C" not null,
  "password_hash" text not null,
  "roles" text[] not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "users__username__key"
  on "users" ("_username_key"("username"));
create index "users__username__sort"
  on "users" ("username", "id");
create index "users__created_at__sort"
  on "users" ("created_at", "id");
create trigger "_touch" before update on "users"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "users"
  referencing old table as "_removed"
  for each statement execute function "_bury"('users');

create table "tokens" (
  "id" uuid primary key,
  "user_id" uuid not null references "users" ("id") on delete cascade,
  "name" text,
  "expires_at" timestamptz,
  "hash" text collate "C" not null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create unique index "tokens__hash__key"
  on "tokens" ("hash");
create index "tokens__user_id__idx"
  on "tokens" ("user_id", "id");
create index "tokens__user_id__created_at__sort"
  on "tokens" ("user_id", "created_at", "id");
create trigger "_bury" after delete on "tokens"
  referencing old table as "_removed"
  for each statement execute function "_bury"('tokens');

-- Requests of an address in the current minute, over all processes.
create table "_requests" (
  "address" text primary key,
  "minute" bigint not null,
  "requests" bigint not null
);

-- Logins that failed or are under way, by digests of their addresses and usernames.
create table "_logins" (
  "key" text collate "C" primary key,
  "logins" integer not null,
  "until" timestamptz not null
);

-- Addresses that users have signed in from, as keyed digests. They are kept for 30 days.
create table "_sign_ins" (
  "user_id" uuid not null references "users" ("id") on delete cascade,
  "address" text collate "C" not null,
  "at" timestamptz not null default now(),
  primary key ("user_id", "address")
);
create index "_sign_ins__at__idx"
  on "_sign_ins" ("at");

create table "constructors" (
  "id" uuid default "_new_id"() constraint "constructors__pkey" primary key,
  "constructor" text collate "C" not null
    constraint "constructors__constructor__check" check (char_length("constructor") <= 50),
  "has_own_property" text collate "C"
    constraint "constructors__has_own_property__check" check (char_length("has_own_property") <= 50),
  "is_prototype_of" text collate "C"
    constraint "constructors__is_prototype_of__check" check (char_length("is_prototype_of") <= 50),
  "property_is_enumerable" text collate "C"
    constraint "constructors__property_is_enumerable__check" check (char_length("property_is_enumerable") <= 50),
  "to_locale_string" text collate "C"
    constraint "constructors__to_locale_string__check" check (char_length("to_locale_string") <= 50),
  "to_string" text collate "C" default '[object Object]'
    constraint "constructors__to_string__check" check (char_length("to_string") <= 50),
  "value_of" text collate "C"
    constraint "constructors__value_of__check" check (char_length("value_of") <= 50),
  "at" text collate "C"
    constraint "constructors__at__check" check (char_length("at") <= 50),
  "concat" bigint
    constraint "constructors__concat__check" check ("concat" >= -9007199254740991 and "concat" <= 9007199254740991),
  "copy_within" boolean,
  "entries" text collate "C"
    constraint "constructors__entries__check" check (char_length("entries") <= 50),
  "every" bigint
    constraint "constructors__every__check" check ("every" >= -9007199254740991 and "every" <= 9007199254740991),
  "fill" boolean,
  "filter" text collate "C"
    constraint "constructors__filter__check" check (char_length("filter") <= 50),
  "find" bigint
    constraint "constructors__find__check" check ("find" >= -9007199254740991 and "find" <= 9007199254740991),
  "find_index" boolean,
  "find_last" text collate "C"
    constraint "constructors__find_last__check" check (char_length("find_last") <= 50),
  "find_last_index" bigint
    constraint "constructors__find_last_index__check" check ("find_last_index" >= -9007199254740991 and "find_last_index" <= 9007199254740991),
  "flat" boolean,
  "flat_map" text collate "C"
    constraint "constructors__flat_map__check" check (char_length("flat_map") <= 50),
  "for_each" bigint
    constraint "constructors__for_each__check" check ("for_each" >= -9007199254740991 and "for_each" <= 9007199254740991),
  "includes" boolean,
  "index_of" text collate "C"
    constraint "constructors__index_of__check" check (char_length("index_of") <= 50),
  "join" bigint
    constraint "constructors__join__check" check ("join" >= -9007199254740991 and "join" <= 9007199254740991),
  "keys" boolean,
  "last_index_of" text collate "C"
    constraint "constructors__last_index_of__check" check (char_length("last_index_of") <= 50),
  "length" bigint default '0'::bigint
    constraint "constructors__length__check" check ("length" >= 0 and "length" <= 9007199254740991),
  "map" jsonb,
  "pop" text collate "C"
    constraint "constructors__pop__check" check (char_length("pop") <= 50),
  "push" bigint
    constraint "constructors__push__check" check ("push" >= -9007199254740991 and "push" <= 9007199254740991),
  "reduce" boolean,
  "reduce_right" text collate "C"
    constraint "constructors__reduce_right__check" check (char_length("reduce_right") <= 50),
  "reverse" bigint
    constraint "constructors__reverse__check" check ("reverse" >= -9007199254740991 and "reverse" <= 9007199254740991),
  "shift" boolean,
  "slice" text collate "C"
    constraint "constructors__slice__check" check (char_length("slice") <= 50),
  "some" bigint
    constraint "constructors__some__check" check ("some" >= -9007199254740991 and "some" <= 9007199254740991),
  "sort" boolean,
  "splice" text collate "C"
    constraint "constructors__splice__check" check (char_length("splice") <= 50),
  "to_reversed" bigint
    constraint "constructors__to_reversed__check" check ("to_reversed" >= -9007199254740991 and "to_reversed" <= 9007199254740991),
  "to_sorted" boolean,
  "to_spliced" text collate "C"
    constraint "constructors__to_spliced__check" check (char_length("to_spliced") <= 50),
  "unshift" bigint
    constraint "constructors__unshift__check" check ("unshift" >= -9007199254740991 and "unshift" <= 9007199254740991),
  "values" jsonb,
  "with" text collate "C"
    constraint "constructors__with__check" check (char_length("with") <= 50),
  "_words" text[] not null default '{""}',
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now(),
  constraint "constructors__constructor__rule"
    check ("constructor" <> "to_string" or "length" > '3'::bigint or "value_of" is null)
);
create unique index "constructors__constructor__key"
  on "constructors" ("constructor");
create unique index "constructors__length__value_of__key"
  on "constructors" ("length", "value_of");
create index "constructors__length__sort"
  on "constructors" (("length" is null), coalesce("length", 0), "id");
create index "constructors__to_string__sort"
  on "constructors" (("to_string" is null), coalesce("to_string", ''), "id");
create index "constructors__value_of__idx"
  on "constructors" ("value_of", "id");
create index "constructors__has_own_property__idx"
  on "constructors" ("has_own_property", "id");
create index "constructors__with__idx"
  on "constructors" ("with", "id");
create index "constructors___words__idx"
  on "constructors" using gin ("_words");
create trigger "_touch" before update on "constructors"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "constructors"
  for each row when ((old."to_string") is distinct from (new."to_string")
    and (old."_words") is not distinct from (new."_words")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_words" before update on "constructors"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words');
create trigger "_bury" after delete on "constructors"
  referencing old table as "_removed"
  for each statement execute function "_bury"('constructors');

create table "keys" (
  "id" uuid default "_new_id"() constraint "keys__pkey" primary key,
  "length" bigint
    constraint "keys__length__check" check ("length" >= -9007199254740991 and "length" <= 9007199254740991),
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "keys__length__sort"
  on "keys" (("length" is null), coalesce("length", 0), "id");
create trigger "_touch" before update on "keys"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "keys"
  referencing old table as "_removed"
  for each statement execute function "_bury"('keys');

create table "lists" (
  "id" uuid default "_new_id"() constraint "lists__pkey" primary key,
  "constructor" jsonb,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "lists__created_at__sort"
  on "lists" ("created_at", "id");
create trigger "_touch" before update on "lists"
  for each row execute function "_touch"();
create trigger "_bury" after delete on "lists"
  referencing old table as "_removed"
  for each statement execute function "_bury"('lists');

create table "records" (
  "id" uuid default "_new_id"() constraint "records__pkey" primary key,
  "text" text collate "C" default '''"`\${x}{{y}}*/--$$ '
    constraint "records__text__check" check (char_length("text") <= 200),
  "kind" text collate "C" default ''''
    constraint "records__kind__check" check ("kind" in ('''', '"', '`', '\', '${x}', '{{x}}', '*/', '--', 'a,b', 'a b', 'é', '日本', '$$', 'null', 'true', '', '%', '</script>', E'\U0000202eadmin\U00002066 \U00002069', E'zero\U0000200bwidth''\\', '${value}', '10 %　')),
  "code" text collate "C"
    constraint "records__code__check" check (char_length("code") <= 10),
  "note" text collate "C" default E'\U00002028\U00002029\U0000202e',
  "tags" jsonb default '["x''y"]'::jsonb,
  "extra" jsonb default '{"__proto_":"`${1}`","*/":["''",null,1.5,true],"constructor":{"a":"\\"}}'::jsonb,
  "inner" jsonb,
  "_words" text[] not null default '{""}',
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now(),
  constraint "records__kind_and_text__rule"
    check ("kind" not in ('''', '"', '`', '\', '${x}', '{{x}}', '*/', '--', '$$', '', '%') or "text" <> '''"`\${x}{{y}}*/--$$ ' or "note" is null),
  constraint "records__tostring__rule"
    check ("kind" <> '</script>' or "text" <> '-- ; drop table "_tombstones"; $$')
);
create index "records__kind__sort"
  on "records" (("kind" is null), coalesce(array_position(array['''', '"', '`', '\', '${x}', '{{x}}', '*/', '--', 'a,b', 'a b', 'é', '日本', '$$', 'null', 'true', '', '%', '</script>', E'\U0000202eadmin\U00002066 \U00002069', E'zero\U0000200bwidth''\\', '${value}', '10 %　'], "kind"), 0), "id");
create index "records__text__sort"
  on "records" (("text" is null), coalesce("text", ''), "id");
create index "records__created_at__sort"
  on "records" ("created_at", "id");
create index "records___words__idx"
  on "records" using gin ("_words");
create trigger "_touch" before update on "records"
  for each row execute function "_touch"();
create trigger "_mark_unindexed" before update on "records"
  for each row when ((old."text") is distinct from (new."text")
    and (old."_words") is not distinct from (new."_words")
    and not '' = any (new."_words"))
  execute function "_mark_unindexed"('_words');
create trigger "_untouch_words" before update on "records"
  for each row when ('' = any (old."_words") and not '' = any (new."_words"))
  execute function "_untouch_words"('_words');
create trigger "_bury" after delete on "records"
  referencing old table as "_removed"
  for each statement execute function "_bury"('records');

create table "to_strings" (
  "id" uuid default "_new_id"() constraint "to_strings__pkey" primary key,
  "constructor" text collate "C",
  "constructor_id" uuid not null,
  "item_id" uuid,
  "_owner_id" uuid constraint "to_strings___owner_id__fkey"
    references "users" ("id") on delete set null,
  "created_at" timestamptz not null default now(),
  "updated_at" timestamptz not null default now()
);
create index "to_strings__constructor_id__idx"
  on "to_strings" ("constructor_id", "id");
create index "to_strings__item_id__idx"
  on "to_strings" ("item_id", "id");
create index "to_strings__constructor__sort"
  on "to_strings" (("constructor" is null), coalesce(left("constructor", 200), ''), "id");
create index "to_strings___owner_id__idx"
  on "to_strings" ("_owner_id", "id");
create trigger "_touch" before update on "to_strings"
  for each row execute function "_touch"();
create trigger "_untouch_owner" before update of "_owner_id" on "to_strings"
  for each row when (pg_trigger_depth() > 0)
  execute function "_untouch_owner"();
create trigger "_bury" after delete on "to_strings"
  referencing old table as "_removed"
  for each statement execute function "_bury"('to_strings');

-- References, checked when a transaction ends: within one, order does not matter.
alter table "to_strings" add constraint "to_strings__constructor_id__fkey"
  foreign key ("constructor_id") references "constructors" ("id")
  on delete no action deferrable initially deferred;
alter table "to_strings" add constraint "to_strings__item_id__fkey"
  foreign key ("item_id") references "constructors" ("id")
  on delete set null deferrable initially deferred;

-- What this migration changes in the definitions: create-service generate reads it.
-- definitions: by create-service 0.2.0
-- definitions: + service {}
-- definitions: + collections.records {"fields":{"text":{"type":"string","default":"'\"`\\${x}{{y}}*/--$$ ","max_length":200},"kind":{"type":"enum","values":["'","\"","`","\\","${x}","{{x}}","*/","--","a,b","a b","é","日本","$$","null","true","","%","</script>","\u202eadmin\u2066 \u2069","zero\u200bwidth'\\","${value}","10 %　"],"default":"'"},"code":{"type":"string","pattern":"^[\\\\/'\"`${}*]{1,5}$","max_length":10},"note":{"type":"text","default":"\u2028\u2029\u202e"},"tags":{"type":"list","of":{"type":"enum","values":["x'y","x\"y","x`y"]},"default":["x'y"]},"extra":{"type":"json","default":{"__proto_":"`${1}`","*/":["'",null,1.5,true],"constructor":{"a":"\\"}}},"inner":{"type":"object","properties":{"constructor":{"type":"string","default":"*/"},"value":{"type":"string"}}}},"sort":["kind","text","created_at"],"filter":["kind","text"],"search":["text"],"checks":{"kind_and_text":{"rule":"kind not in ('''', '\"', '`', '\\', '${x}', '{{x}}', '*/', '--', '$$', '', '%') or text != '''\"`\\${x}{{y}}*/--$$ ' or note = null"},"tostring":{"rule":"kind != '</script>' or text != '-- ; drop table \"_tombstones\"; $$'"}}}
-- definitions: + collections.constructors {"fields":{"constructor":{"type":"string","max_length":50,"required":true,"unique":true},"has_own_property":{"type":"string","max_length":50},"is_prototype_of":{"type":"string","max_length":50},"property_is_enumerable":{"type":"string","max_length":50},"to_locale_string":{"type":"string","max_length":50},"to_string":{"type":"string","max_length":50,"default":"[object Object]"},"value_of":{"type":"string","max_length":50},"at":{"type":"string","max_length":50},"concat":{"type":"integer"},"copy_within":{"type":"boolean"},"entries":{"type":"string","max_length":50},"every":{"type":"integer"},"fill":{"type":"boolean"},"filter":{"type":"string","max_length":50},"find":{"type":"integer"},"find_index":{"type":"boolean"},"find_last":{"type":"string","max_length":50},"find_last_index":{"type":"integer"},"flat":{"type":"boolean"},"flat_map":{"type":"string","max_length":50},"for_each":{"type":"integer"},"includes":{"type":"boolean"},"index_of":{"type":"string","max_length":50},"join":{"type":"integer"},"keys":{"type":"boolean"},"last_index_of":{"type":"string","max_length":50},"length":{"type":"integer","minimum":0,"default":0},"map":{"type":"object","properties":{"constructor":{"type":"string","max_length":50},"to_string":{"type":"integer"},"length":{"type":"string","max_length":50},"map":{"type":"integer"}}},"pop":{"type":"string","max_length":50},"push":{"type":"integer"},"reduce":{"type":"boolean"},"reduce_right":{"type":"string","max_length":50},"reverse":{"type":"integer"},"shift":{"type":"boolean"},"slice":{"type":"string","max_length":50},"some":{"type":"integer"},"sort":{"type":"boolean"},"splice":{"type":"string","max_length":50},"to_reversed":{"type":"integer"},"to_sorted":{"type":"boolean"},"to_spliced":{"type":"string","max_length":50},"unshift":{"type":"integer"},"values":{"type":"list","of":{"type":"enum","values":["constructor","__proto__","toString","length"]}},"with":{"type":"string","max_length":50}},"sort":["length","to_string"],"singular":"constructor","filter":["constructor","length","value_of","has_own_property","with"],"search":["to_string"],"unique":[["length","value_of"]],"checks":{"constructor":{"rule":"\"constructor\" != to_string or length > 3 or value_of = null"}}}
-- definitions: + collections.to_strings {"fields":{"constructor":{"type":"string"},"constructor_id":{"type":"reference","to":"constructors","required":true,"nested":"value_ofs"},"item_id":{"type":"reference","to":"constructors","nested":"items","on_delete":"clear"}},"sort":["constructor"],"singular":"to_string","permissions":{"update":"owner"}}
-- definitions: + collections.lists {"fields":{"constructor":{"type":"object","properties":{"size":{"type":"integer"}}}},"sort":["created_at"]}
-- definitions: + collections.keys {"fields":{"length":{"type":"integer"}},"sort":["length"],"singular":"key","filter":["length"]}
