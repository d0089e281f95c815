select 'a
