x = #p
