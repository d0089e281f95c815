select E'\0'
