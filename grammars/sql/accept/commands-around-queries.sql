create materialized view totals as select sum(amount) from orders with no data;
select current_schema(), current_user;
explain analyze execute totals_of(1, 'a', 2.5, null);
explain refresh materialized view totals;
prepare rounded(numeric(3, 2)) as select round($1, 1);
create function one() returns int as $func$ begin return 1; end $func$ language plpgsql;
