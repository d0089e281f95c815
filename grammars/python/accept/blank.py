
  
# only
   # comments